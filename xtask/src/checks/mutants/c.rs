//! Mutants of the C code, from a list, in a copy of the tree.
//!
//! The list has blocks: `== FILE`, then for each mutant `- CODE`, `+ INSTEAD` and `? TEST FILTER...`, the tests that should
//! notice. The code is in the file just once. A mutant that does not compile or link proves nothing: it is an error of the
//! list.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::equivalent::Equivalent;
use super::{Options, Outcome, TestResult, run_tests};
use crate::setup::{self, Purpose};
use crate::tree;

const FILE: &str = "tests/mutants/c.txt";

#[derive(Clone, Debug, PartialEq, Eq)]
struct Mutant {
    file: String,
    code: String,
    instead: String,
    test: String,
}

/// Creates each mutant and runs its tests.
pub fn run(root: &Path, folder: &Path, options: &Options) -> Result<Outcome> {
    let text = fs::read_to_string(root.join(FILE)).context(FILE)?;
    let mut mutants = parse(&text)?;
    if let Some(shard) = &options.shard {
        let (which, of) = numbers(shard)?;
        let mut index = 0;
        mutants.retain(|_| {
            index += 1;
            (index - 1) % of == which
        });
    }
    if let Some(diff) = &options.in_diff {
        let diff = fs::read_to_string(diff).with_context(|| diff.display().to_string())?;
        mutants.retain(|mutant| diff.contains(&format!("+++ b/{}\n", mutant.file)));
    }
    let mut outcome = Outcome::default();
    if mutants.is_empty() {
        return Ok(outcome);
    }
    setup::run(Purpose::Tests)?;
    let tree = folder.join("tree");
    tree::copy(root, &tree)?;
    for test in mutants.iter().map(|mutant| &mutant.test).collect::<BTreeSet<_>>() {
        eprintln!("as it is: {test}");
        if let TestResult::Failed(output) = run_tests(&tree, &arguments(test))? {
            bail!("the tests fail as they are: {test}\n{output}");
        }
    }
    let mut no_programs = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let path = tree.join(&mutant.file);
        let source = fs::read_to_string(&path).with_context(|| mutant.file.clone())?;
        let found = source.matches(&mutant.code).count();
        ensure!(found == 1, "{FILE}: {} has {found} times: {}", mutant.file, mutant.code);
        fs::write(&path, source.replacen(&mutant.code, &mutant.instead, 1))?;
        let ran = run_tests(&tree, &arguments(&mutant.test));
        fs::write(&path, &source)?;
        let change = mutant.named().change;
        let output = match ran? {
            TestResult::Passed => {
                outcome.missed.push(mutant.named());
                "MISSED"
            }
            TestResult::Failed(output) => {
                if let Some(error) = build_error(&output) {
                    no_programs.push(format!("{change}\n    {error}"));
                    "NO PROGRAM"
                } else {
                    outcome.caught += 1;
                    "caught"
                }
            }
        };
        eprintln!("{}/{} {output} {change}", number + 1, mutants.len());
    }
    ensure!(no_programs.is_empty(), "{FILE}: these do not compile:\n{}", no_programs.join("\n"));
    Ok(outcome)
}

impl Mutant {
    fn named(&self) -> Equivalent {
        Equivalent {
            change: format!("{}: put {}", self.file, self.instead),
            line: self.code.lines().next().unwrap_or_default().trim().to_owned(),
        }
    }
}

fn arguments(test: &str) -> Vec<&str> {
    let mut words = test.split(' ');
    let program = words.next().unwrap_or_default();
    ["--test", program, "--"].into_iter().chain(words).collect()
}

/// Returns the line of a failed test's output with which a C compiler or linker reports that the program was not built.
fn build_error(output: &str) -> Option<&str> {
    output.lines().map(str::trim).find(|line| {
        let from_compiler = line.split_once(" error: ").is_some_and(|(place, _)| {
            let place = place.trim_end_matches(" fatal").trim_end_matches(':');
            // A file, a line and a column.
            let mut numbers = place.rsplit(':').take(2);
            place.contains(['/', '.']) && numbers.all(|number| number.parse::<u32>().is_ok())
        });
        from_compiler || (line.starts_with("collect2: error:") && line.contains("ld returned"))
    })
}

/// `which/of`, counted from 0 as cargo-mutants does.
fn numbers(shard: &str) -> Result<(usize, usize)> {
    let parsed = shard.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match parsed {
        Some((which, of)) if which < of => Ok((which, of)),
        _ => bail!("{shard} is not K/N with K below N"),
    }
}

fn parse(text: &str) -> Result<Vec<Mutant>> {
    let (mut file, mut code, mut instead) = (String::new(), Vec::new(), Vec::new());
    let mut mutants = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix("== ") {
            file = name.to_owned();
        } else if let Some(line) = line.strip_prefix("- ") {
            code.push(line);
        } else if let Some(line) = line.strip_prefix('+') {
            instead.push(line.strip_prefix(' ').unwrap_or(line));
        } else if let Some(test) = line.strip_prefix("? ") {
            ensure!(!file.is_empty() && !code.is_empty(), "{FILE}: nothing to change: {line}");
            mutants.push(Mutant {
                file: file.clone(),
                code: code.join("\n"),
                instead: instead.join("\n"),
                test: test.to_owned(),
            });
            (code, instead) = (Vec::new(), Vec::new());
        } else {
            bail!("{FILE}: unknown line: {line}");
        }
    }
    ensure!(code.is_empty() && instead.is_empty(), "{FILE}: no tests for the last one");
    Ok(mutants)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Checks that each mutant of the list changes existing code, in one place.
    #[test]
    fn the_list_is_of_code_that_is_there() {
        let root = crate::workspace_root();
        let mutants = parse(&fs::read_to_string(root.join(FILE)).unwrap()).unwrap();
        assert!(mutants.len() > 20);
        for mutant in mutants {
            let source = fs::read_to_string(root.join(&mutant.file)).unwrap();
            assert_eq!(source.matches(&mutant.code).count(), 1, "{}: {}", mutant.file, mutant.code);
            assert_ne!(mutant.code, mutant.instead);
        }
    }

    /// Returns a compiler's messages about C code in a separate file.
    fn compiled(code: &str, args: &[&str]) -> String {
        let folder = std::env::temp_dir().join(format!("tband-no-program-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("mutant.c"), code).unwrap();
        let mut cc = Command::new("cc");
        cc.args(args).args(["mutant.c", "-o", "mutant"]).current_dir(&folder);
        let output = tband_programs::output(&mut cc).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert!(!output.status.success(), "{code}");
        String::from_utf8(output.stderr).unwrap()
    }

    #[test]
    fn build_errors_are_distinguished_from_failed_tests() {
        for (code, args, reported) in [
            ("int main(void) { return missing; }", &[][..], "error: "),
            ("#include \"missing.h\"", &["-c"], "fatal error: "),
            ("_Static_assert(0, \"no\");", &["-c"], "static assertion failed"),
            ("int missing(void); int main(void) { return missing(); }", &[], "ld returned"),
        ] {
            let output =
                format!("thread 'x' panicked at x.rs:1:2:\nfailed: cc\n{}", compiled(code, args));
            let found = build_error(&output);
            assert!(found.is_some_and(|line| line.contains(reported)), "{found:?} in {output}");
        }
        let output = "thread 'x' panicked at tests/c_abi/plain.rs:12:5:\n\
                    assertion `left == right` failed\n  left: \"error: 1\"\n right: []\n\
                    error: test failed, to rerun pass `--test c_abi`\n\
                    a.c:3:4: warning: no error: here\n";
        assert_eq!(build_error(output), None);
    }

    #[test]
    fn shards_are_counted_from_0() {
        assert_eq!(numbers("0/3").unwrap(), (0, 3));
        assert!(numbers("3/3").is_err() && numbers("1").is_err());
    }
}
