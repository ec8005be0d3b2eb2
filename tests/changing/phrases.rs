//! Counts phrases that a reader has to read twice, in documents, comments, messages and help texts. A phrase may be right in its
//! place, so only the sum is limited.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;
use tband_tests::root;
use xtask::command::run_quiet;

/// Phrases for 100 000 words in the texts that users read, and in all texts.
const FOR_USERS: usize = 60;
const EVERYWHERE: usize = 80;

/// A string of a program is a text if it has this many bytes.
const LEAST_TEXT: usize = 25;

/// Each phrase as a regular expression, without regard to case.
const PHRASES: [(&str, &str); 14] = [
    (
        "a clause with \"what\" in place of a noun",
        r"\bwhat (is|was|has|had|comes|came|of|they (are|have)|it (is|was|has|had|does))\b",
    ),
    ("a thing that says something", r"\b(says|said)\b"),
    ("nobody, somebody", r"\b(nobody|somebody|whoever)\b"),
    (
        "who, without a person",
        r"\bwho (takes|reads|records|writes|waits|makes|has|wants|asks|calls|moves|looks)\b",
    ),
    (
        "goes on, lies, comes to",
        r"\b(goes|go|went) on\b|\bstands?\b|\blies\b|\b(comes|come|came) to\b",
    ),
    ("anew, meanwhile, mostly, besides", r"\b(anew|meanwhile|mostly|besides)\b"),
    ("there is no, by \"is no\"", r"\b(is|are|was|were) no [a-z]+|\bno more than\b|\bof none\b"),
    ("a clause after a preposition", r", (of|to|in|by|with) (which|whom|whose)\b"),
    (
        "a sentence without a verb",
        r"(?m)(^|[.!?] )(of (a|an|the|all|one|each|several|which)|as (with|in|of|where)|the same (of|for|with|in|as)|so (are|is|does|do)|nor|else)\b",
    ),
    ("it is ... that", r"\bit is [a-z ]{3,40} that\b"),
    (
        "is told, obeys",
        r"\b(is|are|be|was|were) told\b|\btells? (of|by)\b|\bforetold\b|\bobey(s|ed)?\b",
    ),
    ("a turn of a timer", r"\b(a|each|another|one) turn\b|\bturn(s|ed)? over\b"),
    ("of its own", r"\b(by|of) itself\b|\bof (its|their|your|one's) own\b"),
    ("in vain, thereof", r"\bin vain\b|\bthere(of|in|upon)\b"),
];

/// These are usual: "is no longer".
const USUAL: [&str; 3] = ["longer", "more", "such"];

/// Folders and files whose text is not the project's.
const FOREIGN: [&str; 4] = ["licenses/", "LICENSE", "NOTICES", "golden"];

/// What users read.
const USER_TEXTS: [&str; 6] =
    ["README.md", "CHANGELOG.md", "docs/src/", "include/", "host-cli/src/", "tband-report/src/"];

/// The comments, and the strings that are long enough for a text.
fn text_of_code(code: &str) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        let from = &rest[at..];
        let (taken, piece) = if from.starts_with("//") {
            let end = from.find('\n').unwrap_or(from.len());
            (end, from[2..end].trim_start_matches(['/', '!']))
        } else if from.starts_with("/*") {
            let end = from.find("*/").unwrap_or(from.len());
            (end, &from[2..end])
        } else if from.starts_with("'\"'") || from.starts_with("'\\\"'") {
            (if from.starts_with("'\\") { 4 } else { 3 }, "")
        } else if let Some(inside) = from.strip_prefix('"') {
            let end = end_of_string(inside);
            (end + 2, if end >= LEAST_TEXT { &inside[..end] } else { "" })
        } else {
            (1, "")
        };
        if !piece.is_empty() {
            text.push_str(piece);
            text.push('\n');
        }
        rest = from.get(taken..).unwrap_or_default();
    }
    text
}

/// Where a string ends, from the byte after its quote on.
fn end_of_string(inside: &str) -> usize {
    let mut is_escaped = false;
    let end = inside.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.unwrap_or(inside.len())
}

/// Markdown without its blocks of code.
fn text_of_page(page: &str) -> String {
    page.split("```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// Comments of a script or of a list of settings.
fn text_of_script(script: &str) -> String {
    let comments = script.lines().filter_map(|line| line.split_once('#'));
    comments.map(|(_, comment)| comment).collect::<Vec<_>>().join("\n")
}

/// The text of a file, or `None` if it has none that counts.
fn text_of(name: &str, content: &str) -> Option<String> {
    if FOREIGN.iter().any(|it| name.contains(it)) {
        return None;
    }
    match Path::new(name).extension()?.to_str()? {
        "rs" | "c" | "h" | "js" => Some(text_of_code(content)),
        "md" | "html" => Some(text_of_page(content)),
        "py" | "cmake" | "toml" => Some(text_of_script(content)),
        _ => None,
    }
}

/// Numbers of words and of phrases.
#[derive(Clone, Copy, Default)]
struct Count {
    words: usize,
    phrases: usize,
}

impl Count {
    fn per_100_000(self) -> usize {
        (self.phrases * 100_000).div_ceil(self.words.max(1))
    }
}

fn expressions() -> Vec<(&'static str, Regex)> {
    PHRASES
        .iter()
        .map(|(name, text)| (*name, Regex::new(&format!("(?i){text}")).unwrap()))
        .collect()
}

/// The phrases of a text, each with its name.
fn phrases<'t>(
    text: &'t str,
    expressions: &[(&'static str, Regex)],
) -> Vec<(&'static str, &'t str)> {
    let mut found = Vec::new();
    for (name, expression) in expressions {
        let all = expression.find_iter(text).map(|it| it.as_str());
        let counted = all.filter(|it| !USUAL.iter().any(|usual| it.ends_with(usual)));
        found.extend(counted.map(|it| (*name, it)));
    }
    found
}

/// Counts all files that `is_counted` selects. Returns the sum, and the files with the most phrases.
fn count(is_counted: impl Fn(&str) -> bool) -> (Count, String) {
    let mut list = Command::new("git");
    let list = run_quiet(list.args(["ls-files", "-z"]).current_dir(root())).expect("git");
    let expressions = expressions();
    let (mut sum, mut files) = (Count::default(), Vec::new());
    let mut names = BTreeMap::<&str, usize>::new();
    for name in
        String::from_utf8(list.stdout).expect("names").split('\0').filter(|it| is_counted(it))
    {
        // Pictures, and files that were removed.
        let Ok(content) = fs::read_to_string(root().join(name)) else { continue };
        let Some(text) = text_of(name, &content) else { continue };
        let found = phrases(&text, &expressions);
        sum.words += text.split_whitespace().count();
        sum.phrases += found.len();
        found.iter().for_each(|(name, _)| *names.entry(name).or_default() += 1);
        files.push((found.len(), name.to_owned()));
    }
    files.sort();
    let worst = files.iter().rev().take(20).map(|(count, name)| format!("{count:5}  {name}\n"));
    let names = names.iter().map(|(name, count)| format!("{count:5}  {name}\n"));
    (sum, worst.chain(names).collect())
}

fn assert_below(limit: usize, is_counted: impl Fn(&str) -> bool) {
    let (sum, worst) = count(is_counted);
    let Count { words, phrases } = sum;
    assert!(words > 50_000, "{words} words only");
    let rate = sum.per_100_000();
    println!("{phrases} phrases in {words} words: {rate} for 100 000 words");
    assert!(rate < limit, "{rate} phrases for 100 000 words, the limit is {limit}:\n{worst}");
}

#[test]
fn user_texts_are_below_their_limit() {
    assert_below(FOR_USERS, |name| USER_TEXTS.iter().any(|it| name.starts_with(it)));
}

#[test]
fn texts_are_below_their_limit_of_phrases() {
    assert_below(EVERYWHERE, |_| true);
}

/// Proves that the counter sees the texts of each kind of file, and not the code.
#[test]
fn texts_are_found_and_code_is_not() {
    let code = "let said = '\"'; // what is said\nprint(\"nobody\");\nfail(\"the sentence \\\"goes on\\\" for long\");\n/* of its own */";
    let text = text_of("a.rs", code).expect("code");
    let expressions = expressions();
    let found: Vec<_> = phrases(&text, &expressions).iter().map(|(_, text)| *text).collect();
    assert_eq!(found, ["what is", "said", "goes on", "of its own"]);
    let page = text_of("a.md", "It is no longer so. It is no file.\n```\nnobody\n```\nanew")
        .expect("a page");
    let found: Vec<_> = phrases(&page, &expressions).iter().map(|(_, text)| *text).collect();
    assert_eq!(found, ["anew", "is no file"]);
    assert_eq!(text_of("a.toml", "said = 1 # besides").as_deref(), Some(" besides"));
    assert!(text_of("licenses/a.md", "anew").is_none() && text_of("a.bin", "anew").is_none());
}
