//! Meaning and remedy of each kind of finding in a recording of tband.

use tband_conv::diagnostics::Problem;

use super::Explanation;

/// Explains a kind of finding.
#[must_use]
pub const fn explain(problem: Problem) -> Explanation {
    let (means, advice) = match problem {
        Problem::UndecodableFrame => (
            "bytes were changed or lost on the way, or on the target while they were written; the events in them \
             are missing",
            "for a stream check the transport (baud rate, buffer overruns, other output on the same line); a snapshot \
             has no transport: make sure that tband_portENTER_CRITICAL_FROM_ANY() locks out every interrupt that \
             records, that no interrupt above configMAX_SYSCALL_INTERRUPT_PRIORITY records, and that nothing else writes to \
             the buffer",
        ),
        Problem::UnknownEvent => (
            "the recorder is newer than this program and the layouts of its events are missing here, or bytes were \
             changed on the way; the event is left out",
            "use a tband-cli of the recorder's version or a newer one; read the recording from its start",
        ),
        Problem::UnknownInPacket => (
            "the recorder is newer than this program and the layouts of its events are missing here, or come later, or \
             the packet was damaged in the target's memory; the rest of the packet is left out",
            "use a tband-cli of the recorder's version or a newer one; read the recording from its start, or ask for \
             the metadata again where you join late (tband_request_metadata())",
        ),
        Problem::BadSchema => (
            "the recording has an invalid layout of an event that this version does not know; such events are \
             left out",
            "use a tband-cli of the recorder's version or a newer one; if it reports the same, the metadata was damaged",
        ),
        Problem::NewerEvents => (
            "the recorder is newer than this program: these events are whole in dumps, counts and CTF traces, and what \
             they mean is not known",
            "a newer tband-cli shows them",
        ),
        Problem::WrongMode => (
            "the recording has FreeRTOS events, which were left out",
            "use --mode free-rtos or --mode auto",
        ),
        Problem::ForeignLoss => (
            "the recording shows that events are missing here: of a text that is filtered, those of other processes; what \
             happened in that time is not known",
            "record all processes, with larger buffers",
        ),
        Problem::ForeignDamage => (
            "bytes were changed or lost on the way; they are left out up to where the format can be read again; times after \
             them may be too early in formats that record the time since the event before",
            "check the transport, and record again",
        ),
        Problem::CutOff => (
            "the last event is not whole; all before it is used",
            "stop the recording before reading it out, and read all of it",
        ),
        Problem::CoreOutOfRange => (
            "events name a core that should not exist",
            "give the right --core-count; check tband_portNUMBER_OF_CORES and tband_portGET_CORE_ID()",
        ),
        Problem::TimeStepBack => (
            "the clock went back: single events are shown at the time reached before; where it stays back, time \
             continues from there",
            "check that tband_portTIMESTAMP() never goes back, also not when its timer wraps, and that \
             tband_portENTER_CRITICAL_FROM_ANY() locks out every interrupt that records: none above \
             configMAX_SYSCALL_INTERRUPT_PRIORITY may",
        ),
        Problem::FilesOverlap => (
            "files that are taken to be of one core have events of the same time",
            "name each file's core as in FILE@1; give the files of one core in their order",
        ),
        Problem::TimeJump => (
            "one timestamp cannot be true; the event is shown at the time before it",
            "check that tband_portTIMESTAMP() reads high and low half of its timer as one",
        ),
        Problem::TaskOnTwoCores => (
            "a switch is missing, or events are on the wrong core",
            "check file@CORE of the inputs and tband_portGET_CORE_ID()",
        ),
        Problem::DeletedTask => (
            "the creation of a task that reuses a number is missing; a new task is assumed",
            "look for losses before it",
        ),
        Problem::IsrExitWithoutEnter => (
            "the interrupt's enter is missing; the exit is left out",
            "check that every path into the handler calls tband_isr_enter()",
        ),
        Problem::IsrExitMissing => (
            "the interrupt is taken to end with the one around it, or its end is not known",
            "check that every path out of the handler calls tband_isr_exit(), or in the class ISR \
             traceISR_EXIT() or portYIELD_FROM_ISR()",
        ),
        Problem::SpanEndWithoutBegin => (
            "the span's begin is missing; the end is left out",
            "check that tband_evtmarker_begin() and _end() come in pairs",
        ),
        Problem::TooMany => (
            "more objects or deeper nesting than can be true; the excess is not shown",
            "look for damage before it; ids must be small numbers, not addresses",
        ),
        Problem::TimeNotKept => (
            "a pause without events that lasts as long as that timer takes to wrap, or longer, is shown too short by whole wraps",
            "call tband_keep_time() at least four times per wrap, and define tband_configTIME_IS_KEPT 1 in tband_config.h; or use a timer of 64 bits",
        ),
        Problem::UnseenTurns => (
            "the timer was not read for longer than its lower 32 bits take to wrap, so somewhere in that packet a pause looks too short; the next packet is right",
            "call tband_keep_time() at least four times per wrap of 32 bits, or do not define tband_portTIMESTAMP_RAW()",
        ),
        Problem::FalseWraps => (
            "times are far too long",
            "let tband_portTIMESTAMP() count up (0xFFFFFFFF - COUNT for a counter of 32 bits that counts \
             down), extend a counter by its own width (tband_extend32.h is for 32 bits), and do not set it to 0 \
             while recording",
        ),
        Problem::TimerNotRunning => (
            "no time can be worked out from these timestamps; the order of events is right",
            "start the timer that tband_portTIMESTAMP() reads before the recording (define \
             tband_portTIMESTAMP_START()), and check its clock and tband_portTIMESTAMP_FREQUENCY_HZ; QEMU, and \
             some chips, have no cycle counter (DWT): read another timer, with tband_portCOUNTER32() and \
             tband_portCOUNTER32_HZ, or SysTick by tband_port_systick() of tband_systick_timer.h",
        ),
        Problem::OffPace => (
            "all times are wrong by that much, or the kernel's ticks do not come as often as they should",
            "correct tband_portTIMESTAMP_FREQUENCY_HZ (tband_portCPU_CLOCK_HZ in tband's ports, \
             configCPU_CLOCK_HZ with FreeRTOS), and see that the timer runs on in sleep; or \
             configTICK_RATE_HZ and what sets the tick's timer; this recording: --tick-rate",
        ),
        Problem::OffPaceSlightly => (
            "all times are wrong by that much; or they are right, and the kernel's ticks are not, whose timer has a clock \
             without a crystal, or cannot give configTICK_RATE_HZ: of 32768 Hz, 1000 ticks a second are 1024 or 993",
            "see that tband_portTIMESTAMP_FREQUENCY_HZ (tband_portCPU_CLOCK_HZ in tband's ports, configCPU_CLOCK_HZ with \
             FreeRTOS) and configTICK_RATE_HZ are what the timers are set to; this recording: --tick-rate",
        ),
        Problem::TimerStops => (
            "times and loads are wrong: what the timer left out is missing, most of it where tasks sleep",
            "the cycle counter of Cortex-M (DWT) stops while the core sleeps (WFI): take the port of your chip with a \
             timer that runs on (STM32_FREERTOS, NRF_FREERTOS), or define tband_portCOUNTER32() as such a timer, \
             with tband_portCOUNTER32_HZ, or tband_portTIMESTAMP(); or do not sleep while recording",
        ),
        Problem::ShortWait => (
            "the time that is given is missing in each of these waits, and in all later times",
            "a timer that wraps more than once in a sleep without ticks loses turns: define tband_portTIMESTAMP_ADD_WRAPS() in \
             tband_port.h, with tband_configTICK_KEEPS_TIME 1, or read a timer that wraps later; see also that the timer runs \
             on in sleep, and that nothing but the kernel steps its ticks",
        ),
        Problem::TimerSetBack => (
            "times from there on are too long by the given time",
            "do not write to the counter that tband_portTIMESTAMP() reads (as with DWT->CYCCNT = 0 in a delay \
             function: take differences), or give the recorder a separate one: tband_portCOUNTER32()",
        ),
        Problem::TimerIsTick => (
            "what happens within a tick of the kernel has no order in time and no length",
            "let tband_portTIMESTAMP() read a timer of 1 MHz or more, and not the tick count (xTaskGetTickCount(), \
             HAL_GetTick()); tband's ports have one: the cycle counter, SysTick, or tband_portCOUNTER32()",
        ),
        Problem::NothingRecorded => (
            "there is nothing to show",
            "call tband_trigger_snapshot() or tband_start_streaming(), and read a snapshot after \
             tband_stop_snapshot() once tband_tracing_finished() is true: before, its length is 0",
        ),
        Problem::StreamRefused => (
            "tband_start_streaming() gave -2 and left recording off",
            "return false from tband_portBACKEND_STREAM_DATA() when the bytes were taken, true when they \
             were dropped; let it take tband_configMETADATA_BUF_SIZE bytes in one call",
        ),
        Problem::SilentKernel => (
            "the kernel was compiled without tband's hooks",
            "end the FreeRTOSConfig.h that the kernel is compiled with with #include \"tband.h\", \
             let it find the same tband_config.h, and build the kernel again",
        ),
        Problem::SilentHook => (
            "what the macro would report is missing, and what follows from it (who runs, loads, waits) is wrong",
            "end FreeRTOSConfig.h with #include \"tband.h\", and define no trace macro of the kernel after it, also \
             in no header that the kernel includes later; one of yours has to contain what tband defines it as \
             (freertos-hooks)",
        ),
        Problem::DropsReversed => (
            "nearly all events were given up, though there was room for them",
            "return false from tband_portBACKEND_STREAM_DATA() (or tband_submit_to_backend()) when the \
             bytes were taken, and true when they were dropped",
        ),
        Problem::NoMetadata => (
            "tasks and other objects are shown by number, and which are idle is not known",
            "record from the start, or keep the packets of the metadata stream; with frames write \
             tband_get_metadata_buf() before the snapshot, start a stream with \
             tband_start_streaming(), and keep tband_configUSE_METADATA_BUF at 1",
        ),
        Problem::EventsLost => (
            "the target had no room for events; what happened in that time is not known",
            "make the buffer larger or the transport faster, or record less",
        ),
        Problem::EventsDiscarded => (
            "no packet of the core was free; its events of that time are not known",
            "raise tband_configPACKET_COUNT, make the transport faster, or record less",
        ),
        Problem::PacketsLost => (
            "packets of a core did not arrive, or not whole; what happened in that time is not known",
            "see what the transport does with bytes that it cannot send at once",
        ),
        Problem::SourceGap => (
            "the connection to the target was lost, and record continued when it was there again; events in between are missing",
            "see why the connection was lost",
        ),
        Problem::OverwrittenStart => (
            "the recording is a ring, and begins with the first packets after those that were overwritten",
            "",
        ),
        Problem::NotKept => (
            "record --keep removed files between the first one and those that are left; events in between are not known",
            "",
        ),
        Problem::FirstPacketsLost => (
            "the recording begins with packet 0 of another core, so the first packets of this core did not arrive",
            "start to receive before the recording starts; if each core has its own file, name the first file of each",
        ),
        Problem::DamagedPacket => (
            "bytes came that the target has not sent so, or the start of a packet is missing; it counts as lost",
            "for a stream make sure that the line has the same baud rate at both ends, and that the buffer for received \
             bytes is large enough; a recording read from memory has no line: make sure that \
             tband_portENTER_CRITICAL_FROM_ANY() locks out every interrupt that records, and that none above \
             configMAX_SYSCALL_INTERRUPT_PRIORITY does",
        ),
        Problem::BytesChanged => (
            "a program or a line on the way has changed the bytes, and the sent bytes cannot be worked out from them; \
             these packets count as lost",
            "record again with what the list of changes above advises",
        ),
        Problem::BytesRestored => (
            "a program or a line on the way has changed the bytes; the packets' checks prove that the sent data is \
             restored, and all commands read that",
            "see the list of changes above, so that it does not happen again",
        ),
        Problem::TextOnLine => (
            "something else prints on the same line as the recording; it cost no packet here",
            "print on another port than the recording: a text may come into the middle of a packet",
        ),
        Problem::BytesAdded => ("it cost no packet here", "see the list of changes above"),
        Problem::NeverWritten => (
            "the file is longer than the recording: the rest is zeros, or FF as in erased flash",
            "",
        ),
        Problem::StateDisagrees => (
            "a packet begins with another running task or open interrupt than the one before has ended with",
            "report this to those who make tband",
        ),
        Problem::MetadataLost => {
            ("some objects are shown by number, not by name", "raise tband_configMETADATA_BUF_SIZE")
        }
        Problem::IsrNotEntered => (
            "what such an interrupt does is shown outside of any interrupt, and its time as that of the task it \
             interrupts",
            "call traceISR_ENTER() first in its handler, and traceISR_EXIT() or portYIELD_FROM_ISR() on every way \
             out; if you want no interrupts in the recording, set tband_configFREERTOS_ISR_TRACE_ENABLE to 0",
        ),
        Problem::OtherProgram => (
            "records are shown without their texts, and crashes without their places",
            "give with --elf the program that was flashed when this was recorded",
        ),
        Problem::Halt => (
            "a debugger has halted the core, or code ran with interrupts off (erasing flash memory, for example); \
             in that time the owner of the core is not known, so it is not part of loads and CPU times",
            "nothing, if it was a debugger; else look at what runs before it for a critical section, or a wait in one",
        ),
        Problem::NameCut => (
            "objects whose names differ only at the end are called the same",
            "raise tband_configMAX_STR_LEN (20 if unset), and for tasks configMAX_TASK_NAME_LEN, or shorten the \
             names; the metadata buffer must have room for longer ones (tband_configMETADATA_BUF_SIZE)",
        ),
        Problem::CreateFailed => (
            "the firmware asked for an object and got none; the recording itself is whole",
            "raise configTOTAL_HEAP_SIZE, or look at what takes the memory",
        ),
        Problem::EmptyInput => (
            "nothing happened on the core that the file is of, or its events were not read; the other files are used",
            "see that the core records, and that its buffer is read out when recording has stopped",
        ),
        Problem::StreamStart => {
            ("the recording was stopped and started again; the time in between is not known", "")
        }
        Problem::CutByRestart => (
            "a reset interrupted the target while it wrote; the events in that packet or frame are lost, and all \
             others are there",
            "",
        ),
        Problem::Restart => ("the target was reset; time continues from where it was", ""),
        Problem::NoResolution => (
            "times are shown in ticks of the timestamps' timer, and rates per second are not known",
            "record from the start, or give the frequency of the timer with --tick-rate",
        ),
        Problem::NoOwnResolution => (
            "times of this input are wrong if its timer counts at another frequency than that of the other input",
            "read it without the others, with its own --tick-rate",
        ),
        Problem::TimeOutOfRange => (
            "times are beyond what can be shown",
            "check tband_portTIMESTAMP() and tband_portTIMESTAMP_FREQUENCY_HZ",
        ),
        Problem::FrequencyChange => {
            ("the clock of the target was changed; times follow it from there on", "")
        }
        Problem::FrequencyConflict => (
            "this value was not used; times may be wrong",
            "check tband_portTIMESTAMP_FREQUENCY_HZ and tband_portTIMESTAMP_RESOLUTION_NS, or give the \
             truth with --tick-rate",
        ),
        _ => ("", ""),
    };
    Explanation { means, advice }
}
