//! `config`: checks whether the macros of a configuration are known to tband.
//!
//! The compiler cannot check it: an unused macro is not an error, and the intended one has its default. With CMake the same
//! check runs at each configuration (`cmake/TbandConfig.cmake`).

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use anyhow::Context;
use tband_conv::counted;
use tband_report::printable::printable;
use tband_sources::SOURCES;

use crate::Outcome;
use crate::args::ConfigArgs;
use crate::output::print;
use crate::report::Report;
use crate::syntax::c::{Directive, directives, without_comments};

const PREFIXES: [&str; 2] = ["tband_config", "tband_port"];

/// Beginnings that are written for those of tband, in small letters.
const ALIKE: [(&str, &str); 8] = [
    ("configtband", "tband_config"),
    ("config_tband", "tband_config"),
    ("tbandconfig", "tband_config"),
    ("tband_config", "tband_config"),
    ("porttband", "tband_port"),
    ("port_tband", "tband_port"),
    ("tbandport", "tband_port"),
    ("tband_port", "tband_port"),
];

pub fn run(args: &ConfigArgs, report: &Report) -> anyhow::Result<Outcome> {
    let known = known();
    let (mut text, mut is_clean) = (String::new(), true);
    for path in &args.files {
        let source = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.display().to_string();
        let source = String::from_utf8_lossy(&source);
        is_clean &= look_at(&mut text, &printable(&name), &source, &known);
    }
    if !report.is_quiet() {
        print(text.as_bytes())?;
    }
    Ok(Outcome::of(is_clean))
}

/// The macros of tband, in the files that the compiler reads.
fn known() -> BTreeSet<&'static str> {
    SOURCES.iter().flat_map(|(_, text)| names(text)).collect()
}

/// A macro that tband does not have.
pub struct UnknownMacro {
    pub line: usize,
    pub name: String,
    pub value: String,
    /// The intended one, if one is similar.
    pub meant: Option<&'static str>,
}

/// Returns the unknown macros of tband that a text defines.
pub fn unknown(source: &str) -> Vec<UnknownMacro> {
    let known = known();
    let unknown = definitions(source).into_iter().filter(|it| !known.contains(it.name.as_str()));
    unknown
        .map(|Definition { line, name, value }| {
            let meant = find_intended(&name, &known);
            UnknownMacro { line, name, value, meant }
        })
        .collect()
}

/// Returns the known macro that is intended by an unknown name.
fn find_intended<'k>(name: &str, known: &BTreeSet<&'k str>) -> Option<&'k str> {
    nearest(find_similar(name).as_deref().unwrap_or(name), known)
}

/// Reports the faults of a file; returns true if there are none.
fn look_at(text: &mut String, name: &str, source: &str, known: &BTreeSet<&str>) -> bool {
    let (mut set, mut unknown) = (0, 0);
    for Definition { line: number, name: found, value } in definitions(source) {
        set += 1;
        if known.contains(found.as_str()) {
            continue;
        }
        unknown += 1;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}:{number}: {found} is not a macro of tband");
        let _ = match find_intended(&found, known) {
            Some(meant) => writeln!(text, "  do     #define {meant} {}", printable(&value)),
            None => writeln!(text, "  do     remove it; include/tband_config_defaults.h lists all"),
        };
    }
    let count = if unknown == 0 { "all known".to_owned() } else { format!("{unknown} unknown") };
    let _ = writeln!(text, "{name}: {} of tband, {count}", counted(set, "macro"));
    unknown == 0
}

/// A macro of tband that a text defines.
#[derive(Debug, PartialEq, Eq)]
struct Definition {
    /// Counted from 1.
    line: usize,
    name: String,
    /// With the parameters, if it has some.
    value: String,
}

/// Returns the macros of tband that a text defines.
fn definitions(source: &str) -> Vec<Definition> {
    let code = without_comments(source);
    let of_tband = |it: Directive<'_>| {
        let (name, value) = it.definition()?;
        let is_of_tband = names(name).next().is_some() || find_similar(name).is_some();
        let (name, value) = (name.to_owned(), value.trim().to_owned());
        is_of_tband.then_some(Definition { line: it.line, name, value })
    };
    directives(&code).filter_map(of_tband).collect()
}

/// All names in a text that could be macros of tband.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |byte: char| byte.is_ascii_alphanumeric() || byte == '_';
    text.split(move |byte| !is_part(byte)).filter(|word| {
        PREFIXES.iter().any(|prefix| {
            let rest = word.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()))
        })
    })
}

/// Returns the macro that a name resembles: one that begins like a macro of tband, except for an underscore, the order or small
/// letters. Include guards and the output of Kconfig have capitals only.
fn find_similar(name: &str) -> Option<String> {
    if names(name).next().is_some() || !name.contains(|byte: char| byte.is_ascii_lowercase()) {
        return None;
    }
    let small = name.to_ascii_lowercase();
    ALIKE.iter().find_map(|(wrong, right)| {
        let rest = small.strip_prefix(wrong)?.len();
        let rest = name.get(name.len() - rest..)?.trim_start_matches('_');
        rest.starts_with(|first: char| first.is_ascii_uppercase()).then(|| format!("{right}{rest}"))
    })
}

/// The name that begins and ends most like this one, if they have most in common.
fn nearest<'k>(name: &str, known: &BTreeSet<&'k str>) -> Option<&'k str> {
    let in_common = |other: &str| {
        let front = name.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        let back = name.bytes().rev().zip(other.bytes().rev());
        front + back.take_while(|(a, b)| a == b).count()
    };
    // The prefix alone is not specific enough.
    let least = name.len() * 2 / 3;
    known
        .iter()
        .copied()
        .filter(|other| in_common(other) >= least)
        .max_by_key(|other| (in_common(other), std::cmp::Reverse(other.len())))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn definitions_are_found_and_comments_are_none() {
        let source = "#define tband_configENABLE 1 /* on */\n\
                      /*\n#define tband_configA 1\n*/\n\
                      \t#  define tband_portB(x) f(x) // text\n\
                      #define OTHER tband_configC\n\
                      #define tband_config_own 1\n";
        let found = definitions(source);
        let found: Vec<_> =
            found.iter().map(|it| (it.line, it.name.as_str(), it.value.as_str())).collect();
        assert_eq!(found, [(1, "tband_configENABLE", "1"), (5, "tband_portB", "(x) f(x)")]);
        // A text has no comments, and a value may have several lines.
        let found = definitions("#define tband_portA \"/*\"\n#define tband_portB \\\n  2\n");
        let found: Vec<_> = found.iter().map(|it| (it.line, it.value.as_str())).collect();
        assert_eq!(found, [(1, "\"/*\""), (2, "2")]);
    }

    #[test]
    fn what_was_meant_is_found() {
        let known = known();
        for (wrong, right) in [
            ("tband_configFREERTOS_TRACE_ENABEL", "tband_configFREERTOS_TRACE_ENABLE"),
            ("tband_configENABLED", "tband_configENABLE"),
            ("tband_configMETADATA_BUFFER_SIZE", "tband_configMETADATA_BUF_SIZE"),
            ("tband_configSNAPSHOT_BUF_SIZE", "tband_configBACKEND_SNAPSHOT_BUF_SIZE"),
            ("tband_portTIMESTAMP_FREQ_HZ", "tband_portTIMESTAMP_FREQUENCY_HZ"),
            ("tband_portTIMESTAMP_STRAT", "tband_portTIMESTAMP_START"),
        ] {
            assert_eq!(nearest(wrong, &known), Some(right));
        }
        assert_eq!(nearest("tband_configSOMETHING_ELSE", &known), None);
        for (wrong, right) in [
            ("configTBAND_ENABLE", Some("tband_configENABLE")),
            ("config_tband_ENABLE", Some("tband_configENABLE")),
            ("tbandconfigENABLE", Some("tband_configENABLE")),
            ("tband_config_ENABLE", Some("tband_configENABLE")),
            ("TBAND_configENABLE", Some("tband_configENABLE")),
            ("tband_CONFIG_ENABLE", Some("tband_configENABLE")),
            ("portTBAND_TIMESTAMP", Some("tband_portTIMESTAMP")),
            ("tband_configENABLE", None),
            ("tband_config_own", None),
            ("TBAND_CONFIG_H", None),
            ("CONFIG_TBAND_ENABLE", None),
            ("configTICK_RATE_HZ", None),
            ("tbandé", None),
        ] {
            assert_eq!(find_similar(wrong).as_deref(), right, "{wrong}");
        }
    }

    /// No file of the target's sources has a macro that is not known here.
    #[test]
    fn every_macro_of_the_sources_is_known() {
        let known = known();
        let mut folders: Vec<_> = ["include", "port", "freertos-hooks"]
            .map(|name| Path::new(tband_sources::FOLDER).join(name))
            .into();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "h" || it == "c") {
                    let text = fs::read_to_string(&path).unwrap();
                    for name in names(&text) {
                        // For example TRACE_..._ENABLE, where a text cuts the name off.
                        let is_cut = name.ends_with('_');
                        assert!(is_cut || known.contains(name), "{name} in {}", path.display());
                    }
                }
            }
        }
    }
}
