//! Each recording in `golden/` gives the timeline in the text file beside it, and Perfetto's engine returns the same for its
//! trace: scheduling, states, slices, counters, flows.
//!
//! `TBAND_OVERWRITE=1 cargo test -p tband-conv --test sinks golden::` overwrites the timelines; read the difference before it
//! is committed.

use std::fs;
use std::path::{Path, PathBuf};

use tband_conv::{Input, Options};
use tband_recordings::agrees::check_all;
use tband_recordings::{Engine, timeline_of};

fn recordings() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "bin"))
        .collect();
    files.sort();
    assert!(files.len() >= 4, "recordings are missing");
    files
}

#[test]
fn timelines_are_as_written() {
    let update = std::env::var_os("TBAND_OVERWRITE").is_some();
    for file in recordings() {
        let bytes = fs::read(&file).unwrap();
        let (text, _) = timeline_of(&[Input::from_bytes("g", &bytes)], &Options::default());
        let golden = file.with_extension("timeline");
        if update {
            fs::write(&golden, &text).unwrap();
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        let differs = text.lines().zip(expected.lines()).position(|(ours, theirs)| ours != theirs);
        assert_eq!(differs, None, "{}: first line that differs, from 0", golden.display());
        assert_eq!(text.lines().count(), expected.lines().count(), "{}", golden.display());
    }
}

#[test]
fn the_engine_gives_the_expected_rows() {
    let Some(engine) = Engine::find() else { return };
    for file in recordings() {
        let bytes = fs::read(&file).unwrap();
        let name = format!("golden-{}", file.file_stem().unwrap().to_string_lossy());
        check_all(&engine, &name, &[Input::from_bytes("g", &bytes)], &Options::default());
    }
}
