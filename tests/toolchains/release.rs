//! Every compiler, backend and standard with each of the files.

use tband_tests::c::{STRICT, Standard};
use tband_tests::kernel::sources as kernel;
use tband_tests::root;

use crate::{Project, TOOLCHAINS, including};

#[test]
fn the_library_s_own_c_files_compile_in_each_standard_of_c() {
    for backend in ["STREAMING", "SNAPSHOT", "EXTERNAL"] {
        let project = Project::new(backend);
        for toolchain in &TOOLCHAINS {
            for standard in Standard::C {
                for file in ["port/tband_shim.c", "freertos-hooks/tband_freertos.c"] {
                    project.compile(toolchain, standard, STRICT, &including(&root().join(file)));
                }
            }
        }
    }
}

/// What applications include, and the hooks that their handlers call.
#[test]
fn applications_compile_in_each_standard_of_c_and_cxx() {
    let text = "#include \"FreeRTOS.h\"\n#include \"task.h\"\n#include \"tband.h\"\n\
                #ifdef __cplusplus\nextern \"C\"\n#endif\n\
                void handler(void);\n\
                void handler(void) {\n\
                traceISR_ENTER();\n\
                tband_evtmarker(1, \"text\");\n\
                tband_freertos_task_valmarker(2, -3);\n\
                tband_freertos_queue_name(0, \"queue\");\n\
                if (tband_tracing_enabled()) { traceISR_EXIT_TO_SCHEDULER(); } else { traceISR_EXIT(); }\n\
                }\n";
    let project = Project::new("STREAMING");
    for toolchain in &TOOLCHAINS {
        for standard in Standard::ALL {
            // newlib's own headers are not C++ then.
            if toolchain.options.contains(&"-U__GNUC__") && !Standard::C.contains(&standard) {
                continue;
            }
            project.compile(toolchain, standard, STRICT, text);
        }
    }
}

/// The kernel's files with the hooks in them; the kernel is C99 or newer.
#[test]
fn the_kernel_s_files_compile_with_the_hooks_in_the_oldest_and_the_newest_c() {
    let project = Project::new("STREAMING");
    let mut files: Vec<_> = ["tasks", "queue", "timers", "event_groups", "stream_buffer", "list"]
        .map(String::from)
        .into();
    files.extend((1..=5).map(|heap| format!("portable/MemMang/heap_{heap}")));
    for toolchain in &TOOLCHAINS {
        for standard in [Standard::C99, Standard::C23] {
            for file in &files {
                let path = kernel().join(file).with_extension("c");
                project.compile(toolchain, standard, &["-Wall", "-Werror"], &including(&path));
            }
        }
    }
}
