//! `cargo xtask audit`: licences, sources and known vulnerabilities of all packages in the lock file, with cargo-deny.

use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::command::{run_quiet, run_shown};
use crate::tool::Tool;

const DENY: Tool = Tool { name: "cargo-deny", version: "0.20.2", features: "" };

/// Checks them as `deny.toml` says. Where the database of advisories cannot be had it says so, and checks the rest.
///
/// # Errors
/// A package is not as it should be, or cargo-deny is not installed; the text has the command that installs it.
pub fn run(root: &Path) -> Result<()> {
    let program = DENY.find(root)?;
    audit(root, &program, &mut io::stderr())
}

fn audit(root: &Path, program: &Path, said: &mut dyn Write) -> Result<()> {
    let deny = |args: &[&str]| {
        let mut command = Command::new(program);
        command.args(["deny", "--locked"]).args(args).current_dir(root);
        command
    };
    let fetched = run_quiet(&mut deny(&["fetch", "db"]));
    run_shown(&mut deny(&["check", "licenses", "bans", "sources"]))?;
    match fetched {
        Ok(_) => run_shown(&mut deny(&["check", "--disable-fetch", "advisories"])),
        Err(error) => {
            writeln!(
                said,
                "{error:#}\n\nADVISORIES WERE NOT CHECKED: their database cannot be had. \
                 Run this again with a network before you release."
            )?;
            Ok(())
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// What is asked of a cargo-deny that fails at some words, whether that is an error, and whether it is said that
    /// something was not checked, with why.
    fn asked(fails_at: &str) -> (bool, Vec<String>, bool) {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("cargo-deny");
        let script = format!(
            "#!/bin/sh\necho \"$*\" >> asked\n\
             case \"$*\" in *'{fails_at}'*) echo unreachable >&2; exit 1 ;; esac\n"
        );
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let mut said = Vec::new();
        let result = audit(folder.path(), &program, &mut said);
        let said = String::from_utf8(said).unwrap();
        let is_loud = said.contains("ADVISORIES WERE NOT CHECKED") && said.contains("unreachable");
        assert!(is_loud || said.is_empty(), "{said}");
        let asked = fs::read_to_string(folder.path().join("asked")).unwrap();
        (result.is_ok(), asked.lines().map(str::to_owned).collect(), is_loud)
    }

    #[test]
    fn the_rest_is_checked_without_the_database() {
        let fetch = "deny --locked fetch db";
        let rest = "deny --locked check licenses bans sources";
        let advisories = "deny --locked check --disable-fetch advisories";
        let strings = |lines: &[&str]| lines.iter().map(|it| it.to_string()).collect::<Vec<_>>();
        assert_eq!(asked("nothing"), (true, strings(&[fetch, rest, advisories]), false));
        assert_eq!(asked("fetch db"), (true, strings(&[fetch, rest]), true));
        assert_eq!(asked("bans"), (false, strings(&[fetch, rest]), false));
        assert_eq!(asked("advisories"), (false, strings(&[fetch, rest, advisories]), false));
    }
}
