//! A program that is given to explain a recording: its identity, and its facts.

use std::fmt;

use super::formats::{Format, Formats};
use super::symbol::ProgramSymbol;

/// Known facts about a program's identity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramId {
    /// A hash of the linked program, which its build put into it: `@` and eleven hexadecimal digits, fewer if the recorder's longest text
    /// is shorter.
    pub identity: Option<String>,
    /// The first eight bytes of the build id that its linker gave it, the foremost one on top.
    pub build: Option<u64>,
    /// The name of the build, `tband_configBUILD_ID`, as far as recordings of the program have it.
    pub name: Option<String>,
}

impl ProgramId {
    /// Whether the facts of both show that the recording is of another program than this one.
    #[must_use]
    pub fn is_of_other_program(&self, recording: &Self) -> bool {
        if let (Some(identity), Some(recorded)) = (&self.identity, &recording.identity) {
            // The recorder's longest text may be shorter.
            return !identity.starts_with(recorded);
        }
        if let (Some(build), Some(recorded)) = (self.build, recording.build) {
            return build != recorded;
        }
        match (&self.name, &recording.name) {
            (Some(name), Some(recorded)) => name != recorded,
            _ => false,
        }
    }
}

/// Whether the text of a `build_id` is the identity of a program, and no name of a build.
#[must_use]
pub fn is_identity(text: &[u8]) -> bool {
    text.strip_prefix(b"@").is_some_and(|digits| {
        (1..=11).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit)
    })
}

/// A build id of the halves that events have.
pub(crate) fn build_of(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// A program that is given, and its formats.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoadedProgram {
    pub id: Option<ProgramId>,
    /// By the known facts, another program has made the recording.
    pub is_another: bool,
    pub formats: Formats,
}

impl LoadedProgram {
    /// The recording is of this one. Whether the given one is another.
    pub fn compare(&mut self, recording: &ProgramId) -> bool {
        self.is_another = self.id.as_ref().is_some_and(|it| it.is_of_other_program(recording));
        self.is_another
    }

    /// The format at an address, unless it is another program's.
    pub fn format(&self, at: u32) -> Option<Format<'_>> {
        if self.is_another { None } else { self.formats.get(at) }
    }
}

/// A program's facts about its recordings: formats of records and names by their addresses, places of crashes by pc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgramFacts<'g> {
    pub formats: &'g [(u32, Vec<u8>)],
    pub symbols: &'g [ProgramSymbol],
    pub crash_places: &'g [(u32, Vec<String>)],
}

impl ProgramFacts<'_> {
    /// There are none.
    pub const fn is_empty(&self) -> bool {
        self.formats.is_empty() && self.symbols.is_empty() && self.crash_places.is_empty()
    }
}

impl fmt::Display for ProgramId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let identity = self.identity.as_ref().map(|identity| format!("program {identity}"));
        let build = self.build.map(|build| format!("build id {build:016x}"));
        let facts: Vec<_> = [identity, build, self.name.clone()].into_iter().flatten().collect();
        if facts.is_empty() { f.write_str("no build id") } else { f.write_str(&facts.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_both_say_shows_another_program() {
        let of = |build, name: &str| ProgramId {
            identity: None,
            build,
            name: (!name.is_empty()).then(|| name.to_owned()),
        };
        for (program, recording, is_other) in [
            (of(None, ""), of(None, ""), false),
            (of(Some(1), ""), of(None, "a"), false),
            (of(Some(1), ""), of(Some(1), ""), false),
            (of(Some(1), ""), of(Some(2), ""), true),
            // The build id counts: names may be the same for all builds.
            (of(Some(1), "a"), of(Some(2), "a"), true),
            (of(Some(1), "a"), of(Some(1), "b"), false),
            (of(None, "v1.2"), of(Some(2), "v1.3"), true),
            (of(None, "v1.10"), of(None, "v1.1"), true),
            (of(None, "v1.2-dirty"), of(None, "v1.2"), true),
            (of(None, "v1.2"), of(None, "v1.2-dirty"), true),
        ] {
            assert_eq!(program.is_of_other_program(&recording), is_other, "{program} {recording}");
        }
    }

    #[test]
    fn identity_decides_where_both_have_one() {
        let of = |identity: &str, name: &str| ProgramId {
            identity: (!identity.is_empty()).then(|| identity.to_owned()),
            build: None,
            name: Some(name.to_owned()),
        };
        assert!(of("@0123456789a", "v1").is_of_other_program(&of("@0123456789b", "v1")));
        assert!(!of("@0123456789a", "v1").is_of_other_program(&of("@0123456789a", "v2")));
        assert!(!of("@0123456789a", "v1").is_of_other_program(&of("@0123", "v1")));
        assert!(of("@0123456789a", "v1").is_of_other_program(&of("", "v2")));
        assert!(!of("@0123456789a", "v1").is_of_other_program(&of("", "v1")));
    }

    #[test]
    fn recognises_program_identities() {
        for (text, is) in [
            ("@0123456789a", true),
            ("@0", true),
            ("@", false),
            ("0123456789ab", false),
            ("@0123456789ab", false),
            ("@main", false),
            ("", false),
        ] {
            assert_eq!(is_identity(text.as_bytes()), is, "{text}");
        }
    }
}
