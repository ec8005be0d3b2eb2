//! Control of the streaming backend.

use tband_core::streaming::StartError;

use crate::port::tband_recorder;

/// Starts the stream: the metadata of every core, the description of the recorder if `with_metadata`, then
/// events. Returns 0; -1 if recording is on already; -2 if the port dropped part of that: recording is off then,
/// except without `with_metadata`, where the drop is only counted. Inside the critical section of core `core_id`;
/// `ts` is the time now in ticks.
#[unsafe(no_mangle)]
pub extern "C" fn tband_lib_streaming_start(ts: u64, core_id: u32, with_metadata: bool) -> i32 {
    result(tband_recorder.start_streaming(ts, core_id, with_metadata))
}

/// Like `tband_lib_streaming_start`, byte for byte as Tonbandgeraet starts a stream.
#[unsafe(no_mangle)]
pub extern "C" fn tband_lib_streaming_start_plain(core_id: u32, with_metadata: bool) -> i32 {
    result(tband_recorder.start_plain_streaming(core_id, with_metadata))
}

fn result(started: Result<(), StartError>) -> i32 {
    match started {
        Ok(()) => 0,
        Err(StartError::AlreadyActive) => -1,
        Err(StartError::Dropped) => -2,
    }
}

/// Stops the stream. Returns 0, or -1 if it was not on. Inside the critical section.
#[unsafe(no_mangle)]
pub extern "C" fn tband_lib_streaming_stop() -> i32 {
    if tband_recorder.stop_streaming() { 0 } else { -1 }
}
