//! The lines of a file of cases.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use tband_conv::Input;

use super::event_line;
use super::words::words;

/// The cases of a file.
#[derive(Debug, Default)]
pub struct CaseFile {
    /// In the order of the file.
    pub cases: Vec<Case>,
    /// By name: the column of a query, and the rest of it.
    pub queries: BTreeMap<String, (String, String)>,
}

/// A recording, and what outputs must show of it.
#[derive(Debug)]
pub struct Case {
    /// What the case is about.
    pub name: String,
    /// What the line `options` has: names and values.
    pub options: Vec<(String, String)>,
    /// The recording.
    pub files: Vec<RecordedFile>,
    /// The results.
    pub sections: Vec<Section>,
}

/// One file of a recording.
#[derive(Debug, Default)]
pub struct RecordedFile {
    /// What it contains.
    pub bytes: Vec<u8>,
    /// The core that the caller names.
    pub core: Option<u32>,
}

/// A result.
#[derive(Debug)]
pub struct Section {
    /// Its kind.
    pub kind: String,
    /// What follows the kind.
    pub words: Vec<String>,
    /// The lines after the head, as positions from 0.
    pub body: Range<usize>,
    /// These lines without indentation and comments.
    pub expected: Vec<String>,
}

impl Case {
    /// The recording as inputs.
    #[must_use]
    pub fn inputs(&self) -> Vec<Input<'_>> {
        let inputs = self.files.iter().map(|file| match file.core {
            Some(core) => Input::from_bytes("r", &file.bytes).on_core(core),
            None => Input::from_bytes("r", &file.bytes),
        });
        inputs.collect()
    }
}

impl Section {
    /// Returns the value of the word `name=value`.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }

    /// Keeps the lines that begin with the text after the word `of`, or have one of the texts after `lines`; all if there is
    /// neither word.
    #[must_use]
    pub fn choose<'l>(&self, lines: impl IntoIterator<Item = &'l str>) -> Vec<String> {
        let after = |name: &str| {
            let at = self.words.iter().position(|word| word == name)?;
            Some(&self.words[at + 1..])
        };
        let (begins, texts) = (after("of"), after("lines"));
        lines
            .into_iter()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .filter(|line| begins.is_none_or(|it| it.iter().any(|begin| line.starts_with(begin))))
            .filter(|line| texts.is_none_or(|it| it.iter().any(|text| line.contains(text))))
            .map(str::to_owned)
            .collect()
    }
}

/// Where lines go that begin with nothing special.
enum Place {
    Nowhere,
    Definition(String),
    Query(String),
    Recording,
    Result,
}

/// Lines of a recording that come again, each time later by some ticks.
struct Repeat {
    count: u64,
    every: u64,
    lines: Vec<(usize, String)>,
}

impl Repeat {
    /// Parses what follows the word `repeat`.
    fn parse(text: &str) -> Option<Self> {
        let (count, every) = text.split_once(" every ")?;
        Some(Self { count: count.parse().ok()?, every: every.parse().ok()?, lines: Vec::new() })
    }

    fn expanded(&self) -> impl Iterator<Item = (usize, String)> {
        (0..self.count).flat_map(move |round| {
            let one = move |(no, line): &(usize, String)| (*no, again(line, round, self.every));
            self.lines.iter().map(one)
        })
    }
}

/// The same line in a later round: with a later time, if it has one, and with the numbers of that round.
fn again(line: &str, round: u64, every: u64) -> String {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    let first = match first.parse::<u64>() {
        Ok(ts) => (ts + round * every).to_string(),
        Err(_) => first.to_owned(),
    };
    let words = rest.split(' ').map(|word| stepped(word, round).unwrap_or_else(|| word.to_owned()));
    std::iter::once(first).chain(words).collect::<Vec<_>>().join(" ")
}

/// Returns `name=11` for `name=5+2n` in round 3.
fn stepped(word: &str, round: u64) -> Option<String> {
    let (name, value) = word.split_once('=')?;
    let (first, step) = value.strip_suffix('n')?.split_once('+')?;
    let (first, step) = (first.parse::<u64>().ok()?, step.parse::<u64>().ok()?);
    Some(format!("{name}={}", first + step * round))
}

impl CaseFile {
    pub(super) fn parse(path: &Path, text: &str) -> Self {
        let mut file = Self::default();
        let mut definitions = BTreeMap::<String, Vec<u8>>::new();
        let mut place = Place::Nowhere;
        let mut repeats = Vec::<Repeat>::new();
        for (no, line) in text.lines().enumerate() {
            let line = line.trim();
            let mut lines = vec![(no, line.to_owned())];
            if !matches!(place, Place::Result) {
                if let Some(rest) = line.strip_prefix("repeat ") {
                    let repeat = Repeat::parse(rest);
                    repeats
                        .push(repeat.unwrap_or_else(|| panic!("not “repeat N every N”: {line}")));
                    continue;
                }
                if line == "end" {
                    lines = repeats.pop().expect("a repeat has begun").expanded().collect();
                }
            }
            if let Some(outer) = repeats.last_mut() {
                outer.lines.extend(lines);
                continue;
            }
            for (no, line) in lines {
                file.take(no, &line, &mut place, &mut definitions)
                    .unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), no + 1));
            }
        }
        assert!(repeats.is_empty(), "{}: a repeat has no end", path.display());
        file
    }

    fn take(
        &mut self,
        no: usize,
        line: &str,
        place: &mut Place,
        definitions: &mut BTreeMap<String, Vec<u8>>,
    ) -> Result<(), String> {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (first, &*place) {
            ("", Place::Recording) | ("#", _) => {}
            ("", _) => *place = Place::Nowhere,
            ("define", _) => *place = Place::Definition(rest.to_owned()),
            ("query", _) => {
                self.queries.insert(rest.to_owned(), Default::default());
                *place = Place::Query(rest.to_owned());
            }
            ("==", _) => {
                let files = vec![RecordedFile::default()];
                let (options, sections) = (Vec::new(), Vec::new());
                self.cases.push(Case { name: rest.to_owned(), options, files, sections });
                *place = Place::Recording;
            }
            ("--", _) => {
                let words = words(rest)?.into_iter().map(|word| String::from_utf8(word).unwrap());
                let mut words: Vec<String> = words.collect();
                let kind = words.remove(0);
                let (body, expected) = (no + 1..no + 1, Vec::new());
                self.case()?.sections.push(Section { kind, words, body, expected });
                *place = Place::Result;
            }
            (_, Place::Result) => {
                let section = self.case()?.sections.last_mut().ok_or("no result has begun")?;
                section.body.end = no + 1;
                section.expected.push(line.to_owned());
            }
            (_, Place::Query(name)) => {
                let query = self.queries.entry(name.clone()).or_default();
                let part = if query.0.is_empty() { &mut query.0 } else { &mut query.1 };
                part.push_str(line);
                part.push(' ');
            }
            ("options", Place::Recording) => {
                let all = rest.split(' ').filter_map(|word| word.split_once('='));
                let all = all.map(|(name, value)| (name.to_owned(), value.to_owned()));
                self.case()?.options.extend(all);
            }
            ("file", Place::Recording) => {
                let core = rest.strip_prefix("core=").map(str::parse::<u32>).transpose();
                let core = core.map_err(|error| error.to_string())?;
                let files = &mut self.case()?.files;
                if files.len() == 1 && files[0].bytes.is_empty() {
                    files.clear();
                }
                files.push(RecordedFile { bytes: Vec::new(), core });
            }
            (_, Place::Nowhere) => return Err(format!("outside of a case: {line}")),
            (_, at) => {
                let bytes = match first {
                    "use" => definitions.get(rest).ok_or("no such definition")?.clone(),
                    "raw" => rest
                        .split(' ')
                        .map(|byte| u8::from_str_radix(byte, 16).map_err(|it| it.to_string()))
                        .collect::<Result<_, _>>()?,
                    _ => event_line::frame(line)?,
                };
                let to = match at {
                    Place::Definition(name) => definitions.entry(name.clone()).or_default(),
                    _ => &mut self.case()?.files.last_mut().expect("a case has a file").bytes,
                };
                to.extend(bytes);
            }
        }
        Ok(())
    }

    fn case(&mut self) -> Result<&mut Case, &'static str> {
        self.cases.last_mut().ok_or("no case has begun")
    }
}
