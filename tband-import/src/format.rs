//! The formats, by the names that users give them.

/// Whose format a recording has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InputFormat {
    /// The format that the content shows.
    #[default]
    Auto,
    /// tband's own frames or packets.
    Tband,
    /// SEGGER SystemView; the table of API ids follows from the content.
    SystemView,
    /// SystemView with Espressif's API ids.
    SystemViewEsp,
    /// SystemView with the API ids of SEGGER's samples for FreeRTOS V8 to V10.4.
    SystemViewV10,
    /// SystemView with the API ids of SEGGER's sample for FreeRTOS V11.
    SystemViewV11,
    /// Text of ftrace, trace-cmd report or perf script.
    Ftrace,
    /// Percepio TraceRecorder: stream, ring buffer or snapshot.
    TraceRecorder,
    /// QP's QS.
    Qs,
    /// RKH's trace.
    Rkh,
    /// CTF 1.8 or 2.
    Ctf,
    /// flux.
    Flux,
}
