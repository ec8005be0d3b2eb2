//! What must hold of the decoder, the converter and every sink whatever bytes come in. The fuzzer
//! (`cargo xtask fuzz`) and a short test run the same cases.
//!
//! A case is any bytes: [`Setup`] reads from the first three how the rest is converted, and whether
//! the rest is a recording as it is, payloads that are framed first, or the contents of packets. Framed ones get past
//! the framing every time, and contents past the checks, so that changes of single bytes reach the timeline.

mod activations;
mod checks;
mod commands;
mod ctf;
mod exports;
mod packets;
mod payloads;
mod picture;
mod seeds;
mod setup;

pub use payloads::{framed, payloads_of};
pub use peak_alloc::PeakAlloc;
pub use seeds::{recordings, seeds};
pub use setup::{ExtraWork, HEADER, Setup};

/// What a case may allocate at a time, aside from what its recording brings up: blocks of the
/// readers, tables by core and by event.
const FIXED_BYTES: usize = 1 << 20;
/// Maximum allocated bytes for each byte of the recording. The costliest bytes are frames of three or four that each create an
/// object.
const BYTES_A_BYTE: usize = 300;
/// What exports and commands may allocate beside that: a section of FST, a page.
const EXPORT_FIXED_BYTES: usize = 4 << 20;
/// The same limit of exports for each byte of the recording: an object has a path, and a text of FST takes 256 digits.
const EXPORT_BYTES_A_BYTE: usize = 2000;

fn read(case: &[u8]) -> (Setup, Vec<u8>) {
    let (setup, rest) = Setup::read(case);
    let recording = match (setup.packed, setup.framed) {
        (true, _) => packets::packed(rest),
        (false, true) => framed(rest),
        (false, false) => rest.to_vec(),
    };
    (setup, recording)
}

/// What a case is: how it is converted, its events, and what becomes of them.
#[must_use]
pub fn show(case: &[u8]) -> String {
    let (setup, recording) = read(case);
    checks::show(&setup, &recording)
}

/// Runs a case, with exports and commands; gives the most bytes that were allocated at a time.
///
/// # Panics
/// If something does not hold.
pub fn run(case: &[u8]) -> usize {
    let (setup, recording) = read(case);
    let used = peak_of(|| checks::run(&setup, &recording));
    let of_trace = if ctf::trace_of(&recording).is_some() { ctf::FIXED_BYTES } else { 0 };
    let bound = FIXED_BYTES + of_trace + BYTES_A_BYTE * recording.len();
    assert!(used <= bound, "{used} bytes for a recording of {}: {setup:?}", recording.len());
    let exported = peak_of(|| exports::run(&setup, &recording));
    let bound = EXPORT_FIXED_BYTES + of_trace + EXPORT_BYTES_A_BYTE * recording.len();
    assert!(exported <= bound, "exports: {exported} bytes for {}: {setup:?}", recording.len());
    let of_commands = peak_of(|| commands::run(&setup, &recording));
    assert!(
        of_commands <= bound,
        "commands: {of_commands} bytes for {}: {setup:?}",
        recording.len()
    );
    used
}

/// The most bytes that were allocated at a time while this ran, above those before. They are counted
/// if the program has the allocator [`PeakAlloc`], and are those of the whole process.
pub fn peak_of(run: impl FnOnce()) -> usize {
    let before = PeakAlloc.current_usage();
    PeakAlloc.reset_peak_usage();
    run();
    PeakAlloc.peak_usage().saturating_sub(before)
}
