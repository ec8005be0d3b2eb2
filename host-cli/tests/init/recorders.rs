//! Projects with another recorder.

use crate::support::{cli, finish};
use crate::{CONFIG, LISTS, Project, TASK_H, with_cmake};

fn config(line: &str) -> String {
    CONFIG.replace("\n#endif", &format!("\n#if 1\n{line}\n#endif\n\n#endif"))
}

#[test]
fn colliding_macros_are_named_and_the_line_is_taken_out() {
    for (name, line, header, macros) in [
        (
            "SEGGER SystemView",
            "#include \"SEGGER_SYSVIEW_FreeRTOS.h\"",
            "rtt/SEGGER_SYSVIEW_FreeRTOS.h",
            "#define traceTASK_SWITCHED_IN() x\n#define traceQUEUE_SEND( pxQueue ) y\n// #define traceMALLOC()\n#define traceNOT_OF_THE_KERNEL() z\n",
        ),
        (
            "Percepio TraceRecorder",
            "#include <trcRecorder.h>",
            "trace/trcKernelPort.h",
            "#undef traceTASK_SWITCHED_IN\n#  define traceTASK_SWITCHED_IN() x\n#define traceQUEUE_SEND( pxQueue ) \\\n  y\n",
        ),
    ] {
        let project = with_cmake();
        project.put("FreeRTOSConfig.h", &config(line));
        project.put(header, macros);
        project.cycle(&[], 0, |project, printed| {
            let expected = format!(
                "{name} uses the kernel's trace macros: FreeRTOSConfig.h:8: {line}; both define 2 macros: traceQUEUE_SEND, traceTASK_SWITCHED_IN"
            );
            assert!(printed.contains(&expected), "{printed}");
            let text = project.text("FreeRTOSConfig.h");
            assert!(!text.contains(line) && text.contains("#include \"tband.h\""), "{text}");
        });
    }
    let project = with_cmake();
    project.put("FreeRTOSConfig.h", &config("#include \"SEGGER_SYSVIEW_FreeRTOS.h\""));
    project.cycle(&[], 0, |_, printed| {
        assert!(printed.contains("its header is not in the folder"), "{printed}")
    });
    // In a comment it is none.
    let project = with_cmake();
    project.put("FreeRTOSConfig.h", &config("/* #include \"trcRecorder.h\" */"));
    project.cycle(&[], 0, |project, printed| {
        assert!(!printed.contains("recorder:"), "{printed}");
        assert!(project.text("FreeRTOSConfig.h").contains("trcRecorder.h"));
    });
}

#[test]
fn macros_elsewhere_are_refused() {
    // Of the project itself, and through another header.
    for (line, file, text, place) in [
        ("#define traceTASK_CREATE(t) mine(t)", "a.h", "", "FreeRTOSConfig.h:8"),
        ("#include \"hooks.h\"", "hooks.h", "\n#define traceTASK_CREATE(t) mine(t)\n", "hooks.h:2"),
    ] {
        let project = with_cmake();
        project.put("FreeRTOSConfig.h", &config(line));
        project.put(file, text);
        let printed = project.refused(&[]);
        assert!(printed.contains(place) && printed.contains("traceTASK_CREATE"), "{printed}");
    }
    // Of the flags of the compiler, and of the commands of an earlier build.
    let flag = "-DtraceTASK_CREATE(t)=mine(t)";
    for (file, text, place) in [
        ("CMakeLists.txt", format!("{LISTS}add_compile_options(\"{flag}\")\n"), "CMakeLists.txt:7"),
        (
            "build/compile_commands.json",
            format!("[\n{{\"command\": \"gcc {flag}\"}}]"),
            "compile_commands.json:2",
        ),
    ] {
        let project = with_cmake();
        project.put(file, &text);
        let printed = project.refused(&[]);
        assert!(printed.contains(place) && printed.contains("traceTASK_CREATE"), "{printed}");
        project.put(file, &text.replace("traceTASK_CREATE", "traceMINE"));
        project.cycle(&[], 0, |_, _| {});
    }
    // Of a header that a flag includes before each source, and of a file with flags.
    let defines = "\n#define traceTASK_CREATE(t) mine(t)\n";
    let header = ("inc/my trace.h", defines);
    let flags = ("my flags.rsp", "-O2\n\"-DtraceTASK_CREATE(t)=mine(t)\"\n");
    for (option, (name, text)) in [
        ("SHELL:-include '${CMAKE_SOURCE_DIR}/inc/my trace.h'", header),
        ("-include;inc/my trace.h", header),
        ("-include;${UNKNOWN}/my trace.h", header),
        ("@${CMAKE_CURRENT_LIST_DIR}/my flags.rsp", flags),
    ] {
        let project = with_cmake();
        project.put("CMakeLists.txt", &format!("{LISTS}add_compile_options(\"{option}\")\n"));
        project.cycle(&[], 0, |_, _| {});
        project.put(name, text);
        let place = format!("{name}:2");
        let printed = project.refused(&[]);
        assert!(printed.contains(&place) && printed.contains("traceTASK_CREATE"), "{printed}");
        let examined = finish(cli(&["doctor"]).arg(&project.path));
        let printed = String::from_utf8_lossy(&examined.stdout).into_owned();
        assert!(printed.contains(&format!("{place}: traceTASK_CREATE")), "{printed}");
        project.put(name, &text.replace("mine(t)", "tband_traceTASK_CREATE(t)"));
        project.cycle(&[], 0, |_, _| {});
    }
    // A file of flags with the CPU.
    let project = with_cmake();
    let lists = LISTS.replace("-mcpu=cortex-m4 -mfloat-abi=hard", "@cpu.rsp");
    project.put("CMakeLists.txt", &lists);
    project.put("cpu.rsp", "-mthumb\n-mcpu=cortex-m3\n");
    project.cycle(&[], 0, |_, printed| {
        assert!(printed.contains("cortex-m3 (cpu.rsp:2: "), "{printed}");
    });
    // Macros that only the project has do not collide.
    let project = with_cmake();
    project.put("FreeRTOSConfig.h", &config("#define traceMINE() 1"));
    project.cycle(&[], 0, |_, _| {});
}

#[test]
fn an_older_kernel_is_not_recorded_and_nothing_collides() {
    let project: Project = with_cmake();
    project.put("FreeRTOSConfig.h", &config("#include \"trcRecorder.h\""));
    project.put("rtos/task.h", &TASK_H.replace("MINOR 3", "MINOR 0"));
    project.cycle(&[], 0, |project, printed| {
        assert!(!printed.contains("TraceRecorder"), "{printed}");
        assert!(project.text("FreeRTOSConfig.h").contains("trcRecorder.h"));
    });
}
