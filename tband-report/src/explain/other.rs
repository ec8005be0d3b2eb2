//! Meaning and remedy where a recording is of another recorder, whose configuration has other names.

use tband_conv::diagnostics::Problem;

use super::Explanation;

/// Explains a kind of finding; `None` if it is explained as in a recording of tband.
pub const fn explain(problem: Problem) -> Option<Explanation> {
    let (means, advice) = match problem {
        Problem::UndecodableFrame | Problem::DamagedPacket | Problem::BytesChanged => (
            "bytes were changed or lost on the way; the events in them are missing",
            "check the transport, and record again",
        ),
        Problem::UnknownEvent | Problem::UnknownInPacket | Problem::BadSchema => (
            "an event has a kind or a layout that is not known, or bytes were changed; it is left out",
            "check the transport, and read the recording from its start",
        ),
        Problem::CoreOutOfRange => (
            "events name a core that should not exist",
            "name each file's core as in FILE@1, from 0 on",
        ),
        Problem::TimeStepBack => (
            "the clock went back: single events are shown at the time reached before; where it stays back, time \
             continues from there",
            "check that the recorder's clock never goes back, also not when its timer wraps, and that the recorder locks \
             out every interrupt that records",
        ),
        Problem::TimeJump => (
            "one timestamp cannot be true; the event is shown at the time before it",
            "check that the recorder's clock reads high and low half of its timer as one",
        ),
        Problem::TaskOnTwoCores => (
            "a switch is missing, or events are on the wrong core",
            "check file@CORE of the inputs, and how the recorder numbers the cores",
        ),
        Problem::IsrExitWithoutEnter => (
            "the interrupt's enter is missing; the exit is left out",
            "check that every path into the handler reports its begin to the recorder",
        ),
        Problem::IsrExitMissing => (
            "the interrupt is taken to end with the one around it, or its end is not known",
            "check that every path out of the handler reports its end to the recorder",
        ),
        Problem::SpanEndWithoutBegin => (
            "the span's begin is missing; the end is left out",
            "check that begin and end of a span come in pairs",
        ),
        Problem::TimeNotKept => (
            "a pause without events that lasts as long as that timer takes to wrap, or longer, is shown too short by whole wraps",
            "record an event at least four times per wrap, or use a timer of more bits",
        ),
        Problem::UnseenTurns => (
            "the timer was not read for longer than it takes to wrap, so somewhere a pause looks too short",
            "record an event at least four times per wrap, or use a timer of more bits",
        ),
        Problem::FalseWraps => (
            "times are far too long",
            "let the recorder's clock count up, extend a counter by its own width, and do not set it to 0 while recording",
        ),
        Problem::TimerNotRunning => (
            "no time can be worked out from these timestamps; the order of events is right",
            "start the timer of the recorder's clock before the recording, and check its frequency; QEMU, and some chips, \
             have no cycle counter (DWT): let the recorder read another timer",
        ),
        Problem::OffPace => (
            "all times are wrong by that much, or the kernel's ticks do not come as often as they should",
            "correct the frequency of timestamps in the recorder's configuration (often configCPU_CLOCK_HZ), and see that \
             the timer runs on in sleep; or configTICK_RATE_HZ and what sets the tick's timer; this recording: --tick-rate",
        ),
        Problem::OffPaceSlightly => (
            "all times are wrong by that much; or they are right, and the kernel's ticks are not, whose timer has a clock \
             without a crystal, or cannot give configTICK_RATE_HZ: of 32768 Hz, 1000 ticks a second are 1024 or 993",
            "see that the frequency of timestamps in the recorder's configuration (often configCPU_CLOCK_HZ) and \
             configTICK_RATE_HZ are what the timers are set to; this recording: --tick-rate",
        ),
        Problem::TimerStops => (
            "times and loads are wrong: what the timer left out is missing, most of it where tasks sleep",
            "the cycle counter of Cortex-M (DWT) stops while the core sleeps (WFI): let the recorder read a timer that runs \
             on, or do not sleep while recording",
        ),
        Problem::ShortWait => (
            "the time that is given is missing in each of these waits, and in all later times",
            "a timer that wraps more than once in a sleep without ticks loses turns: let the recorder read a timer that \
             wraps later; see also that it runs on in sleep, and that nothing but the kernel steps its ticks",
        ),
        Problem::TimerSetBack => (
            "times from there on are too long by the given time",
            "do not write to the counter that the recorder's clock reads (as with DWT->CYCCNT = 0 in a delay function: take \
             differences), or give the recorder a separate one",
        ),
        Problem::TimerIsTick => (
            "what happens within a tick of the kernel has no order in time and no length",
            "let the recorder read a timer of 1 MHz or more, and not the tick count (xTaskGetTickCount(), HAL_GetTick())",
        ),
        Problem::NothingRecorded | Problem::StreamRefused => {
            ("there is nothing to show", "start the recorder, and read all that it has recorded")
        }
        Problem::SilentKernel => (
            "the kernel was compiled without the recorder's trace macros",
            "include the recorder's header at the end of the FreeRTOSConfig.h that the kernel is compiled with, and build \
             the kernel again",
        ),
        Problem::SilentHook => (
            "what the macro would report is missing, and what follows from it (who runs, loads, waits) is wrong",
            "include the recorder's header at the end of FreeRTOSConfig.h, and define no trace macro of the kernel after it; \
             see that the recorder filters no such event out",
        ),
        Problem::DropsReversed => (
            "events arrived that the recorder counts as lost",
            "see what the transport reports to the recorder",
        ),
        Problem::NoMetadata => (
            "tasks and other objects are shown by number, and which are idle is not known",
            "record from the start, where the recorder sends names",
        ),
        Problem::EventsDiscarded => (
            "the recorder had no room for events; what happened in that time is not known",
            "make the recorder's buffers larger or its transport faster, or record less",
        ),
        Problem::StateDisagrees => {
            ("events are missing between two packets", "look for losses before it")
        }
        Problem::MetadataLost => (
            "some objects are shown by number, not by name",
            "let the recorder keep names of more objects",
        ),
        Problem::IsrNotEntered => (
            "what such an interrupt does is shown outside of any interrupt, and its time as that of the task it \
             interrupts",
            "report the begin of its handler to the recorder, and its end on every way out",
        ),
        Problem::NameCut => (
            "objects whose names differ only at the end are called the same",
            "let the recorder keep longer names, for tasks also configMAX_TASK_NAME_LEN, or shorten the names",
        ),
        Problem::TimeOutOfRange => {
            ("times are beyond what can be shown", "check the recorder's clock and its frequency")
        }
        Problem::FrequencyConflict => (
            "this value was not used; times may be wrong",
            "check the frequency in the recorder's configuration, or give the truth with --tick-rate",
        ),
        _ => return None,
    };
    Some(Explanation { means, advice })
}
