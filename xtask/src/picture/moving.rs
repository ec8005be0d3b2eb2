//! The README's moving picture: record, watch, view the report, in ten seconds.
//!
//! The terminal shows the output of `tband-cli` for the demo's recording, in place of a board at the other end of a network:
//! for `top` its screens as the recording grows. The report is the picture that is also in the README. It is an SVG whose
//! frames are shown one after the other; with reduced motion, a viewer sees the last one.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use tband_report::page::base64;

use super::PAGES;
use crate::command::run_quiet;

/// Where it is.
pub const FILE: &str = "docs/src/moving.svg";
const RECORDING: &str = "web/examples/sensor-pipeline.bin";
/// Events in it.
const EVENTS: u32 = 5341;
/// First bytes of a packet.
const MAGIC: [u8; 4] = [0xC1, 0x1F, 0xFC, 0xC1];
/// Packets after which a screen is taken.
const SCREENS: [usize; 8] = [18, 24, 30, 36, 42, 48, 54, 60];
/// How it is called in the commands.
const SOURCE: &str = "tcp:localhost:9090";
const WIDTH: u32 = 960;
const HEIGHT: u32 = 600;
const LINE: u32 = 20;

enum Frame {
    Terminal(Vec<String>),
    /// A stored picture, by its name.
    Picture(String),
}

/// Draws it with this `tband-cli`.
///
/// # Errors
/// A command fails, or a file is missing.
pub fn draw(root: &Path, program: &Path) -> Result<String> {
    let recording = fs::read(root.join(RECORDING)).context("no recording")?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let run_cli = |arguments: &[&str]| -> Result<String> {
        let mut command = Command::new(program);
        let output = run_quiet(command.args(arguments).current_dir(&folder))?;
        Ok(String::from_utf8([output.stdout, output.stderr].concat())?)
    };
    let mut frames = Vec::new();
    let mut shown = Vec::new();
    let mut run = |frames: &mut Vec<(u32, Frame)>, command: &str| {
        for part in [2, 1] {
            let typed: String = command.chars().take(command.chars().count() / part).collect();
            let line = format!("$ {typed}▏");
            frames.push((300, Frame::Terminal([shown.clone(), vec![line]].concat())));
        }
        shown.push(format!("$ {command}"));
        shown.clone()
    };

    // A board that sends it, and keeps the connection until the tool has enough.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").context("no port")?;
    let port = listener.local_addr()?.port();
    let bytes = recording.clone();
    let board = std::thread::spawn(move || -> Result<()> {
        use std::io::{Read as _, Write as _};
        let (mut connection, _) = listener.accept()?;
        connection.write_all(&bytes)?;
        connection.read_to_end(&mut Vec::new())?;
        Ok(())
    });
    let enough = format!("events:{EVENTS}");
    let command = format!("tband-cli record -o trace.bin --until {enough} {SOURCE}");
    let before = run(&mut frames, &command);
    let source = format!("tcp:127.0.0.1:{port}");
    let output = run_cli(&["record", "-o", "trace.bin", "--until", &enough, &source])?
        .replace(&source, SOURCE);
    ensure!(board.join().is_ok_and(|sent| sent.is_ok()), "the recording was not taken");
    frames.push((1000, terminal(&before, &output)));
    let before = run(&mut frames, &format!("tband-cli top {SOURCE}"));
    for packets in SCREENS {
        let end = end_of(&recording, packets);
        fs::write(folder.path().join("live"), recording.get(..end).unwrap_or(&recording))?;
        let output =
            run_cli(&["top", "--once", "--window", "200ms", "live"])?.replace(" live ", " target ");
        frames.push((500, terminal(&before[before.len() - 1..], &output)));
    }
    let before = run(&mut frames, "tband-cli report --open trace.bin");
    frames.push((300, terminal(&before, "")));
    frames.push((2900, Frame::Picture(format!("{PAGES}/light/report.png"))));
    svg(root, &frames)
}

fn terminal(before: &[String], output: &str) -> Frame {
    Frame::Terminal(before.iter().cloned().chain(output.lines().map(str::to_owned)).collect())
}

/// Returns the end of the packet after this many, or of the recording.
fn end_of(recording: &[u8], packets: usize) -> usize {
    let begins = recording.windows(MAGIC.len()).enumerate().filter(|(_, it)| *it == MAGIC);
    begins.map(|(at, _)| at).nth(packets).unwrap_or(recording.len())
}

fn svg(root: &Path, frames: &[(u32, Frame)]) -> Result<String> {
    let whole: u32 = frames.iter().map(|(ms, _)| ms).sum();
    let mut style = String::new();
    let mut body = String::new();
    let mut from = 0;
    for (number, (ms, frame)) in frames.iter().enumerate() {
        let percent = |ms: u32| f64::from(ms) * 100.0 / f64::from(whole);
        let (begin, end) = (percent(from), percent(from + ms));
        from += ms;
        let is_last = number + 1 == frames.len();
        let hidden_after =
            if is_last { String::new() } else { format!("{end:.3}%{{visibility:hidden}}") };
        writeln!(
            style,
            "@keyframes k{number}{{0%{{visibility:{}}}{begin:.3}%{{visibility:visible}}{hidden_after}}}\n\
             #f{number}{{animation:k{number} {whole}ms step-end infinite;visibility:{}}}",
            if number == 0 { "visible" } else { "hidden" },
            if is_last { "visible" } else { "hidden" },
        )?;
        writeln!(body, "<g id=\"f{number}\">")?;
        match frame {
            Frame::Terminal(lines) => {
                for (row, line) in (1..).zip(lines) {
                    let class = if line.starts_with("$ ") { " class=\"c\"" } else { "" };
                    writeln!(
                        body,
                        "<text x=\"16\" y=\"{}\"{class}>{}</text>",
                        44 + LINE * row,
                        escaped(line)
                    )?;
                }
            }
            Frame::Picture(name) => {
                let png = fs::read(root.join(name)).with_context(|| format!("no {name}"))?;
                writeln!(
                    body,
                    "<image width=\"{WIDTH}\" height=\"{HEIGHT}\" href=\"data:image/png;base64,{}\"/>",
                    base64(&png)
                )?;
            }
        }
        writeln!(body, "</g>")?;
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
         <title>Record, watch live, look at the report</title>\n\
         <style>\ntext{{font:14px ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;fill:#d6dbe5;white-space:pre}}\n\
         .c{{fill:#8fd18f}}\n{style}\
         @media (prefers-reduced-motion:reduce){{g{{animation:none!important}}}}\n</style>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\" fill=\"#161b22\"/>\n\
         <circle cx=\"22\" cy=\"20\" r=\"6\" fill=\"#ff5f57\"/><circle cx=\"42\" cy=\"20\" r=\"6\" fill=\"#febc2e\"/>\
         <circle cx=\"62\" cy=\"20\" r=\"6\" fill=\"#28c840\"/>\n{body}</svg>\n"
    ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
