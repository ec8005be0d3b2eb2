//! The commands in texts for contributors, and in workflows, are those that xtask has.

use std::process::Command;

use tband_programs::output;
use xtask::oldest_rust::OLDEST;

use super::{files, read, workflows};

/// Texts with commands.
const TEXTS: [&str; 5] = [
    "CONTRIBUTING.md",
    "SECURITY.md",
    "README.md",
    "docs/src/reference/versions.md",
    ".github/pull_request_template.md",
];

/// The arguments of each `cargo xtask` in a text: to the end of its span, line or folded block.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, start) in text.match_indices("cargo xtask ") {
        let mut lines = text[at + start.len()..].lines();
        let mut command = lines.next().unwrap_or_default().split('`').next().unwrap().to_owned();
        for line in lines.take_while(|line| line.trim_start().starts_with("--")) {
            command.push(' ');
            command.push_str(line);
        }
        let words = command.split('#').next().unwrap().split_whitespace();
        let words = words.take_while(|word| *word != "--");
        found.push(words.map(|word| word.trim_matches('"').to_owned()).collect());
    }
    found
}

/// Whether xtask takes these arguments: the command prints its help after it has checked the arguments in front of it.
fn is_taken(args: &[String]) -> bool {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    output(xtask.args(args).arg("--help")).expect("xtask").status.success()
}

#[test]
fn every_command_is_one_of_xtask() {
    let texts = TEXTS.map(|name| (name.to_owned(), read(name)));
    let mut count = 0;
    for (name, text) in texts.into_iter().chain(workflows()) {
        for args in commands(&text) {
            assert!(is_taken(&args), "{name}: cargo xtask {}", args.join(" "));
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn wrong_commands_are_found() {
    let text = "`cargo xtask test --quick` and\n    cargo xtask demo --all\n\
                run: >\n  cargo xtask release --tag \"$TAG\"\n  --addres x\n  # nothing\n";
    let found = commands(text);
    let words: Vec<String> = found.iter().map(|it| it.join(" ")).collect();
    assert_eq!(words, ["test --quick", "demo --all", "release --tag $TAG --addres x"]);
    assert_eq!(found.iter().map(|it| is_taken(it)).collect::<Vec<_>>(), [true, false, false]);
}

/// Programs of tests, in the words of the page that has them all.
#[test]
fn every_program_of_tests_is_in_the_index() {
    let page = read("docs/src/changing.md");
    let mut count = 0;
    for name in ["CONTRIBUTING.md", "SECURITY.md"] {
        for span in read(name).split('`').skip(1).step_by(2) {
            let Some((_, args)) = span.split_once(" -p ") else { continue };
            let (package, program) = args.split_once(" --test ").expect("a program");
            // A command without a program runs all of its package.
            let of_package = format!("-p {package}`");
            let has = |line: &str| {
                let of_program = line.contains(&format!("-p {package} "))
                    && line.contains(&format!("--test {program}"));
                of_program || line.contains(&of_package)
            };
            assert!(page.lines().any(has), "{name}: {span}");
            count += 1;
        }
    }
    assert!(count >= 3, "{count}");
}

#[test]
fn texts_have_what_their_readers_need() {
    for (name, needs) in [
        ("CONTRIBUTING.md", format!("(https://rustup.rs) {OLDEST} or later")),
        ("CONTRIBUTING.md", "at most 72 characters".to_owned()),
        ("docs/src/reference/versions.md", format!("| the oldest Rust | `{OLDEST}` |")),
        (".github/ISSUE_TEMPLATE/bug.yml", "tband-cli check --json".to_owned()),
        (".github/ISSUE_TEMPLATE/bug.yml", "tband-cli --version".to_owned()),
    ] {
        assert!(read(name).contains(&needs), "{name}: {needs}");
    }
    for manifest in
        ["firmware/Cargo.toml", "examples/embassy/Cargo.toml", "examples/rust-freertos/Cargo.toml"]
    {
        assert!(read(manifest).contains(&format!("\nrust-version = \"{OLDEST}\"\n")), "{manifest}");
    }
}

/// The width of `.editorconfig` and `.clang-format`. Messages stay in one piece for a search, and conditions with them.
#[test]
fn lines_of_c_have_at_most_120_columns() {
    let is_c = |name: &str| [".c", ".h", ".cpp"].iter().any(|it| name.ends_with(it));
    let files = files();
    let lines = files
        .iter()
        .filter(|(name, _)| is_c(name))
        .flat_map(|(name, text)| text.lines().map(move |line| (name, line)));
    let is_breakable = |line: &str| !line.starts_with('#') || line.starts_with("#define");
    assert!(lines.clone().count() > 10_000);
    let long: Vec<_> =
        lines.filter(|(_, line)| line.chars().count() > 120 && is_breakable(line)).collect();
    assert!(long.is_empty(), "{long:#?}");
}
