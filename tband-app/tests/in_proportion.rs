//! Files stay in proportion to their recording, whatever is wrong with it and however many objects it names: each export of a
//! recording of the worst kind against that of an ordinary one.

use std::io::{self, Cursor, Write};

use tband_app::exports::{EXPORTS, Export, OutputKind, Settings};
use tband_conv::{Input, Options};
use tband_format::Event;
use tband_format::Event::*;
use tband_format::named::Created;
use tband_recordings::repeated;

const EVENTS: u64 = 20_000;

/// Counts the bytes of a folder's files.
struct Count<'c>(&'c std::sync::atomic::AtomicUsize);

impl Write for Count<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.fetch_add(bytes.len(), std::sync::atomic::Ordering::Relaxed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the size of an export of a recording, in bytes.
fn size(export: &Export, bytes: &[u8]) -> usize {
    static FOLDER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let inputs = [Input::from_bytes("r", bytes)];
    let (options, settings) = (Options::default(), Settings::default());
    let before = FOLDER.load(std::sync::atomic::Ordering::Relaxed);
    let in_folder = || FOLDER.load(std::sync::atomic::Ordering::Relaxed) - before;
    match export.form {
        OutputKind::Stream(write) => {
            let mut out = Vec::new();
            write(&inputs, &options, &settings, &mut out).unwrap();
            out.len()
        }
        OutputKind::File(write) => {
            let mut out = Cursor::new(Vec::new());
            write(&inputs, &options, &settings, &mut out).unwrap();
            out.into_inner().len()
        }
        OutputKind::Folder(write) => {
            write(&inputs, &options, &settings, &mut |_| Ok(Box::new(Count(&FOLDER)))).unwrap();
            in_folder()
        }
        OutputKind::SendFolder(write) => {
            write(&inputs, &options, &settings, &mut |_| Ok(Box::new(Count(&FOLDER)))).unwrap();
            in_folder()
        }
        OutputKind::Missing(how) => panic!("{how}"),
    }
}

fn recording(event: impl Fn(u64) -> (u64, Event<'static>)) -> Vec<u8> {
    repeated(EVENTS, event)
}

fn switch(n: u64) -> Event<'static> {
    TaskSwitchedIn { task_id: 1 + (n % 2) as u32 }
}

/// One test, because the bytes in folders are counted for all.
#[test]
fn no_recording_makes_a_file_out_of_proportion() {
    let ordinary = recording(|n| (100 * n, switch(n)));
    let wrong: [(&str, Vec<u8>); 9] = [
        ("time steps back", recording(|n| (10_000_000 - 100 * n, switch(n)))),
        ("time is anywhere", recording(|n| (n * 0x9E37_79B9 % 0xFFFF_FFFF, switch(n)))),
        ("exits without enter", recording(|n| (100 * n, IsrExit { isr_id: 1 }))),
        ("yields without enter", recording(|n| (100 * n, IsrExitToScheduler { isr_id: 1 }))),
        ("ends without begin", recording(|n| (100 * n, EvtmarkerEnd { evtmarker_id: 1 }))),
        ("nothing is created", recording(|n| (100 * n, CreateFailed { object: Created::TASK }))),
        ("drop counts", recording(|n| (100 * n, DroppedEvtCnt { cnt: n as u32 + 1 }))),
        ("lost metadata", {
            let lost = |n: u64| MetadataDropped { core_id: 0, cnt: n as u32, size_needed: None };
            recording(|n| (0, lost(n)))
        }),
        ("tasks", recording(|n| (100 * n, TaskSwitchedIn { task_id: 10 + (n % 2000) as u32 }))),
    ];
    let mut out_of_proportion = Vec::new();
    for export in EXPORTS.iter().filter(|it| !matches!(it.form, OutputKind::Missing(_))) {
        let usual = size(export, &ordinary) as f64 / ordinary.len() as f64;
        let times = (2.0 * usual).max(4.0);
        for (what, bytes) in &wrong {
            let size = size(export, bytes);
            // Names and first values of each object, which are as long however often it occurs.
            let more = if *what == "tasks" { 2000 * 700 } else { 1 << 16 };
            if size as f64 > times * bytes.len() as f64 + f64::from(more) {
                let len = bytes.len();
                out_of_proportion
                    .push(format!("{}: {what}: {size} of {len}, usual {usual:.1}", export.name));
            }
        }
    }
    assert!(out_of_proportion.is_empty(), "{}", out_of_proportion.join("\n"));
}
