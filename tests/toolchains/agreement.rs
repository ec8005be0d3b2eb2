//! Kernel, hooks and shim that were compiled with different settings do not link: with each compiler, and with link-time
//! optimisation. The names of functions have the settings, so that they cost nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use tband_tests::c::{STRICT, Standard};
use tband_tests::kernel::sources as kernel;
use tband_tests::{finish, root, run};

use crate::{Project, TOOLCHAINS, Toolchain, including, undefined};

/// Settings in front of a file, and a part of the name of the function that its kernel calls.
const SETTINGS: [(&str, &str); 4] = [
    ("", "_for_v11_2_1_core_frames_tick_time_isr_stack_scheduler_step_tick_api"),
    ("#define tband_configFREERTOS_VERSION 110000\n", "_for_v11_0_1_core_frames"),
    ("#define tband_configFORMAT TBAND_FORMAT_PACKETS\n", "_for_v11_2_1_core_packets"),
    ("#define tband_configFREERTOS_TIMER_TRACE_ENABLE 0\n", "_tick_time_no_timer_isr"),
];

/// Compiles a file with these lines before it, and returns an object of this name.
fn object(
    project: &Project,
    with: &Toolchain,
    warnings: &[&str],
    lines: &str,
    file: &Path,
    name: &str,
) -> PathBuf {
    let text = format!("{lines}{}", including(file));
    let compiled = project.compile(with, Standard::C11, warnings, &text);
    let named = project.folder.path().join(name);
    std::fs::rename(compiled, &named).expect("renamed");
    named
}

#[test]
fn what_the_kernel_calls_is_defined_only_with_the_same_settings() {
    let project = Project::new("STREAMING");
    let hooks = root().join("freertos-hooks/tband_freertos.c");
    for toolchain in &TOOLCHAINS {
        for (lines, name) in SETTINGS {
            let tasks = object(
                &project,
                toolchain,
                &["-Wall"],
                lines,
                &kernel().join("tasks.c"),
                "tasks.o",
            );
            let called: Vec<_> = undefined(&tasks)
                .into_iter()
                .filter(|it| it.contains("tband_freertos_task_created"))
                .collect();
            let [called] = called.as_slice() else { panic!("{}: {called:?}", toolchain.name) };
            assert!(called.contains(name), "{}: {called}", toolchain.name);
            let defines = |others: &str| {
                let hooks = object(&project, toolchain, STRICT, others, &hooks, "hooks.o");
                let names = String::from_utf8(run(Command::new("nm").arg(hooks))).expect("names");
                names.lines().any(|line| line.ends_with(&called.replace("U ", "T ")))
            };
            for (others, _) in SETTINGS {
                assert_eq!(
                    defines(others),
                    others == lines,
                    "{}: {lines}, {others}",
                    toolchain.name
                );
            }
        }
    }
}

#[test]
fn link_time_optimisation_does_not_hide_different_settings() {
    let project = Project::new("STREAMING");
    let gcc = &TOOLCHAINS[0];
    let link = |lines: &str| {
        let options = ["-flto", "-Os"];
        let tasks = object(&project, gcc, &options, "", &kernel().join("tasks.c"), "tasks.o");
        let hooks = root().join("freertos-hooks/tband_freertos.c");
        let hooks = object(&project, gcc, &options, lines, &hooks, "hooks.o");
        let mut command = Command::new(gcc.program);
        command.args(crate::CPU).args(options).args([
            "-nostdlib",
            "-Wl,-e,xTaskCreate",
            "-Wl,--gc-sections",
        ]);
        finish(command.arg(tasks).arg(hooks).arg("-o").arg(project.folder.path().join("program")))
            .text()
    };
    // Other functions of the kernel and of the recorder are missing in both.
    let name = "undefined reference to `tband_freertos_task_created";
    let sound = link("");
    assert!(sound.contains("undefined reference to `tband_freertos_next_number"), "{sound}");
    assert!(!sound.contains(name), "{sound}");
    let mixed = link("#define tband_configFREERTOS_HEAP_TRACE_ENABLE 0\n");
    assert!(mixed.contains(&format!("{name}_for_v11_2_1_core_frames")), "{mixed}");
}
