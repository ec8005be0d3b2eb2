//! Mistakes of the build: files, libraries and their order. The messages are the linker's own.

use tband_tests::archive;
use tband_tests::c::Standard;

use crate::project::{HOOKS, Project, SHIM};
use crate::{Mistake, MistakeKind};

pub const KIND: MistakeKind = MistakeKind {
    title: "Building and linking",
    who: "message of compiler or linker",
    mistakes: &[
        Mistake {
            what: "`include` and `freertos-hooks` are not on the include path",
            messages: &["tband.h: No such file or directory"],
            made: || {
                let project = Project::new();
                let mut compile = tband_tests::c::compiler(Standard::C11);
                let source = project.path("main.c");
                let object = project.path("main.o");
                tband_tests::finish(compile.arg("-c").arg(source).arg("-o").arg(object)).text()
            },
        },
        Mistake {
            what: "C90 (`-std=c90`, `-ansi`)",
            messages: &["tband: this needs C99, and the compiler is set to C90."],
            made: || {
                let project = Project::with_kernel().option("-std=c90");
                ["main.c", SHIM, HOOKS].map(|file| project.first_error(file)).join("\n")
            },
        },
        Mistake {
            what: "`-std=gnu90` for tband's C files",
            messages: &["tband: tband's C files need C99, and the compiler is set to C90."],
            made: || Project::new().option("-std=gnu90").first_error(SHIM),
        },
        Mistake {
            what: "`libtband.a` is not linked",
            messages: &["undefined reference to `tband_lib_core_metadata'"],
            made: || {
                let project = Project::new();
                let objects = project.objects(&["main.c", SHIM]);
                project.link(&objects).expect_err("no library")
            },
        },
        Mistake {
            what: "`port/tband_shim.c` is not compiled",
            messages: &["undefined reference to `tband_record_u32'"],
            made: || {
                let project = Project::new();
                let mut files = project.objects(&["main.c"]);
                files.push(archive().to_owned());
                project.link(&files).expect_err("no shim")
            },
        },
        Mistake {
            what: "`freertos-hooks/tband_freertos.c` is not compiled",
            messages: &["undefined reference to `tband_freertos_task_created_for_v"],
            made: || {
                let project = Project::with_kernel();
                let sources = ["main.c", SHIM, "port/POSIX_FREERTOS/tband_port.c"];
                let mut files = project.objects(&sources);
                files.push(project.kernel_object());
                files.push(archive().to_owned());
                project.link(&files).expect_err("no hooks")
            },
        },
        Mistake {
            what: "`libtband.a` comes before the objects: put it last",
            messages: &["undefined reference to `tband_lib_snapshot_trigger'"],
            made: || {
                let project = Project::new();
                let mut files = vec![archive().to_owned()];
                files.extend(project.objects(&["main.c", SHIM]));
                project.link(&files).expect_err("the wrong order")
            },
        },
        Mistake {
            what: "a library with shim and hooks comes after `libtband.a`, or shim and library differ in version",
            messages: &["undefined reference to `tband_shim_for_library_abi_"],
            made: || {
                let project = Project::new();
                // What uses the library, and is not the shim.
                let project = project.file("other.c", OTHER);
                let mut files = project.objects(&["other.c"]);
                files.push(archive().to_owned());
                project.link(&files).expect_err("no shim")
            },
        },
        Mistake {
            what: "`port/tband_shim.c` is compiled twice",
            messages: &["multiple definition of `tband_record_u32'"],
            made: || {
                let project = Project::new();
                let mut files = project.objects(&["main.c", SHIM]);
                let copy = tband_tests::read(tband_tests::root().join(SHIM));
                let project = project.file("copy.c", &copy);
                files.extend(project.objects(&["copy.c"]));
                files.push(archive().to_owned());
                project.link(&files).expect_err("twice")
            },
        },
        Mistake {
            what: "external backend without your `tband_submit_to_backend()`",
            messages: &["undefined reference to `tband_submit_to_backend'"],
            made: || {
                let project = Project::new()
                    .replace("tband_config.h", "SNAPSHOT", "EXTERNAL")
                    .option("-DSTART()=0")
                    .option("-DSTOP()=0");
                let mut files = project.objects(&["main.c", SHIM]);
                files.push(archive().to_owned());
                project.link(&files).expect_err("no function")
            },
        },
        Mistake {
            what: "`port/POSIX_FREERTOS/tband_port.c` is not compiled",
            messages: &["undefined reference to `tband_posix_timestamp'"],
            made: || {
                let project = Project::with_kernel();
                let mut files = project.objects(&["main.c", SHIM, HOOKS]);
                files.push(project.kernel_object());
                files.push(archive().to_owned());
                project.link(&files).expect_err("no port")
            },
        },
        Mistake {
            what: "a C++ function of the port lacks `extern \"C\"`",
            messages: &["undefined reference to `my_timer_ticks'"],
            made: || {
                let project = Project::new().standard(Standard::Cxx17);
                let mut files = project.objects(&["main.c", SHIM]);
                files.push(archive().to_owned());
                project.link(&files).expect_err("another name")
            },
        },
        Mistake {
            what: "a call for the streaming backend with another one",
            messages: &[
                "tband: this function belongs to the streaming backend, and tband_config.h chooses another.",
                "Snapshots have tband_trigger_snapshot() and tband_stop_snapshot()",
            ],
            made: || {
                Project::new()
                    .option("-DSTART=tband_start_streaming")
                    .option(STOP)
                    .refused("main.c")
            },
        },
        Mistake {
            what: "a call for the snapshot backend with another one",
            messages: &[
                "tband: this function belongs to the snapshot backend, and tband_config.h chooses another.",
            ],
            made: || Project::new().streaming().refused("main.c"),
        },
        Mistake {
            what: "`FreeRTOS.h` is not on tband's include path",
            messages: &[
                "tband: tband_configFREERTOS_TRACE_ENABLE is 1, but FreeRTOS.h is not on the include path",
            ],
            made: || {
                let project = Project::new();
                project
                    .add("tband_config.h", "#define tband_configFREERTOS_TRACE_ENABLE 1\n")
                    .first_error(HOOKS)
            },
        },
    ],
};

const STOP: &str = "-DSTOP=tband_stop_streaming";
const OTHER: &str =
    "#include \"tband.h\"\nint main(void) { return tband_tracing_finished() ? 0 : 1; }\n";
