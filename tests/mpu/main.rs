//! Kernel ports with memory protection, in QEMU: a task without privileges works through the kernel, and all of
//! that is recorded; what it asks of the recorder itself is refused and counted. With both versions of the
//! kernel's wrappers, on Armv7-M and Armv8-M.

mod entries;
mod release;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tband_tests::c::include;
use tband_tests::events::lines;
use tband_tests::library::library;
use tband_tests::{read, root, run, temp_dir, write};
use xtask::board::{build_firmware, run_firmware};
use xtask::kernel;

/// A core, the kernel's port for it, and QEMU's machine with it.
struct Core {
    name: &'static str,
    port: &'static str,
    flags: &'static str,
    linker_flags: &'static str,
    machine: &'static str,
    triple: &'static str,
    toolchain: OnceLock<PathBuf>,
}

static M4: Core = Core {
    name: "cortex-m4f",
    port: "GCC_ARM_CM4_MPU",
    flags: "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard -DconfigCPU_CLOCK_HZ=25000000 \
            -DconfigTOTAL_MPU_REGIONS=8",
    linker_flags: "",
    machine: "mps2-an386",
    triple: "thumbv7em-none-eabihf",
    toolchain: OnceLock::new(),
};

/// In the secure state, which is its state after a reset.
static M33: Core = Core {
    name: "cortex-m33",
    port: "GCC_ARM_CM33_NTZ_NONSECURE",
    flags: "-mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard -DBOARD_AN505 \
            -DconfigCPU_CLOCK_HZ=20000000 -DconfigTOTAL_MPU_REGIONS=16",
    linker_flags: "-Wl,--defsym=board_code=0x10000000 -Wl,--defsym=board_ram=0x38000000 \
                   -Wl,--defsym=board_psram=0x80000000",
    machine: "mps2-an505",
    triple: "thumbv8m.main-none-eabihf",
    toolchain: OnceLock::new(),
};

impl Core {
    fn folder(&self, name: &str) -> PathBuf {
        root().join("target/test-mpu").join(format!("{}-{name}", self.name))
    }

    /// The toolchain file for CMake, written once.
    fn toolchain(&self) -> &Path {
        self.toolchain.get_or_init(|| {
            let file = self.folder("tools.cmake");
            write(
                &file,
                format!(
                    "set(CMAKE_SYSTEM_NAME Generic)\n\
                     set(CMAKE_C_COMPILER arm-none-eabi-gcc)\n\
                     set(CMAKE_C_FLAGS_INIT \"-mthumb {} -ffunction-sections -fdata-sections\")\n\
                     set(CMAKE_EXE_LINKER_FLAGS_INIT \"{}\")\n\
                     set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n",
                    self.flags, self.linker_flags
                ),
            );
            file
        })
    }

    /// Builds a program with these settings and runs it: the folder of what it wrote. What it sends on its serial line is
    /// `trace.bin` there if `is_streaming`.
    fn run_program(
        &self,
        source: &str,
        wrappers: u32,
        settings: &[&str],
        is_streaming: bool,
    ) -> tempfile::TempDir {
        let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
        let mut all = vec![
            format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
            format!("FREERTOS_PORT={}", self.port),
            format!("WRAPPERS={wrappers}"),
            format!("TBAND_LIBRARY={}", library(self.triple).display()),
        ];
        all.extend(settings.iter().map(|&setting| setting.to_owned()));
        let name = source.replace('/', "-");
        let folder = self.folder(&format!("{name}-v{wrappers}{}", settings.join("-")));
        build_firmware(&root().join("tests").join(source), &folder, self.toolchain(), &all)
            .unwrap_or_else(|error| panic!("{error:#}"));
        let out = temp_dir();
        let emulator = format!("qemu-system-arm -M {}", self.machine);
        let recording = out.path().join("trace.bin");
        // A snapshot is written by the program itself, to a file of the same name.
        let serial = is_streaming.then_some(recording.as_path());
        run_firmware(&emulator, &folder.join("program.elf"), out.path(), serial)
            .unwrap_or_else(|error| panic!("{error:#}"));
        out
    }

    /// Builds the program and runs it: the recording's lines and those that it must have, in order.
    fn run(&self, wrappers: u32, settings: &[&str]) -> (Vec<String>, Vec<String>) {
        let out =
            self.run_program("mpu/program", wrappers, settings, settings.contains(&STREAMING));
        let recording = fs::read(out.path().join("trace.bin")).expect("the recording");
        let expected = read(out.path().join("expected.txt"));
        (lines(&recording), expected.lines().map(ToOwned::to_owned).collect())
    }
}

/// Settings of the program.
const STREAMING: &str = "TBAND_BACKEND=streaming";
const ACCESS_CONTROL_LIST: &str = "ACCESS_CONTROL_LIST=1";

/// The events that the program writes down, each of them whenever it happens.
const COMPARED: &[&str] = &[
    "evtmarker",
    "queue_send",
    "queue_receive",
    "curtask_block_on_queue_receive",
    "stream_buffer_send",
    "stream_buffer_receive",
    "event_group_set_bits",
    "event_group_wait_end",
    "task_notify",
    "curtask_notify_take",
];

/// The boss and the worker.
const SWITCHES: &[&str] = &["task_switched_in task_id=1", "task_switched_in task_id=2"];

fn without_time(line: &str) -> &str {
    line.split_once(' ').expect("a time and an event").1
}

fn is_compared(line: &str) -> bool {
    let name = line.split(' ').next().expect("a name");
    // Queue 2 is the timer task's.
    SWITCHES.contains(&line) || (COMPARED.contains(&name) && !line.contains("queue_id=2"))
}

fn privileged_and_unprivileged(core: &Core, wrappers: u32, settings: &[&str]) {
    let (recorded, expected) = core.run(wrappers, settings);
    let mut events: Vec<&str> = recorded.iter().map(|line| without_time(line)).collect();
    let compared: Vec<&str> = events.iter().copied().filter(|line| is_compared(line)).collect();
    assert!(expected.len() > 100, "{expected:?}");
    let same = compared.iter().zip(&expected).take_while(|(one, other)| one == other).count();
    let from = same.saturating_sub(3);
    assert_eq!(
        compared.get(from..),
        expected.iter().map(String::as_str).collect::<Vec<_>>().get(from..),
        "{} {wrappers} {settings:?}: the first {from} are the same",
        core.name
    );

    events.sort_unstable();
    for line in [
        "queue_name queue_id=1 name=\"jobs\"",
        "queue_name queue_id=3 name=\"lock\"",
        "stream_buffer_name stream_buffer_id=1 name=\"results\"",
        "event_group_name event_group_id=1 name=\"done\"",
        "timer_name timer_id=1 name=\"timer\"",
        "task_name task_id=1 name=\"boss\"",
        "task_name task_id=2 name=\"worker\"",
    ] {
        assert!(events.binary_search(&line).is_ok(), "{line} is missing:\n{events:#?}");
    }
    // Nothing of what the worker asked for.
    for alien in ["\"no\"", "isr_id=99", "marker_id=4"] {
        assert!(!events.iter().any(|line| line.contains(alien)), "{alien}:\n{events:#?}");
    }
}

/// The port of Armv7-M with the older wrappers; module `release` has every core with both.
#[test]
fn a_stream_of_a_cortex_m4_with_wrappers_1() {
    privileged_and_unprivileged(&M4, 1, &[STREAMING]);
}

/// The port of Armv8-M with the newer ones. Of what the worker may not use the recorder knows the numbers all the same.
#[test]
fn a_snapshot_of_a_cortex_m33_with_wrappers_2() {
    privileged_and_unprivileged(&M33, 2, &[ACCESS_CONTROL_LIST]);
}

/// Without memory protection nothing of this is in the program: the same machine code comes out if the
/// headers for it are left out.
#[test]
fn other_builds_do_not_pay_for_it() {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let kernel_sources = ["tasks.c", "queue.c", "timers.c", "stream_buffer.c", "event_groups.c"];
    let own_sources = ["port/tband_shim.c", "freertos-hooks/tband_freertos.c"];
    let sources = kernel_sources
        .iter()
        .map(|name| kernel.join(name))
        .chain(own_sources.iter().map(|name| root().join(name)));
    let without: &[&str] = &[
        "-DTBAND_HOOKS_MPU_H",
        "-DTBAND_UNPRIVILEGED_H",
        "-DTBAND_IS_REFUSED(is_metadata)=false",
        "-DTBAND_HAS_UNPRIVILEGED_TASKS=0",
    ];
    for source in sources {
        for (level, class_api) in [("-Os", 0), ("-O2", 1)] {
            let compile = |options: &[&str]| {
                let folder = temp_dir();
                let mut command = Command::new("arm-none-eabi-gcc");
                command.args([
                    "-mthumb",
                    "-mcpu=cortex-m4",
                    "-mfpu=fpv4-sp-d16",
                    "-mfloat-abi=hard",
                ]);
                command.args([
                    level,
                    "-ffunction-sections",
                    "-Dtband_configUSE_BACKEND_STREAMING=1",
                ]);
                command.arg(format!("-Dtband_configFREERTOS_API_TRACE_ENABLE={class_api}"));
                include(
                    &mut command,
                    [kernel.join("include"), kernel.join("portable/GCC/ARM_CM4F")],
                );
                let folders = ["include", "freertos-hooks", "port", "examples/mps2-an386"];
                include(&mut command, folders.map(|name| root().join(name)));
                let folders = ["examples/mps2-an386/config", "examples/mps2-board"];
                include(&mut command, folders.map(|name| root().join(name)));
                command.args(options).arg("-c").arg(&source).current_dir(folder.path());
                run(command.args(["-o", "object.o"]));
                fs::read(folder.path().join("object.o")).expect("the object")
            };
            assert!(compile(&[]) == compile(without), "{} {level}", source.display());
        }
    }
}

/// The lines for the user's linker script, as the guide has them, are those of this test.
#[test]
fn the_guide_has_the_linker_scripts_lines() {
    let script = read(root().join("tests/mpu/program/mpu.ld"));
    let (_, rest) = script.split_once("/* begin: the recorder */").expect("the beginning");
    let (lines, rest) = rest.split_once("/* end: the recorder */").expect("the end");
    let asserted = rest.lines().skip_while(|line| !line.contains("ASSERT(tband_recorder")).take(2);
    let guide = read(root().join("docs/src/guide/firmware/memory-protection.md"));
    for line in lines.lines().chain(asserted).map(str::trim).filter(|line| !line.is_empty()) {
        assert!(guide.contains(line), "{line}");
    }
}
