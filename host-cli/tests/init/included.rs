//! Headers that the compiler's flags include, and files of flags.

use crate::support::{cli, finish};
use crate::{LISTS, with_cmake};

/// `doctor` and `init` read a header that a flag includes before each source, and a file with flags.
#[test]
fn trace_macros_in_included_headers_collide() {
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
}

#[test]
fn a_file_of_flags_names_the_cpu() {
    let project = with_cmake();
    let lists = LISTS.replace("-mcpu=cortex-m4 -mfloat-abi=hard", "@cpu.rsp");
    project.put("CMakeLists.txt", &lists);
    project.put("cpu.rsp", "-mthumb\n-mcpu=cortex-m3\n");
    project.cycle(&[], 0, |_, printed| {
        assert!(printed.contains("cortex-m3 (cpu.rsp:2: "), "{printed}");
    });
}
