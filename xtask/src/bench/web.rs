//! `cargo xtask bench web`: measures how fast the page converts, against the command line. Times depend on the machine and its
//! load, so nothing is compared with a budget.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::command::run_with_output;
use crate::dist;
use crate::drive::{self, DriverArguments};
use crate::generate;
use crate::web::{self, WebBuild};

/// Bytes of the recording.
const SIZE: u64 = 100_000_000;

/// Builds page and command line, and measures both.
///
/// # Errors
/// Something cannot be built, or the browser does not run.
pub fn run(root: &Path) -> Result<()> {
    let tool = dist::installed_program(root)?;
    let folder = root.join("target/bench-web");
    let page = folder.join("page");
    web::build(root, &page, WebBuild::Fast)?;
    let index = page.join("index.html");
    let size = fs::metadata(&index).with_context(|| format!("no {}", index.display()))?.len();
    println!("index.html            {:8} kB", size / 1000);
    let options = generate::Options { size: SIZE, ..generate::Options::default() };
    let recording = folder.join("recording.bin");
    let file = fs::File::create(&recording)
        .with_context(|| format!("cannot write {}", recording.display()))?;
    generate::stream(&options, std::io::BufWriter::with_capacity(1 << 18, file))?;
    let given = DriverArguments { root, page: &page, tool: &tool, folder: &folder };
    let done = run_with_output(&mut drive::program("speed.py", given)?);
    fs::remove_dir_all(&folder)?;
    done
}
