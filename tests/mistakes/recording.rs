//! Mistakes that show at run time only: the program builds, and `tband-cli check` reports the fault of its recording.

use std::path::PathBuf;

use tband_tests::archive;

use crate::integration::with_own_macro;
use crate::project::{HOOKS, Project, SHIM, check, tband_cli};
use crate::{Mistake, MistakeKind};

/// Returns the message for the recording of the device with these options.
fn device(options: &[&str]) -> String {
    let project = options.iter().fold(Project::new(), |it, option| it.option(option));
    check(&project.record())
}

const STREAM: [&str; 2] = ["-DSTART=tband_start_streaming", "-DSTOP=tband_stop_streaming"];

/// Does the same with a stream.
fn stream(options: &[&str]) -> String {
    check(&streamed(options))
}

fn streamed(options: &[&str]) -> PathBuf {
    let options = [&STREAM, options].concat();
    let project = options.iter().fold(Project::new().streaming(), |it, option| it.option(option));
    let recording = project.record();
    // The project goes away with its folder.
    let kept = tempfile::NamedTempFile::new().expect("a file").into_temp_path();
    let kept = kept.keep().expect("kept");
    std::fs::copy(recording, &kept).expect("copied");
    kept
}

/// Returns the message for the recording of the program with tasks, with these lines at the end of its port.
fn tasks(lines: &str) -> String {
    check(&Project::with_kernel().add("tband_port.h", lines).record())
}

pub fn assert_sound() {
    let printed = tband_cli(&["check"], &Project::new().record(), 0);
    assert!(printed.contains("whole"), "{printed}");
    let printed = tband_cli(&["check"], &streamed(&[]), 0);
    assert!(printed.contains("whole"), "{printed}");
    let printed = tband_cli(&["check"], &Project::with_kernel().record(), 0);
    assert!(printed.contains("whole"), "{printed}");
    for work in ["(void)0", "work_until(xTaskGetTickCount() + 2)"] {
        let printed = timer(RIGHT, 80_000_000, work);
        assert!(printed.contains("whole"), "{printed}");
    }
    let project = Project::new();
    tband_cli(&["config"], &project.path("tband_config.h"), 0);
    tband_cli(&["config"], &project.path("tband_port.h"), 0);
}

pub const KIND: MistakeKind = MistakeKind {
    title: "At run time",
    who: "`tband-cli check` reports",
    mistakes: &[
        Mistake {
            what: "it was never started",
            messages: &[
                "damage: recording without an event",
                "call tband_trigger_snapshot() or tband_start_streaming()",
            ],
            made: || device(&["-DNEVER_STARTED"]),
        },
        Mistake {
            what: "a snapshot was read before its stop",
            messages: &[
                "damage: recording without an event",
                "after tband_stop_snapshot() once tband_tracing_finished()",
            ],
            made: || device(&["-DNOT_STOPPED"]),
        },
        Mistake {
            what: "the stream was never started, or not saved",
            messages: &[
                "holds no event (0 bytes): was recording started",
                "tband_start_streaming()",
            ],
            made: || tband_cli(&["check"], &streamed(&["-DNEVER_STARTED"]), 2),
        },
        Mistake {
            what: "`tband_portBACKEND_STREAM_DATA` returns the inverse of its result",
            messages: &[
                "damage: stream that was refused at its start",
                "return false from tband_portBACKEND_STREAM_DATA()",
            ],
            made: || stream(&[REVERSED]),
        },
        Mistake {
            what: "`tband_portBACKEND_STREAM_DATA` returns the inverse, with `tband_restart_streaming()`",
            messages: &[
                "damage: events counted as dropped that arrived",
                "return false from tband_portBACKEND_STREAM_DATA()",
            ],
            made: || {
                let project = Project::new().streaming().option(REVERSED).option(STREAM[1]);
                check(&project.option("-DSTART=tband_restart_streaming").record())
            },
        },
        Mistake {
            what: "the stream's buffer is smaller than the metadata buffer",
            messages: &[
                "damage: stream that was refused at its start",
                "let it take tband_configMETADATA_BUF_SIZE bytes in one call",
            ],
            made: || stream(&["-DSEND=return len > 15 || fwrite(buf, 1, len, stdout) != len;"]),
        },
        Mistake {
            what: "the transport is too slow or the buffer too small",
            messages: &[
                "loss: gap of lost events",
                "make the buffer larger or the transport faster",
            ],
            made: || {
                let send = "-DSEND=static int n; if (n++ % 50 > 20) { return true; } \
                            return fwrite(buf, 1, len, stdout) != len;";
                stream(&[send])
            },
        },
        Mistake {
            what: "other output on the line, such as `printf`",
            messages: &[
                "damage: undecodable frame",
                "check the transport (baud rate, buffer overruns, other output",
            ],
            made: || stream(&["-DPRINT=(void)printf(\"round %d\\n\", number)"]),
        },
        Mistake {
            what: "the port sends a part of a frame",
            messages: &["damage: undecodable frame"],
            made: || {
                let send = "-DSEND=static int n; (void)fwrite(buf, 1, (n++ % 9 == 8) ? len / 2 : len, stdout); \
                            return false;";
                stream(&[send])
            },
        },
        Mistake {
            what: "the file is truncated",
            messages: &[
                "damage: cut-off end",
                "stop the recording before reading it out, and read all of it",
            ],
            made: || {
                let project = Project::new();
                let recording = project.record();
                let bytes = std::fs::read(&recording).expect("a recording");
                std::fs::write(&recording, &bytes[..bytes.len() - 3]).expect("written");
                check(&recording)
            },
        },
        Mistake {
            what: "the timer is not started",
            messages: &[
                "damage: timer that does not run",
                "start the timer that tband_portTIMESTAMP() reads",
            ],
            made: || device(&["-DTIMER=(now = 77)"]),
        },
        Mistake {
            what: "it counts down, with `tband_extend32.h`",
            messages: &["damage: timer that is extended wrongly", "the timer counts down"],
            made: || device(&["-include", "tband_extend32.h", DOWN]),
        },
        Mistake {
            what: "it has 16 bits and is extended as one of 32",
            messages: &[
                "damage: timer that is extended wrongly",
                "fewer bits than it is taken for",
            ],
            made: || device(&["-include", "tband_extend32.h", NARROW]),
        },
        Mistake {
            what: "the timer wraps and is not extended",
            messages: &["damage: timestamp that steps back", "also not when its timer wraps"],
            made: || device(&["-DTIMER=(now += 10) % 3000"]),
        },
        Mistake {
            what: "a handler returns without an exit",
            messages: &[
                "damage: missing ISR exit",
                "isr UART is entered again on core 0",
                "calls tband_isr_exit()",
            ],
            made: || device(&["-DNO_ISR_EXIT"]),
        },
        Mistake {
            what: "an exit without an enter",
            messages: &["damage: ISR exit without enter", "calls tband_isr_enter()"],
            made: || device(&["-DEACH_ROUND=tband_isr_exit(7)"]),
        },
        Mistake {
            what: "an exit with another number",
            messages: &["damage: ISR exit without enter", "damage: missing ISR exit"],
            made: || device(&["-DEACH_ROUND=tband_isr_enter(3);tband_isr_exit(4)"]),
        },
        Mistake {
            what: "an end without a begin",
            messages: &[
                "damage: span end without begin",
                "tband_evtmarker_begin() and _end() come in pairs",
            ],
            made: || device(&["-DEACH_ROUND=tband_evtmarker_end(1)"]),
        },
        Mistake {
            what: "the metadata buffer is too small",
            messages: &["loss: core with lost metadata", "raise tband_configMETADATA_BUF_SIZE"],
            made: || {
                let line = "#define tband_configMETADATA_BUF_SIZE 12\n";
                check(&Project::new().add("tband_config.h", line).record())
            },
        },
        Mistake {
            what: "files of two cores without `@`",
            messages: &[
                "damage: files of one core that overlap in time",
                "name each file's core as in FILE@1",
            ],
            made: || {
                let (project, other) =
                    (Project::new(), Project::new().option("-DTIMER=(now += 11)"));
                let name = project.record().display().to_string();
                tband_cli(&["check", &name], &other.record(), 1)
            },
        },
        Mistake {
            what: "a recording and its copy",
            messages: &["have the same content: one is a copy"],
            made: || {
                let project = Project::new();
                let recording = project.record();
                let copy = project.path("copy.bin");
                std::fs::copy(&recording, &copy).expect("copied");
                let name = recording.display().to_string();
                tband_cli(&["check", &name], &copy, 2)
            },
        },
        Mistake {
            what: "the chip, or QEMU, lacks the counter",
            messages: &[
                "damage: timer that does not run",
                "have no cycle counter (DWT): read another timer, with tband_portCOUNTER32()",
            ],
            made: || device(&["-DTIMER=(now = 0)"]),
        },
        Mistake {
            what: "the critical section masks nothing, and an interrupt records inside an event",
            messages: &[
                "damage: timestamp that steps back",
                "none above configMAX_SYSCALL_INTERRUPT_PRIORITY may",
            ],
            made: || {
                // It strikes when the time of the event was read.
                let strikes = "-DTIMER=({ static int inside; const uint64_t read = now += 10; \
                               if (!inside && (read % 500) == 0) { \
                               inside = 1; tband_valmarker(3, 1); inside = 0; } read; })";
                device(&[strikes])
            },
        },
        Mistake {
            what: "other code writes to the snapshot buffer",
            messages: &["damage: undecodable frame", "a snapshot has no transport: make sure that"],
            made: || {
                let read = "-DREAD=({ char *it = (char *)tband_get_core_snapshot_buf(0); \
                            for (int at = 500; at < 530; at++) it[at] = 77; \
                            (void)fwrite(it, 1, tband_get_core_snapshot_buf_amnt(0), stdout); })";
                device(&[read])
            },
        },
        Mistake {
            what: "it is longer than 20 characters",
            messages: &["note: name that seems to be cut off", "raise tband_configMAX_STR_LEN"],
            made: || {
                let longer = "\"work of the machine, and more\"";
                let project = Project::new().replace("main.c", "\"work\"", longer);
                tband_cli(&["check"], &project.record(), 0)
            },
        },
        Mistake {
            what: "`configMAX_TASK_NAME_LEN` cuts several to the same name",
            messages: &[
                "note: name that seems to be cut off",
                "2 tasks are called communicati, which has 11 characters",
                "for tasks configMAX_TASK_NAME_LEN",
            ],
            made: || {
                let project = Project::with_kernel()
                    .replace("main.c", "\"slow\"", "\"communication_slow\"")
                    .replace("main.c", "\"fast\"", "\"communication_fast\"");
                tband_cli(&["check"], &project.record(), 0)
            },
        },
        Mistake {
            what: "1 GHz declared as 1 MHz",
            messages: &[
                "damage: time that the kernel's ticks contradict",
                "correct tband_portTIMESTAMP_FREQUENCY_HZ",
            ],
            made: || {
                tasks(
                    "#undef tband_portTIMESTAMP_FREQUENCY_HZ\n\
                     #define tband_portTIMESTAMP_FREQUENCY_HZ 1000000\n",
                )
            },
        },
        Mistake {
            what: "1 MHz declared as 1 GHz",
            messages: &["damage: time that the kernel's ticks contradict", "times too short"],
            made: || timer("ns / 1000", 1_000_000_000, "(void)0"),
        },
        Mistake {
            what: "72 MHz declared as 80 MHz",
            messages: &[
                "damage: time that the kernel's ticks contradict",
                "times are 10 % too short",
                "about 72 MHz",
            ],
            made: || timer("ns * 72 / 1000", 80_000_000, "(void)0"),
        },
        Mistake {
            what: "80 MHz declared as 72 MHz",
            messages: &[
                "damage: time that the kernel's ticks contradict",
                "times are 11 % too long",
                "about 80 MHz",
            ],
            made: || timer("ns * 80 / 1000", 72_000_000, "(void)0"),
        },
        Mistake {
            what: "77 MHz declared as 80 MHz",
            messages: &[
                "note: time that the kernel's ticks contradict by a few per cent",
                "times are 3.",
                "the timer seems to count at about 7",
            ],
            made: || timer(NEARLY_RIGHT, 80_000_000, "(void)0"),
        },
        Mistake {
            what: "it stops in sleep, like the cycle counter of Cortex-M",
            messages: &[
                "damage: timer that stops now and then",
                "the timer stops now and then",
                "define tband_portCOUNTER32()",
            ],
            made: || {
                let work = "work_until(xTaskGetTickCount() + (round % 4))";
                timer("without_sleep(ns) * 8 / 100", 80_000_000, work)
            },
        },
        Mistake {
            what: "the application resets it, as with `DWT->CYCCNT = 0`",
            messages: &[
                "damage: timer that was set back",
                "it was set to 0 in between",
                "do not write to the counter",
            ],
            made: || {
                let counter = "({ static tband_extend32_state it; \
                               tband_extend32(&it, (uint32_t)((ns - set_back_at) / 40)); })";
                // Repeatedly, because it is noticed where another task waits for the clock at the same time; but fewer times
                // than would make it a timer of fewer bits.
                timer(counter, 25_000_000, "if (round % 6 == 3) set_back_at = virtual_ns()")
            },
        },
        Mistake {
            what: "the same, in a short recording with FreeRTOS",
            messages: &["damage: timer that is extended wrongly", "it has 16 bits"],
            made: || {
                let counter = "({ static tband_extend32_state it; \
                               tband_extend32(&it, (uint32_t)((ns / 1000) & 0xFFFF)); })";
                timer(counter, 1_000_000, "(void)0")
            },
        },
        Mistake {
            what: "the timer wraps more than once in tickless idle, without `tband_portTIMESTAMP_ADD_WRAPS()`",
            messages: &["damage: wait that is shorter than its ticks", "wraps every 4.3 s"],
            made: || {
                let counter = "({ static tband_extend32_state it; \
                               tband_extend32(&it, (uint32_t)ns); })";
                let sleep = "#define configUSE_TICKLESS_IDLE 2\n\
                             #define portSUPPRESS_TICKS_AND_SLEEP(ticks) vTaskStepTick((ticks) - 1)\n";
                let project = with_timer(counter, 1_000_000_000)
                    .replace(
                        "FreeRTOSConfig.h",
                        "#include \"tband.h\"",
                        &format!("{sleep}#include \"tband.h\""),
                    )
                    .replace("main.c", "vTaskDelay(7)", "vTaskDelay(20000)")
                    .replace("main.c", "vTaskDelay(5)", "vTaskDelay(9000)");
                check(&project.record())
            },
        },
        Mistake {
            what: "the timestamp is the tick count",
            messages: &[
                "damage: timer as coarse as the kernel's tick",
                "read a timer of 1 MHz or more",
            ],
            made: || timer("ns / 1000000", 1000, "(void)0"),
        },
        Mistake {
            what: "the timestamp is the tick count in microseconds",
            messages: &[
                "damage: timer as coarse as the kernel's tick",
                "exactly with a tick of the kernel",
            ],
            made: || timer("ns / 1000000 * 1000", 1_000_000, "(void)0"),
        },
        Mistake {
            what: "`tband_configUSE_METADATA_BUF` is 0, and recording started after the tasks were created",
            messages: &[
                "loss: recording without its metadata",
                "keep tband_configUSE_METADATA_BUF at 1",
            ],
            made: || {
                let project = Project::with_kernel()
                    .add("tband_config.h", "#define tband_configUSE_METADATA_BUF 0\n")
                    .replace("main.c", "(void)tband_trigger_snapshot();", "");
                // When the kernel has created its own tasks.
                let project = project.replace(
                    "main.c",
                    "for (int round = 0;",
                    "(void)tband_trigger_snapshot();\n  for (int round = 0;",
                );
                check(&project.record())
            },
        },
        Mistake {
            what: "the kernel was compiled with another `FreeRTOSConfig.h`, without `tband.h`",
            messages: &["damage: kernel that records nothing", "with #include \"tband.h\""],
            made: || without_hooks(Project::with_kernel()),
        },
        Mistake {
            what: "the kernel was compiled without `tband.h`, in a program without markers",
            messages: &[
                "damage: recording without an event",
                "damage: kernel that records nothing",
                "with #include \"tband.h\"",
            ],
            made: || {
                let project = Project::with_kernel();
                let project = project.replace("main.c", "tband_valmarker(1, round);", "");
                let project = project.replace("main.c", "tband_valmarker(1, -round);", "");
                without_hooks(project)
            },
        },
        Mistake {
            what: "your macro for task switches, with `tband_configALLOW_OWN_TRACE_MACROS`",
            messages: &[
                "damage: trace macro of the kernel that does not record",
                "none is ever switched in: traceTASK_SWITCHED_IN does not record",
                "define no trace macro of the kernel after it",
            ],
            made: || own_macro("traceTASK_SWITCHED_IN()"),
        },
        Mistake {
            what: "a handler calls `portYIELD_FROM_ISR()` without `traceISR_ENTER()`",
            messages: &[
                "note: interrupt that yields without an enter",
                "isr 7 ends on core 0 with a switch to another task, and was not entered",
                "call traceISR_ENTER() first in its handler",
            ],
            made: || {
                let lines = "#define tband_portISR_NUMBER() 7\n";
                let project = Project::with_kernel().add("tband_config.h", lines);
                // What the kernel's ports have in portYIELD_FROM_ISR().
                let project = project.option("-DEACH_ROUND=traceISR_EXIT_TO_SCHEDULER()");
                tband_cli(&["check"], &project.record(), 0)
            },
        },
        Mistake {
            what: "your macro for ready tasks",
            messages: &[
                "damage: trace macro of the kernel that does not record",
                "none ever becomes ready: traceMOVED_TASK_TO_READY_STATE does not record",
            ],
            made: || own_macro("traceMOVED_TASK_TO_READY_STATE(task)"),
        },
        Mistake {
            what: "your macro for created tasks",
            messages: &[
                "damage: trace macro of the kernel that does not record",
                "a task with the number 0",
            ],
            made: || own_macro("traceTASK_CREATE(task)"),
        },
    ],
};

/// The program with tasks, with a timer that counts so and as many Hz as the port states.
fn with_timer(count: &str, hz: u32) -> Project {
    let lines = format!(
        "#include <stdint.h>\nuint64_t my_timer_ticks(void);\n\
         #undef tband_portTIMESTAMP\n#define tband_portTIMESTAMP() my_timer_ticks()\n\
         #undef tband_portTIMESTAMP_FREQUENCY_HZ\n#define tband_portTIMESTAMP_FREQUENCY_HZ {hz}\n\
         #undef tband_portTIMESTAMP_RESOLUTION_NS\n"
    );
    Project::with_kernel().add("tband_port.h", &lines).option(&format!("-DTIMER={count}"))
}

/// What `check` reports about that program, which does this in each round.
fn timer(count: &str, hz: u32, each_round: &str) -> String {
    let project = with_timer(count, hz).option(&format!("-DEACH_ROUND={each_round}"));
    let is_whole = count == RIGHT || count == NEARLY_RIGHT;
    tband_cli(&["check"], &project.record(), if is_whole { 0 } else { 1 })
}

/// 80 MHz.
const RIGHT: &str = "ns * 8 / 100";
/// As far off as clocks without a crystal may be.
const NEARLY_RIGHT: &str = "ns * 77 / 1000";

/// Returns the message for the recording of this program, whose kernel knows nothing of tband.
fn without_hooks(project: Project) -> String {
    let sources = ["main.c", SHIM, HOOKS, "port/POSIX_FREERTOS/tband_port.c"];
    let mut files = project.objects(&sources);
    let project = project.replace("FreeRTOSConfig.h", "#include \"tband.h\"", "");
    files.push(project.kernel_object());
    files.push(archive().to_owned());
    let program = project.link(&files).unwrap_or_else(|printed| panic!("{printed}"));
    check(&project.run(&program))
}

/// Returns the message if the application replaces tband's macro, and has the build allow it.
fn own_macro(signature: &str) -> String {
    let project = with_own_macro(signature, "((void)0)");
    let allowed = "#define tband_configALLOW_OWN_TRACE_MACROS 1\n";
    check(&project.add("tband_config.h", allowed).record())
}

const DOWN: &str = "-DTIMER=({ static tband_extend32_state it; now += 10; \
                    tband_extend32(&it, 0xFFFFFFFFU - (uint32_t)now); })";
const NARROW: &str = "-DTIMER=({ static tband_extend32_state it; now += 1000; \
                      tband_extend32(&it, (uint32_t)now & 0xFFFFU); })";
const REVERSED: &str = "-DSEND=return fwrite(buf, 1, len, stdout) == len;";
