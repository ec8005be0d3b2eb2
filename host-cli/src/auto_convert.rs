//! Further use of a recording that this program has made: its name, and its immediate conversion.

use std::path::{Path, PathBuf};

use clap::Parser;

use crate::args::{Cli, Command};
use crate::report::Report;
use crate::{Outcome, conv, report_page};

/// A name that no file has.
pub fn free_name() -> PathBuf {
    let names = (2_u32..).map(|number| format!("recording-{number}.bin"));
    let mut names = std::iter::once("recording.bin".to_owned()).chain(names).map(PathBuf::from);
    names.find(|name| !name.exists()).unwrap_or_else(|| "recording.bin".into())
}

/// Creates a trace, or a page if its name has that extension, from the files; with `open` shows it. Without a name it is only
/// shown. `elf`: their program.
pub fn convert(
    trace: Option<&Path>,
    files: &[PathBuf],
    (open, elf): (bool, Option<&Path>),
    report: &Report,
) -> anyhow::Result<Outcome> {
    let ending = trace.and_then(Path::extension);
    let is_page = ending.is_some_and(|it| it.eq_ignore_ascii_case("html"));
    let mut line = vec!["tband-cli".into()];
    line.push(if is_page { "report" } else { "conv" }.into());
    if let Some(trace) = trace {
        line.extend(["-o".into(), trace.as_os_str().to_owned()]);
    }
    line.extend(open.then(|| "--open".into()));
    if let Some(elf) = elf {
        line.extend(["--elf".into(), elf.as_os_str().to_owned()]);
    }
    line.push("--".into());
    line.extend(files.iter().map(|file| file.clone().into_os_string()));
    match Cli::try_parse_from(line)?.command {
        Command::Conv(args) => conv::run(&args, report),
        Command::Report(args) => report_page::run(&args, report),
        _ => Ok(Outcome::Clean),
    }
}
