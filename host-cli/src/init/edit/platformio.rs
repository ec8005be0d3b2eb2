//! `platformio.ini`: the library, and the folder of its configuration.

use std::collections::BTreeMap;

use super::Outcome;
use crate::init::project::Project;
use crate::init::text::Text;
use crate::syntax::steps;

pub fn edit(project: &Project<'_>, text: Text) -> Outcome {
    edited(&project.dir, &project.config_dir, text)
}

/// Adds these folders.
fn edited(dir: &str, config: &str, mut text: Text) -> Outcome {
    let is_code = |it: &str| !it.trim_start().starts_with([';', '#']);
    let library = format!("symlink://{dir}");
    if text.lines().any(|it| is_code(it) && it.contains(&library)) {
        return Outcome::Complete;
    }
    if dir.contains(' ') {
        return Outcome::ByHand(format!(
            "PlatformIO's options have no names with spaces. Name another --dir, then add lib_deps = symlink://{dir} and \
             build_flags = -I{config}"
        ));
    }
    let settings = [("lib_deps", library), ("build_flags", format!("-I{config}"))];
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let sections = Sections::of(&lines);
    let mut additions: Vec<(usize, String)> = Vec::new();
    for section in sections.all.iter().filter(|it| it.head.starts_with("[env:")) {
        // After the values of options that the section has: the last one may end where new options begin.
        let mut new = Vec::new();
        for (name, value) in &settings {
            // Values may continue in indented lines.
            if let Some(at) = section.options.get(name) {
                additions.push((at + 1, format!("  {value}")));
                continue;
            }
            let inherited = match sections.inherited(section, name) {
                Ok(InheritedOption::Of(Some(parent))) => format!("${{{parent}.{name}}} "),
                Ok(InheritedOption::Of(None)) => String::new(),
                Ok(InheritedOption::Changed) => continue,
                Err(UnclearSection) => {
                    return Outcome::ByHand(format!(
                        "{} extends several sections, or one that extends others: add lib_deps = symlink://{dir} and \
                         build_flags = -I{config} to those that it has",
                        section.head
                    ));
                }
            };
            new.push((section.end, format!("{name} = {inherited}{value}")));
        }
        additions.extend(new);
    }
    if additions.is_empty() {
        return Outcome::ByHand(format!(
            "it has no [env:...]: add lib_deps = symlink://{dir} and build_flags = -I{config}"
        ));
    }
    text.insert_all(additions);
    Outcome::Edited(text)
}

/// A section of the file.
#[derive(Debug)]
struct Section<'l> {
    /// Its first line, such as `[env:board]`.
    head: &'l str,
    /// The lines of its options, counted from 0.
    options: BTreeMap<&'l str, usize>,
    /// The sections that it extends.
    parents: Vec<String>,
    /// The line after its last line that is not empty.
    end: usize,
}

/// The sections of a file.
#[derive(Debug)]
struct Sections<'l> {
    all: Vec<Section<'l>>,
    /// The first section of each head.
    by_head: BTreeMap<&'l str, usize>,
}

/// Where a section has an option from that it does not set itself.
enum InheritedOption {
    /// A section with the option, if one has it.
    Of(Option<String>),
    /// A section that gets the lines itself.
    Changed,
}

/// The section of an option cannot be determined.
struct UnclearSection;

/// An option's name and the beginning of its value in a line.
fn option(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t', ';', '#', '[']) {
        return None;
    }
    line.split_once('=').map(|(name, value)| (name.trim(), value.trim()))
}

impl<'l> Sections<'l> {
    fn of(lines: &'l [String]) -> Self {
        let mut sections = Self { all: Vec::new(), by_head: BTreeMap::new() };
        // A line of the value of `extends` is read.
        let mut is_parent = false;
        for (at, line) in lines.iter().enumerate() {
            steps::count(1);
            if line.trim_start().starts_with('[') {
                let head = line.trim();
                sections.by_head.entry(head).or_insert(sections.all.len());
                let (options, parents) = (BTreeMap::new(), Vec::new());
                sections.all.push(Section { head, options, parents, end: at + 1 });
                is_parent = false;
                continue;
            }
            let Some(section) = sections.all.last_mut() else { continue };
            if !line.trim().is_empty() {
                section.end = at + 1;
            }
            let option = option(line);
            if let Some((name, _)) = option {
                is_parent = name == "extends" && !section.options.contains_key(name);
                section.options.entry(name).or_insert(at);
            }
            is_parent &= option.is_some() || line.starts_with([' ', '\t']);
            if is_parent {
                let value = option.map_or(line.as_str(), |it| it.1);
                let value = value.split([';', '#']).next().unwrap_or_default();
                let names = value.split(',').map(|it| it.trim().to_owned());
                section.parents.extend(names.filter(|it| !it.is_empty()));
            }
        }
        sections
    }

    /// The first section of this name.
    fn named(&self, name: &str) -> Option<&Section<'l>> {
        let at = self.by_head.get(format!("[{name}]").as_str())?;
        self.all.get(*at)
    }

    /// Returns where a section has an option from that it does not set.
    fn inherited(&self, own: &Section<'_>, name: &str) -> Result<InheritedOption, UnclearSection> {
        let of = |parent: &str| {
            let has = |it: &Section<'_>| it.options.contains_key(name);
            self.named(parent).is_some_and(has).then(|| parent.to_owned())
        };
        match own.parents.as_slice() {
            [] => Ok(InheritedOption::Of(of("env"))),
            [parent] if parent.starts_with("env:") && self.named(parent).is_some() => {
                Ok(InheritedOption::Changed)
            }
            [parent] => match of(parent) {
                Some(it) => Ok(InheritedOption::Of(Some(it))),
                // The parent may have it from another one, or another file.
                None if self.named(parent).is_none_or(|it| !it.parents.is_empty()) => {
                    Err(UnclearSection)
                }
                None => Ok(InheritedOption::Of(of("env"))),
            },
            _ => Err(UnclearSection),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_options_and_parents() {
        let text = "a = 1\n[env]\nlib_deps = x\n[env:b]\nextends = env:a, common ; no\n  more\nflags = 2\n\n[env:b]\n";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let sections = Sections::of(&lines);
        let found = sections.named("env:b").unwrap();
        assert_eq!((found.parents.join(" "), found.end), ("env:a common more".to_owned(), 7));
        assert_eq!(found.options, BTreeMap::from([("extends", 4), ("flags", 6)]));
        assert_eq!((sections.all.len(), sections.named("a").is_none()), (3, true));
    }

    #[test]
    fn a_value_stays_with_its_option() {
        for (before, after) in [
            ("build_flags = -O2", "build_flags = -O2\n  -Ic\nlib_deps = symlink://t\n"),
            ("lib_deps = x", "lib_deps = x\n  symlink://t\nbuild_flags = -Ic\n"),
            ("", "lib_deps = symlink://t\nbuild_flags = -Ic\n\n"),
        ] {
            let text = Text::of(format!("[env:a]\n{before}\n").as_bytes()).unwrap();
            let Outcome::Edited(text) = edited("t", "c", text) else { panic!("not edited") };
            assert_eq!(text.whole(), format!("[env:a]\n{after}"));
        }
    }

    #[test]
    fn a_long_file_is_edited_in_proportion() {
        steps::assert_linear(|size| {
            let section = |it: usize| format!("[env:e{it}]\nextends = common{it}\n[common{it}]\n");
            let text: String = (0..size).map(section).collect();
            let text = Text::of(text.as_bytes()).unwrap();
            let Outcome::Edited(text) = edited("tband", "tband-config", text) else {
                panic!("not edited")
            };
            assert_eq!(text.len(), 5 * size);
        });
    }
}
