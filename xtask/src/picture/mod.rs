//! `cargo xtask picture`: the guide's pictures of what Perfetto shows, drawn from the tables of its own engine, and those
//! of page and report, taken in a browser, and a moving one.
//!
//! The recording is the beginning of one that `cargo xtask demo` made, converted as `tband-cli conv` does.

mod draw;
mod letters;
pub mod moving;
mod rows;
mod tables;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use tband_conv::sinks::Perfetto;
use tband_conv::{EventReader, Input, Mode, Options, convert};
use tband_format::{Decoded, Event, encode_frame, max_frame_len};
use tband_programs::Engine;

use self::rows::Choice;
use self::tables::{Span, Tables};
use crate::web::{self, How};

/// The first 100 ms of a run of the demo.
const RECORDING: &str = "tests/pictures/demo.bin";
/// Where the pictures are.
pub const FOLDER: &str = "docs/src/guide/pictures";

/// Where the pictures of page and report are.
pub const PAGES: &str = "docs/src/pictures";
/// The states of page and report of which there is a picture, light and dark.
pub const STATES: [&str; 7] =
    ["damage", "measured", "page", "page-recording", "pair", "report", "search"];

/// A picture.
struct Scene {
    file: &'static str,
    title: &'static str,
    window: Span,
    choice: Choice,
    /// Left out of the recording and counted instead, as the recorder does when its buffer is full.
    lost: Option<Span>,
    /// Threads of which the first slice on a core is described in words.
    reported: &'static [&'static str],
}

const SCENES: [Scene; 3] = [
    Scene {
        file: "inversion.svg",
        title: "Three tasks want one mutex, and its holder inherits their priorities",
        window: Span { from: 85_180_000, to: 85_290_000 },
        choice: Choice {
            groups: &["Mutexes", "high", "mid", "low"],
            rows: &["bus", "waits and calls", "markers", "priority of low"],
        },
        lost: None,
        reported: &["high"],
    },
    Scene {
        file: "interrupts.svg",
        title: "Interrupts preempt the idle task, and each other, and wake tasks",
        window: Span { from: 14_215_000, to: 14_290_000 },
        choice: Choice {
            groups: &["driver", "operator", "sleeper", "IDLE"],
            rows: &["waits and calls"],
        },
        lost: None,
        reported: &["driver"],
    },
    Scene {
        file: "losses.svg",
        title: "Events are missing: what tasks did meanwhile is not known",
        window: Span { from: 85_180_000, to: 85_300_000 },
        choice: Choice {
            groups: &["Errors", "Mutexes", "Semaphores", "high", "mid", "low"],
            rows: &["lost", "bus", "wake_", "waits and calls", "priority of low"],
        },
        lost: Some(Span { from: 85_210_000, to: 85_250_000 }),
        reported: &[],
    },
];

/// Names and texts of all pictures.
///
/// # Errors
/// The recording cannot be read or converted, or the engine fails.
pub fn draw_all(root: &Path, engine: &Engine) -> Result<Vec<(&'static str, String)>> {
    let path = root.join(RECORDING);
    let recording = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    SCENES.iter().map(|scene| Ok((scene.file, scene.draw(&recording, engine)?))).collect()
}

/// Writes all pictures.
///
/// # Errors
/// As for [`draw_all`], and there is no engine, or a file cannot be written.
pub fn run(root: &Path) -> Result<()> {
    let engine = Engine::find().context(
        "the pictures come from Perfetto's engine: name trace_processor_shell in TRACE_PROCESSOR_SHELL",
    )?;
    let folder = root.join(FOLDER);
    fs::create_dir_all(&folder)?;
    for (file, svg) in draw_all(root, &engine)? {
        let path = folder.join(file);
        fs::write(&path, svg).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// Takes the pictures of page and report, and draws the moving one.
///
/// # Errors
/// Page or `tband-cli` cannot be built, or the browser does not run.
pub fn of_pages(root: &Path) -> Result<()> {
    let page = root.join("target/picture-web");
    web::build(root, &page, How::Quick)?;
    web::screenshots(root, &page, &root.join(PAGES), false)?;
    // Which has just been built.
    let moving = moving::draw(root, &root.join("target/debug/tband-cli"))?;
    fs::write(root.join(moving::FILE), moving).context("cannot write the moving picture")
}

impl Scene {
    fn draw(&self, recording: &[u8], engine: &Engine) -> Result<String> {
        let with_loss = self.lost.map(|lost| without(recording, lost)).transpose()?;
        let bytes = with_loss.as_deref().unwrap_or(recording);
        let mut sink = Perfetto::new(Vec::new());
        convert(&[Input::from_bytes(RECORDING, bytes)], &Options::default(), &mut sink)?;
        let folder = tempfile::tempdir()?;
        let trace = folder.path().join("trace.pftrace");
        fs::write(&trace, sink.into_inner())?;
        let tables = Tables::read(engine, &trace, self.window)?;
        let rows = rows::rows(&tables, &self.choice);
        let reported: Vec<String> =
            self.reported.iter().filter_map(|it| reported(&tables, it)).collect();
        Ok(draw::draw(self.title, &tables, self.window, &rows, &reported))
    }
}

/// What Perfetto says of the first time that a thread is on a core.
fn reported(tables: &Tables, name: &str) -> Option<String> {
    let on_core = tables.on_cores.iter().find(|it| it.thread == name)?;
    let thread = tables.threads.iter().find(|it| it.name == name)?;
    let own = || tables.states.iter().filter(|it| it.utid == thread.utid);
    let ready = own().find(|it| it.time.to == on_core.time.from && it.state == "R");
    let after = own().find(|it| it.time.from == on_core.time.to);
    let mut text = format!(
        "Selected: {name} on CPU {}.  Priority {}.  Duration {}.",
        on_core.core,
        on_core.priority,
        draw::microseconds(on_core.time.to - on_core.time.from)
    );
    if let Some(ready) = ready.filter(|it| !it.waker.is_empty()) {
        text += &format!(
            "  Woken by {}, {} before.",
            ready.waker,
            draw::microseconds(on_core.time.from - ready.time.from)
        );
    }
    if let Some(after) = after.filter(|it| !it.blocked_function.is_empty()) {
        text += &format!("  Then: blocked function {}.", after.blocked_function);
    }
    Some(text)
}

/// The recording without the events of a slice of time, which is lost there, and their number before the
/// next one. Its timestamps are in nanoseconds.
fn without(recording: &[u8], lost: Span) -> Result<Vec<u8>> {
    let mut events = EventReader::new(recording, 0, Mode::FreeRtos);
    let (mut kept, mut count, mut reported) = (Vec::new(), 0, 0);
    while let Some(item) = events.next_item()? {
        let (start, len) = (usize::try_from(item.offset)?, usize::try_from(item.len)?);
        let frame = recording.get(start..=start + len).unwrap_or_default();
        let at = item.event.ok().and_then(|decoded| decoded.ts).map(i64::try_from).transpose()?;
        // The recorder says how many were lost from then on.
        if let (Some(at), Ok(Decoded { event: Event::DroppedEvtCnt { cnt }, .. })) =
            (at, item.event)
            && at >= lost.to
        {
            let event = Event::DroppedEvtCnt { cnt: cnt + reported };
            kept.extend(encoded(&event, at.unsigned_abs())?);
            continue;
        }
        match at {
            Some(at) if (lost.from..lost.to).contains(&at) => count += 1,
            Some(at) if at >= lost.to && count > 0 => {
                reported = std::mem::take(&mut count);
                let event = Event::DroppedEvtCnt { cnt: reported };
                kept.extend(encoded(&event, at.unsigned_abs())?);
                kept.extend_from_slice(frame);
            }
            _ => kept.extend_from_slice(frame),
        }
    }
    Ok(kept)
}

fn encoded(event: &Event<'_>, at: u64) -> Result<Vec<u8>> {
    let mut frame = vec![0; max_frame_len(event, at)];
    let len = encode_frame(event, at, &mut frame)?;
    frame.truncate(len);
    Ok(frame)
}
