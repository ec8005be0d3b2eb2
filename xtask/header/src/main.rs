//! `cargo xtask header` runs this. It is a separate program, so that a build of `xtask` alone does not compile cbindgen.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

fn run() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        [root] => tband_header::run(Path::new(root), false),
        [root, "check"] => tband_header::run(Path::new(root), true),
        [root, "release"] => {
            tband_header::release(Path::new(root))?;
            tband_header::run(Path::new(root), false)
        }
        _ => bail!("usage: tband-header FOLDER [check|release]; see `cargo xtask header --help`"),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
