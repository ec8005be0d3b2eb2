//! Real recordings, and the cases that a fuzzer starts from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::ctf::traces;
use crate::packets::packets_of;
use crate::payloads::payloads_of;
use crate::setup::HEADER;

/// Folders of the project that have recordings.
const FOLDERS: [&str; 2] = ["tests/vectors", "tband-conv/tests/golden"];

/// Beginnings of recordings of other recorders, of each that an importer reads.
const FOREIGN: [&str; 12] = [
    "systemview.SVDat",
    "systemview.bin",
    "systemview-ring.bin",
    "ftrace.txt",
    "perf.txt",
    "stream-be.psf",
    "stream-le.psf",
    "ring.bin",
    "snapshot.bin",
    "flux.recTr",
    "qs.bin",
    "rkh.bin",
];

/// The recordings of the project whose folder this is.
///
/// # Errors
/// If they cannot be read.
pub fn recordings(root: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(root.join(folder))? {
            files.push(entry?.path());
        }
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "bin"));
    files.extend(FOREIGN.map(|name| root.join("tband-import/tests/heads").join(name)));
    files.sort();
    files.iter().map(fs::read).collect()
}

/// Returns pieces of at most `len` bytes, from all over the recordings; unchanged, as payloads, and in packets.
///
/// # Errors
/// If the recordings cannot be read.
pub fn seeds(root: &Path, len: usize) -> io::Result<Vec<Vec<u8>>> {
    const PIECES: usize = 8;
    let mut seeds = Vec::new();
    for recording in recordings(root)? {
        let packets = packets_of(&recording);
        let payloads = payloads_of(&recording);
        // As it is, as payloads, in packets, and as contents of packets.
        for (reading, text) in [(0, &recording), (1, &payloads), (0, &packets), (0x60, &packets)] {
            let step = (text.len() / PIECES).max(len);
            for piece in text.chunks(step.max(1)) {
                let mut seed = [reading; 1].to_vec();
                seed.resize(HEADER, 0);
                seed.extend(piece.iter().take(len.saturating_sub(HEADER)));
                seeds.push(seed);
            }
        }
    }
    for trace in traces() {
        seeds.push([&[0; HEADER][..], &trace].concat());
    }
    Ok(seeds)
}
