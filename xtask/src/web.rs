//! `cargo xtask web`: builds the web page, in one folder that any static host serves, and that works from a disk.
//!
//! `index.html` contains everything: style, scripts, and the converter as WebAssembly, compressed. The other files let a
//! browser install it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tband_report::page::{SCRIPTS, STYLE, packed};

use crate::command::{run_quiet, run_with_output};
use crate::drive::{self, DriverArguments};
use crate::rust_target;

/// The target that a browser runs.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
/// Its permissions: it loads nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob: 'self'; \
                      style-src 'unsafe-inline'; img-src data: 'self'; connect-src 'self' blob:; worker-src blob: 'self'; manifest-src 'self'";
/// Its files in addition to `index.html`.
const OTHERS: [&str; 3] = ["manifest.webmanifest", "sw.js", "icon.svg"];

/// Example recordings in the page: their names there, and the files with their names. If a name begins with `+` the recording
/// is compared with the others.
const EXAMPLES: [(&str, &[(&str, &str)]); 4] = [
    ("sensor pipeline", &[("sensor-pipeline.bin", "web/examples/sensor-pipeline.bin")]),
    (
        "sensor pipeline, before and after",
        &[
            ("sensor-pipeline.bin", "web/examples/sensor-pipeline.bin"),
            ("+sensor-pipeline-mended.bin", "web/examples/sensor-pipeline-mended.bin"),
        ],
    ),
    (
        "two cores",
        &[
            ("two-cores.core0.bin", "web/examples/two-cores.core0.bin"),
            ("two-cores.core1.bin", "web/examples/two-cores.core1.bin"),
        ],
    ),
    ("all kinds of objects", &[("all-objects.bin", "tests/pictures/demo.bin")]),
];

/// How the converter is compiled: profiles of the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebBuild {
    /// As it is given to users.
    Fast,
    /// In less time, for tests: it is larger and slower.
    Quick,
}

/// Builds the converter; returns the file.
fn converter(root: &Path, how: WebBuild) -> Result<PathBuf> {
    rust_target::add_target(Path::new("rustup"), root, TARGET)?;
    // Features of all browsers with `DecompressionStream`, which the page needs.
    let flags =
        format!("{}\x1f-Ctarget-feature=+simd128,+bulk-memory", rust_target::without_paths(root)?);
    let target = root.join("target");
    let profile = match how {
        WebBuild::Fast => "web",
        WebBuild::Quick => "web-quick",
    };
    let mut build = Command::new("cargo");
    build
        .args([
            "build",
            "--locked",
            "--package",
            "tband-web",
            "--profile",
            profile,
            "--target",
            TARGET,
        ])
        .arg("--target-dir")
        .arg(&target)
        .env("CARGO_ENCODED_RUSTFLAGS", flags)
        .env_remove("CARGO_BUILD_TARGET");
    run_quiet(build.current_dir(root))?;
    Ok(target.join(TARGET).join(profile).join("tband_web.wasm"))
}

/// The examples as elements that `web/examples.js` reads.
fn examples(root: &Path) -> Result<String> {
    let mut elements = String::new();
    for (title, files) in EXAMPLES {
        for (name, path) in files {
            let bytes = fs::read(root.join(path)).with_context(|| format!("cannot read {path}"))?;
            let text = packed(|out| out.write_all(&bytes))?;
            let (name, other) = match name.strip_prefix('+') {
                Some(name) => (name, " data-other"),
                None => (*name, ""),
            };
            elements += &format!(
                "<script type=\"text/plain\" data-example=\"{title}\" data-file=\"{name}\"{other}>{text}</script>\n"
            );
        }
    }
    Ok(elements)
}

/// Builds the page into a folder.
///
/// # Errors
/// The converter does not compile, or a file cannot be read or written.
pub fn build(root: &Path, out: &Path, how: WebBuild) -> Result<()> {
    let wasm = converter(root, how)?;
    let wasm = fs::read(&wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    // A sixth of the size, since many licences are nearly the same.
    let notices = fs::read(root.join("licenses/web.txt")).context("licenses/web.txt")?;
    let part = |name: &str| -> Result<String> {
        let path = root.join("web").join(name);
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        ensure!(!text.contains("</script"), "{name} would end its own element");
        Ok(text)
    };
    let mut script = String::from("\"use strict\";\n");
    SCRIPTS.iter().for_each(|it| script.push_str(it));
    for name in [
        "jobs.js",
        "perfetto.js",
        "feed.js",
        "serial.js",
        "kept.js",
        "end.js",
        "recordings.js",
        "live/follow.js",
        "live/live.js",
        "live/stream.js",
        "live/asking.js",
        "board.js",
        "examples.js",
        "app.js",
    ] {
        script.push_str(&part(name)?);
    }
    let page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"description\" content=\"Converts and shows recordings of the tband tracer in the browser\">\n\
         <title>tband</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n\
         <main>\n{}</main>\n<script type=\"text/plain\" id=\"worker\">\n{}</script>\n\
         <script type=\"text/plain\" id=\"keeper\">\n{}</script>\n\
         <script type=\"text/plain\" id=\"notices\">{}</script>\n\
         <script type=\"text/plain\" id=\"wasm\">{}</script>\n{}<script>\n{script}</script>\n</body>\n</html>\n",
        part("page.css")?,
        fs::read_to_string(root.join("web/page.html")).context("web/page.html")?,
        part("worker.js")?,
        part("keeper.js")?,
        packed(|out| out.write_all(&notices))?,
        packed(|out| out.write_all(&wasm))?,
        examples(root)?,
    );
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let write = |name: &str, text: &str| {
        let path = out.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let version = format!("{:016x}", hash(page.as_bytes()));
    for name in OTHERS {
        write(name, &part(name)?.replace("VERSION\"", &format!("{version}\"")))?;
    }
    write("index.html", &page)
}

/// Distinguishes versions of the page (FNV-1a).
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Takes pictures of page and report in a real browser, light and dark; also as a phone shows them if wanted.
///
/// # Errors
/// `tband-cli` cannot be built, or the browser does not run.
pub fn screenshots(root: &Path, page: &Path, out: &Path, with_phone: bool) -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--locked", "--package", "tband-cli"]);
    run_quiet(cargo.current_dir(root))?;
    let page = page.canonicalize().with_context(|| format!("cannot find {}", page.display()))?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let tool = root.join("target/debug/tband-cli");
    let given = DriverArguments { root, page: &page, tool: &tool, folder: folder.path() };
    let mut command = drive::program("screenshots.py", given)?;
    command.arg(std::path::absolute(out)?).args(with_phone.then_some("phone"));
    run_with_output(&mut command)
}

/// Builds the page, and `tband-cli` with it if it is to be installed.
///
/// # Errors
/// As for [`build`], or if `tband-cli` cannot be built.
pub fn run(root: &Path, out: &Path, how: WebBuild, install: bool) -> Result<()> {
    build(root, out, how)?;
    let out = out.canonicalize().with_context(|| format!("cannot find {}", out.display()))?;
    let size = fs::metadata(out.join("index.html"))?.len();
    println!(
        "{}: {} kB; open it, or serve the folder",
        out.join("index.html").display(),
        size / 1000
    );
    if install {
        let mut cargo = Command::new("cargo");
        cargo.args(["install", "--locked", "--path", "host-cli"]).env("TBAND_WEB_DIR", &out);
        run_with_output(cargo.current_dir(root))?;
    }
    Ok(())
}
