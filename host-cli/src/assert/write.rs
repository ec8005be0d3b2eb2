//! Results to files and to stdout.

use std::env;
use std::path::Path;

use anyhow::anyhow;
use tband_report::printable::{printable, printable_json};
use tband_rules::output::{Results, github, json, junit, markdown, sarif, text};

use crate::args::AssertArgs;
use crate::output::{print, to_file};
use crate::report::Report;

/// Writes all requested outputs. Text is printed unless stdout has one of the others.
pub fn all(args: &AssertArgs, results: &Results<'_>, report: &Report) -> anyhow::Result<()> {
    let mut is_used = false;
    let mut write = |path: &Option<_>, make: &dyn Fn() -> anyhow::Result<String>| {
        let Some(path): Option<&std::path::PathBuf> = path.as_ref() else { return Ok(()) };
        let text = make()?;
        if path == Path::new("-") {
            is_used = true;
            return print(text.as_bytes());
        }
        crate::input::refuse_to_overwrite(&args.recordings.inputs, path, "txt")?;
        to_file(path, true, |out| Ok(out.write_all(text.as_bytes())?))
    };
    let path = in_repository(results.file);
    write(&args.junit, &|| junit(results).map_err(|error| anyhow!("cannot write JUnit: {error}")))?;
    write(&args.sarif, &|| Ok(pretty(&sarif(results, &path))?))?;
    write(&args.json, &|| Ok(pretty(&json(results))?))?;
    write(&args.markdown, &|| Ok(markdown(results)))?;
    if is_used {
        return Ok(());
    }
    // JSON and similar formats were requested; text is a message that --quiet suppresses.
    if !report.is_quiet() {
        let text = text(results, args.all);
        let text: String = text.lines().map(|line| printable(line).into_owned() + "\n").collect();
        print(text.as_bytes())?;
    }
    if args.github {
        print(github(results, &path).as_bytes())?;
    }
    Ok(())
}

fn pretty(value: &serde_json::Value) -> serde_json::Result<String> {
    Ok(printable_json(serde_json::to_string_pretty(value)?) + "\n")
}

/// The path of the rules relative to this folder, as servers want it.
fn in_repository(file: &str) -> String {
    let relative = env::current_dir().ok().and_then(|folder| {
        let path = Path::new(file).strip_prefix(folder).ok()?;
        Some(path.display().to_string())
    });
    relative.unwrap_or_else(|| file.trim_start_matches("./").to_owned())
}
