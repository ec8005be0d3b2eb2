//! The program's own texts: approved help texts, man pages, completion. (How to approve a change: see `approved`.)

#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::Path;

#[cfg(unix)]
use support::served::run_line;
use support::*;

/// Folders of approved texts, and their commands; the program's own is that of `tband-cli`.
const FOLDERS: [(&str, &[&str]); 5] = [
    ("record", &["record", "top", "command", "extract"]),
    ("look", &["conv", "serve", "dump", "stats", "check", "why", "report", "web"]),
    ("fleet", &["assert", "diff", "ingest", "query"]),
    ("firmware", &["config", "doctor", "init", "sdk"]),
    ("itself", &["tband-cli", "completion", "man", "licenses"]),
];

fn help(command: &str, flag: &str) -> String {
    let args: Vec<&str> = [command, flag].into_iter().filter(|it| !it.is_empty()).collect();
    let ran = run(&args);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    // Empty lines inside of an option's text are indented.
    let text = ran.text();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn help_is_as_it_was_approved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help");
    let commands = commands();
    for command in &commands {
        for (flag, suffix) in [("-h", "short"), ("--help", "long")] {
            let name = if command.is_empty() { "tband-cli" } else { command };
            let of_command = FOLDERS.iter().find(|(_, commands)| commands.contains(&name));
            let (of_command, _) = of_command.unwrap_or_else(|| panic!("FOLDERS lacks {name}"));
            let path = folder.join(of_command).join(format!("{name}.{suffix}.txt"));
            let text = help(command, flag);
            approved(&path, &text);
        }
    }
    // Those of commands that are gone go too.
    let files = FOLDERS.iter().map(|(name, _)| fs::read_dir(folder.join(name)).unwrap().count());
    assert_eq!(files.sum::<usize>(), 2 * commands.len());
}

#[test]
fn help_fits_a_screen_and_begins_with_the_purpose() {
    for command in &commands() {
        let text = help(command, "-h");
        // The program's has a line for each command.
        let most = if command.is_empty() { 35 } else { 24 };
        assert!(text.lines().count() <= most, "{text}");
        let long = help(command, "--help");
        let purpose = text.lines().next().unwrap();
        assert!(long.starts_with(purpose) && purpose.contains(' '), "{long}");
        let (options, examples) = long.split_once("\nExamples:\n  tband-cli ").unwrap();
        assert!(options.contains("\nUsage: ") && !examples.contains("Options:"), "{long}");
        for line in text.lines().chain(long.lines()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

/// Runs every example of every help text.
#[cfg(unix)]
#[test]
fn examples_work() {
    let folder = with_examples("examples");
    let mut examples: Vec<String> = Vec::new();
    // A command that is missing in this build reports that.
    let is_there = |command: &str| match command {
        "ingest" => cfg!(feature = "parquet"),
        "query" | "assert" => cfg!(feature = "query"),
        // The tests build the program without the SDK.
        "init" | "sdk" => false,
        _ => true,
    };
    for command in commands().iter().filter(|it| is_there(it)) {
        let long = help(command, "--help");
        let lines = long.lines().skip_while(|line| *line != "Examples:").skip(1);
        let lines = lines.take_while(|line| !line.is_empty());
        let lines = lines.filter_map(|line| line.trim().split("   ").next());
        let lines = lines.filter(|it| it.starts_with("tband-cli "));
        // The program's own help shows a part of each command.
        let is_built = |it: &&str| is_there(it.split(' ').nth(1).unwrap_or_default());
        examples.extend(lines.filter(is_built).map(str::to_owned));
    }
    assert!(examples.len() > 20, "{examples:?}");
    for example in examples {
        let ran = run_line(&folder, &example);
        // The recording has FreeRTOS events, and the program no recorder.
        let is_found = example.contains("-m bare-metal") || example.contains("doctor build/");
        let code = if is_found { 1 } else { 0 };
        assert_eq!(ran.code, Some(code), "{example}: {}", ran.stderr);
    }
}

/// The program has every command of the list, and some command has each option that requests may name.
#[test]
fn commands_and_options_of_all_users_are_those_of_the_command_line() {
    let commands = commands();
    for command in tband_app::commands::COMMANDS {
        assert!(commands.iter().any(|it| it == command.name), "no command {}", command.name);
    }
    let texts: String = commands.iter().map(|command| help(command, "--help")).collect();
    for option in tband_app::options::OPTIONS {
        let flag = format!("--{}", option.flag);
        let is_there = texts.split_whitespace().any(|word| word.trim_end_matches(',') == flag);
        assert!(is_there, "no command has {flag}");
    }
}

#[test]
fn completions_name_commands_and_flags() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = run(&["completion", shell]);
        assert_eq!(ran.code, Some(0));
        let script = ran.text();
        for word in ["tband-cli", "core-count", "stats", "check", "gzip"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

/// The script first finds the current command, then offers its options.
#[test]
fn the_completion_of_bash_knows_what_each_command_has() {
    let script = run(&["completion", "bash"]).text();
    let found: Vec<&str> =
        script.lines().filter_map(|line| line.trim().strip_prefix("cmd=\"")).collect();
    assert!(found.len() > commands().len(), "{found:?}");
    for command in found.iter().map(|it| it.trim_end_matches('"')).filter(|it| !it.is_empty()) {
        assert!(script.contains(&format!("\n        {command})\n")), "{command}");
    }
}

#[test]
fn man_pages_come_from_the_same_source() {
    let folder = Folder::new("man");
    run(&["man", "--out", &folder.path("man1")]).assert_code(0);
    let commands = commands();
    for command in &commands {
        let name = ["tband-cli", command].join("-");
        let path = folder.path(&format!("man1/{}.1", name.trim_end_matches('-')));
        let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(page.contains(".SH EXAMPLES") && page.contains(".SH SYNOPSIS"), "{page}");
    }
    assert_eq!(fs::read_dir(folder.path("man1")).unwrap().count(), commands.len());
    let file = folder.file("file", b"");
    assert_fails(&run(&["man", "--out", &file]), 2, &["cannot write man pages to"]);
}

/// The packages whose licences require notices, with their text.
#[test]
fn licences_of_what_is_in_the_program() {
    let ran = run(&["licenses"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let text = ran.text();
    for package in ["prost", "zlib-rs", "clap", "httparse", "anyhow"] {
        let listed = text.lines().any(|line| line.starts_with(&format!("{package} ")));
        let owner = text.lines().any(|line| line.starts_with(&format!("  {package} ")));
        assert!(listed && owner, "{package}");
    }
    for words in
        ["Apache License", "Permission is hereby granted", "This software is provided 'as-is'"]
    {
        assert!(text.contains(words), "{words}");
    }
}
