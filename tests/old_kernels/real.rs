//! Real kernels before V10.3, as far as a package registry has them: the program of `examples/mps2-an386` is compiled with them
//! for a Cortex-M4F, without a warning, and runs in QEMU; its recording is compared with the program's own record, count for
//! count, except for the limits of such a kernel in the guide.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tband_tests::c::config_text;
use tband_tests::library::library;
use tband_tests::{finish, root, run, temp_dir, write};
use xtask::board::{Board, run_firmware};
use xtask::demo::to_perfetto;
use xtask::kernel;

use crate::LATER_CLASSES;

/// In the order of their versions, the first older than the hooks.
fn kernels() -> [(u32, PathBuf); 3] {
    let kernels = kernel::old(root()).unwrap_or_else(|error| panic!("{error:#}"));
    kernels.map(|path| (kernel::version(&path).unwrap_or_else(|error| panic!("{error:#}")), path))
}

/// Configures as in the guide: the version, and features that need a newer kernel are off.
fn configure(folder: &Path, version: u32, trusts: &str) {
    let version = version.to_string();
    let off: Vec<_> = LATER_CLASSES
        .iter()
        .filter(|class| **class != "STACK")
        .map(|class| format!("tband_configFREERTOS_{class}_TRACE_ENABLE"))
        .collect();
    let mut config = vec![
        ("tband_configFREERTOS_TRACE_ENABLE", "1"),
        ("tband_configFREERTOS_VERSION", version.as_str()),
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configMETADATA_BUF_SIZE", "16384"),
        ("tband_configTRUST_KERNEL_CRITICAL_SECTIONS", trusts),
        ("tband_configUSE_TRIGGERS", "1"),
    ];
    config.extend(off.iter().map(|name| (name.as_str(), "0")));
    write(folder.join("tband_config.h"), config_text(&config));
}

/// The compiler, for files of the program.
fn compiler(folder: &Path, kernel: &Path, program: &str) -> Command {
    let examples = root().join("examples");
    let mut command = Command::new(program);
    command.args(["-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"]);
    command.args(["-O2", "-Wall", "-Wextra", "-Werror", "-ffunction-sections", "-fdata-sections"]);
    for include in [
        folder.to_path_buf(),
        root().join("tests/old_kernels/real"),
        examples.join("mps2-an386/src"),
        examples.join("mps2-an386/config"),
        examples.join("freertos-app"),
        examples.join("mps2-board"),
        kernel.join("include"),
        kernel.join("portable/GCC/ARM_CM4F"),
        root().join("include"),
        root().join("freertos-hooks"),
        root().join("port"),
    ] {
        command.arg("-I").arg(include);
    }
    command.arg("-DAPP_ROUNDS=20");
    command
}

/// Files of a folder that end so.
fn files(folder: impl AsRef<Path>, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("it").path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|found| found == end)).collect();
    files.sort();
    files
}

/// The program, linked with a kernel. A warning of any file, the kernel's own too, is an error.
fn build(folder: &Path, kernel: &Path) -> PathBuf {
    let examples = root().join("examples");
    let app = files(examples.join("freertos-app"), "c");
    let mut sources = files(examples.join("mps2-an386/src"), "c");
    sources.extend(files(examples.join("mps2-an386/src"), "cpp"));
    sources.extend(files(examples.join("mps2-board"), "c"));
    sources.extend(["tasks.c", "queue.c", "list.c", "timers.c"].map(|name| kernel.join(name)));
    sources.extend(["event_groups.c", "stream_buffer.c"].map(|name| kernel.join(name)));
    sources.push(kernel.join("portable/GCC/ARM_CM4F/port.c"));
    sources.push(kernel.join("portable/MemMang/heap_4.c"));
    sources.push(root().join("tests/old_kernels/real/older.c"));
    sources.push(root().join("port/tband_shim.c"));
    sources.push(root().join(crate::HOOKS));
    let mut link = compiler(folder, kernel, "arm-none-eabi-gcc");
    for source in app.iter().chain(&sources) {
        let object = folder.join(source.file_name().expect("a name")).with_extension("o");
        let is_cxx = source.extension().is_some_and(|end| end == "cpp");
        let program = if is_cxx { "arm-none-eabi-g++" } else { "arm-none-eabi-gcc" };
        let mut compile = compiler(folder, kernel, program);
        compile.args(if is_cxx {
            &["-std=gnu++11", "-fno-exceptions", "-fno-rtti"][..]
        } else {
            &["-std=gnu11"]
        });
        if app.contains(source) {
            compile.args(["-include", "older.h"]);
        }
        run(compile.arg("-c").arg(source).arg("-o").arg(&object));
        link.arg(object);
    }
    let elf = folder.join("firmware.elf");
    link.args(["-nostartfiles", "--specs=nano.specs", "-Wl,--gc-sections"]);
    link.arg("-T").arg(examples.join("mps2-board/mps2.ld"));
    link.arg(library("thumbv7em-none-eabihf"));
    run(link.arg("-o").arg(&elf));
    elf
}

/// An overwrite of an empty queue looks like any send, so overwrites are counted with sends.
fn with_overwrites_as_sends(counts: &Value) -> Value {
    let mut counts = counts.clone();
    for queue in counts["queues"].as_array_mut().expect("queues") {
        for (overwrites, sends) in
            [("overwrites", "sends"), ("overwrites_from_isr", "sends_from_isr")]
        {
            let count = |key: &str| queue[key].as_u64().expect("a count");
            queue[sends] = json!(count(sends) + count(overwrites));
            queue[overwrites] = json!(0);
        }
    }
    counts
}

/// What the program did, as such a kernel lets it be recorded: see the table in the guide.
fn as_recorded(truth: &Value) -> Value {
    let mut truth = with_overwrites_as_sends(truth);
    for queue in truth["queues"].as_array_mut().expect("queues") {
        // The length is stale after a reset; of the one queue that is reset nothing is received after it.
        if queue["resets"] != 0 {
            assert_eq!(queue["name"], "scratch");
            queue["final_length"] = json!(2);
        }
        queue["resets"] = json!(0);
        // A set is a queue.
        if queue["kind"] == 5 {
            queue["kind"] = json!(0);
        }
    }
    truth
}

#[test]
fn the_program_of_the_example_is_recorded_on_kernels_before_v10_3() {
    is_recorded("0");
}

/// Where the kernel has a critical section, the recorder relies on it, and looks each time whether there is one.
#[test]
fn hooks_rely_on_critical_sections_of_kernels_before_v10_3() {
    is_recorded("1");
}

fn is_recorded(trusts: &str) {
    let kernels = kernels();
    assert_eq!(kernels.each_ref().map(|kernel| kernel.0), [100_001, 100_101, 100_200]);
    for (version, kernel) in &kernels[1..] {
        let folder = temp_dir();
        configure(folder.path(), *version, trusts);
        let elf = build(folder.path(), kernel);
        let trace = folder.path().join("trace.bin");
        run_firmware(Board::Mps2An386.emulator(), &elf, folder.path(), Some(&trace))
            .unwrap_or_else(|error| panic!("{version}: {error:#}"));
        let truth = fs::read(folder.path().join("truth.json")).expect("the firmware's own record");
        let truth: Value = serde_json::from_slice(&truth).expect("JSON");
        let counted = tband_tests::counts::counts_of(&fs::read(&trace).expect("a recording"));
        assert_eq!(counted["kernel_version"], *version);

        let overwrites = |value: &Value| -> u64 {
            let queues = value["queues"].as_array().expect("queues").iter();
            queues.map(|queue| queue["overwrites"].as_u64().expect("a count")).sum()
        };
        assert!(overwrites(&counted) > 0, "{version}: full queues that are overwritten");
        assert!(overwrites(&counted) < overwrites(&truth), "{version}: and empty ones");
        let mut counted = with_overwrites_as_sends(&counted);
        counted["kernel_version"] = json!(110_200); // that of the examples, which is compared
        tband_tests::counts::compare_application(&as_recorded(&truth), &counted);
        to_perfetto(&trace, &folder.path().join("trace.pftrace"))
            .unwrap_or_else(|error| panic!("{version}: {error:#}"));
    }
}

/// V10.0 is reported as too old, whatever version is configured.
#[test]
fn a_real_kernel_before_v10_1_is_an_error() {
    let [(_, kernel), ..] = kernels();
    for version in [100_001, 100_101, 110_200] {
        let folder = temp_dir();
        configure(folder.path(), version, "0");
        let mut compile = compiler(folder.path(), &kernel, "arm-none-eabi-gcc");
        let source = root().join(crate::HOOKS);
        compile.arg("-c").arg(source).arg("-o").arg(folder.path().join("hooks.o"));
        let compiled = finish(&mut compile);
        let expected = if version == 110_200 { "older than V11" } else { "V10.1.0 and later" };
        assert!(
            !compiled.ok && compiled.stderr.contains(expected),
            "{version}: {}",
            compiled.stderr
        );
    }
}
