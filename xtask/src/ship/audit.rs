//! `cargo xtask audit`: licences, sources and known vulnerabilities of all packages in the lock file, with cargo-deny.

use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::command::{run_quiet, run_with_output};
use crate::tool::Tool;

/// What a check without the database lacks.
const NOT_CHECKED: &str = "ADVISORIES WERE NOT CHECKED: their database cannot be had";

const DENY: Tool = Tool { name: "cargo-deny", version: "0.20.2", features: "" };

/// Checks them against `deny.toml`. If the database of advisories is not available it checks the rest, and reports that; if the
/// check must be `complete` it fails.
///
/// # Errors
/// A package violates a rule, or cargo-deny cannot be installed.
pub fn run(root: &Path, complete: bool) -> Result<()> {
    let program = DENY.find_or_install(root)?;
    audit(root, &program, complete, &mut io::stderr())
}

fn audit(root: &Path, program: &Path, complete: bool, output: &mut dyn Write) -> Result<()> {
    let deny = |args: &[&str]| {
        let mut command = Command::new(program);
        command.args(["deny", "--locked"]).args(args).current_dir(root);
        command
    };
    let fetched = run_quiet(&mut deny(&["fetch", "db"]));
    run_with_output(&mut deny(&["check", "licenses", "bans", "sources"]))?;
    match fetched {
        Ok(_) => run_with_output(&mut deny(&["check", "--disable-fetch", "advisories"])),
        Err(error) if complete => Err(error.context(NOT_CHECKED)),
        Err(error) => {
            writeln!(
                output,
                "{error:#}\n\n{NOT_CHECKED}. Run this again with a network before you release."
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

    /// Runs the audit with a cargo-deny that fails at some words. Returns its arguments, whether that is an error, and whether
    /// the report names an omitted check with its reason.
    fn run_audit(fails_at: &str, complete: bool) -> (bool, Vec<String>, bool) {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("cargo-deny");
        let script = format!(
            "#!/bin/sh\necho \"$*\" >> asked\n\
             case \"$*\" in *'{fails_at}'*) echo unreachable >&2; exit 1 ;; esac\n"
        );
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let mut output = Vec::new();
        let result = audit(folder.path(), &program, complete, &mut output);
        let output = String::from_utf8(output).unwrap();
        let is_loud =
            output.contains("ADVISORIES WERE NOT CHECKED") && output.contains("unreachable");
        assert!(is_loud || output.is_empty(), "{output}");
        let asked = fs::read_to_string(folder.path().join("asked")).unwrap();
        (result.is_ok(), asked.lines().map(str::to_owned).collect(), is_loud)
    }

    #[test]
    fn the_rest_is_checked_without_the_database() {
        let fetch = "deny --locked fetch db";
        let rest = "deny --locked check licenses bans sources";
        let advisories = "deny --locked check --disable-fetch advisories";
        let strings = |lines: &[&str]| lines.iter().map(|it| it.to_string()).collect::<Vec<_>>();
        assert_eq!(run_audit("nothing", false), (true, strings(&[fetch, rest, advisories]), false));
        assert_eq!(run_audit("fetch db", false), (true, strings(&[fetch, rest]), true));
        assert_eq!(run_audit("fetch db", true), (false, strings(&[fetch, rest]), false));
        assert_eq!(run_audit("bans", false), (false, strings(&[fetch, rest]), false));
        assert_eq!(
            run_audit("advisories", false),
            (false, strings(&[fetch, rest, advisories]), false)
        );
    }
}
