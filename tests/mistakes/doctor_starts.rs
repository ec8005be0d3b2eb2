//! `tband-cli doctor` and `tband-save` about programs that never start a recording.

use std::path::Path;
use std::process::Command;

use tband_tests::{finish, root, run};

use crate::project::{HOOKS, Project, SHIM, tband_cli};

/// Programs with the recorder's functions, nothing of which starts it: the linker drops the rest.
#[test]
fn a_program_that_never_starts_is_not_one_without_the_recorder() {
    let sections =
        |project: Project| project.option("-ffunction-sections").option("-fdata-sections");
    let kernel = || sections(Project::with_kernel());
    let start = "(void)tband_trigger_snapshot();";
    let silent = kernel().replace("main.c", start, "");
    let program = silent.build(&["main.c", SHIM, HOOKS, "port/POSIX_FREERTOS/tband_port.c"]);
    assert_start_missing(&program);
    // The linker keeps the start, though nothing calls it.
    let kept = silent.option("-fno-function-sections");
    let program = kept.build(&["main.c", SHIM, HOOKS, "port/POSIX_FREERTOS/tband_port.c"]);
    let printed = tband_cli(&["doctor"], &program, 0);
    assert!(printed.contains("  start            not known, "), "{printed}");

    let packets = "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n";
    let body = |call: &str| {
        format!(
            "#include \"tband.h\"\nuint64_t my_timer_ticks(void) {{ return 0; }}\n\
             bool my_send(const uint8_t *buf, size_t len) {{ (void)buf; (void)len; return false; }}\n\
             int main(void) {{ {call} return 0; }}\n"
        )
    };
    for (backend, lines, call) in [
        ("SNAPSHOT", "", "tband_evtmarker(1, \"a\");"),
        ("SNAPSHOT", packets, "return (int)tband_get_core_snapshot_buf_amnt(0);"),
        ("STREAMING", packets, "size_t len; return tband_packet_take(&len) != 0;"),
        ("STREAMING", packets, "uint8_t bytes[64]; return (int)tband_stream_read(bytes, 64);"),
        (
            "POST_MORTEM",
            "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n#define tband_configPACKET_BUF_ATTRIBUTE\n",
            "return tband_freeze();",
        ),
        (
            "POST_MORTEM",
            "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n#define tband_configPACKET_BUF_ATTRIBUTE\n",
            "return tband_post_mortem_available();",
        ),
    ] {
        let project = sections(Project::new())
            .replace("tband_config.h", "SNAPSHOT", backend)
            .add("tband_config.h", lines)
            .file("main.c", &body(call));
        assert_start_missing(&project.build(&["main.c", SHIM]));
    }
    // One that is started again only is started.
    let project = sections(Project::new().streaming())
        .file("main.c", &body("return tband_restart_streaming();"));
    tband_cli(&["doctor"], &project.build(&["main.c", SHIM]), 0);
}

#[track_caller]
fn assert_start_missing(program: &Path) {
    let names = String::from_utf8(run(Command::new("nm").arg(program))).expect("names");
    assert!(names.contains(" tband_"), "{names}");
    let printed = tband_cli(&["doctor"], program, 1);
    assert!(printed.contains("\nmissing: a call that starts the recording\n"), "{printed}");
    assert!(!printed.contains("does not have the recorder"), "{printed}");
    // The program's own file is not changed by the debugger's script.
    let script = root().join("port/tband.gdb");
    let mut debug = Command::new("gdb");
    debug.args(["-batch", "-nx", "-ex", "break main", "-ex", "run"]).arg("-x").arg(script);
    let saved = program.with_extension("bin");
    debug.arg("-ex").arg(format!("tband-save {}", saved.display())).arg(program);
    let text = finish(&mut debug).text();
    // Where debugging is not allowed there is nothing to compare.
    if text.contains("Breakpoint 1, ") && !names.contains("tband_debugger_setup") {
        assert!(text.contains("tband: nothing in this program starts a recording"), "{text}");
        assert!(!saved.exists(), "{text}");
    }
}
