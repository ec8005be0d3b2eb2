//! CPUs beside Cortex-M and RV32: real kernels and bare programs in QEMU, in each of the ways to record. What the firmware has
//! counted itself is compared with the recording.
//!
//! The core library of Rust for these CPUs is compiled first, some 20 s for each, so the module `release` has most of them.

mod release;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use tband_tests::events::lines;
use tband_tests::library::work;
use tband_tests::{finish, kernel, root, run, temp_dir};
use tempfile::TempDir;
use xtask::board::run_firmware;
use xtask::core_library;
use xtask::demo::to_perfetto;

/// A CPU on a board of QEMU.
struct Cpu {
    /// Its folder here.
    folder: &'static str,
    triple: &'static str,
    compiler: &'static str,
    /// Of the compiler and the linker.
    flags: &'static [&'static str],
    /// Of the linker; `LD` is the file that places the sections.
    link: &'static [&'static str],
    /// Files beside those that all have.
    start: &'static str,
    ld: &'static str,
    /// Folder of the kernel's port.
    kernel: &'static str,
    emulator: &'static [&'static str],
}

const REALVIEW: &[&str] = &[
    "qemu-system-arm",
    "-M",
    "realview-pb-a8",
    "-cpu",
    "cortex-r5f",
    "-m",
    "128M",
    "-nic",
    "none",
];

/// It is big endian in its data, and little endian in its instructions (BE8).
const CORTEX_R5_BIG: Cpu = Cpu {
    folder: "cortex_r5",
    triple: "armebv7r-none-eabihf",
    compiler: "arm-none-eabi-gcc",
    flags: &[
        "-mcpu=cortex-r5",
        "-mfpu=vfpv3-d16",
        "-mfloat-abi=hard",
        "-marm",
        "-mno-unaligned-access",
        "-mbig-endian",
        "-DBIG",
        "-DNO_VBAR",
        "-DKERNEL_SVC_HANDLER=FreeRTOS_SVC_Handler",
        "-DCHECK_ALIGNMENT",
    ],
    link: &["-Wl,-EB", "-Wl,--be8", "-Wl,--defsym=RAM_AT=0"],
    start: "shared/arm32_start.S",
    ld: "shared/arm32.ld",
    kernel: "ARM_CRx_No_GIC",
    emulator: REALVIEW,
};

const CORTEX_A9: Cpu = Cpu {
    folder: "cortex_a9",
    triple: "armv7a-none-eabihf",
    compiler: "arm-none-eabi-gcc",
    flags: &[
        "-mcpu=cortex-a9",
        "-mfpu=neon-vfpv3",
        "-mfloat-abi=hard",
        "-marm",
        "-mno-unaligned-access",
        "-DCHECK_ALIGNMENT",
    ],
    link: &["-Wl,--defsym=RAM_AT=0x100000"],
    start: "shared/arm32_start.S",
    ld: "shared/arm32.ld",
    kernel: "ARM_CA9",
    emulator: &["qemu-system-arm", "-M", "xilinx-zynq-a9", "-m", "128M", "-nic", "none"],
};

impl Cpu {
    /// The library, which tests of one program build once.
    fn library(&self) -> PathBuf {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        core_library::recorder(root(), &work(), self.triple)
            .unwrap_or_else(|error| panic!("{error:#}"))
    }

    fn is_big(&self) -> bool {
        self.flags.contains(&"-DBIG")
    }

    fn here(name: &str) -> PathBuf {
        root().join("tests/cpus").join(name)
    }

    /// A command that compiles and links with the flags of the CPU.
    fn compiler(&self) -> Command {
        let mut command = Command::new(self.compiler);
        command.args(self.flags).args(["-O2", "-ffreestanding", "-Wall", "-Wextra", "-Werror"]);
        for folder in [self.folder, "shared", "shared/nolibc"] {
            command.arg("-I").arg(Self::here(folder));
        }
        for folder in ["include", "port", "freertos-hooks"] {
            command.arg("-I").arg(root().join(folder));
        }
        command
    }

    /// Compiles `sources` and links them with the library.
    fn build(&self, elf: &Path, options: &[&str], sources: &[PathBuf]) {
        let mut link = self.compiler();
        link.args(options).args(["-nostartfiles", "-nostdlib", "-Wl,--gc-sections"]);
        link.args(["-Wl,-z,noexecstack", "-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none"]);
        link.args(self.link).arg("-T").arg(Self::here(self.ld));
        link.arg(Self::here(self.start)).arg(Self::here(self.folder).join("board.c"));
        link.args(sources)
            .args(["shared/mem.c", "shared/board_host.c"].map(Self::here))
            .arg(root().join("port/tband_shim.c"));
        run(link.arg(self.library()).arg("-lgcc").arg("-o").arg(elf));
    }

    /// Runs a program. Returns its recording and its output.
    fn run(&self, elf: &Path) -> Recorded {
        let folder = temp_dir();
        run_firmware(self.emulator, elf, folder.path(), None)
            .unwrap_or_else(|error| panic!("{error:#}"));
        let recording = fs::read(folder.path().join("trace.bin")).expect("a recording");
        let log = fs::read_to_string(folder.path().join("qemu.log")).expect("a log");
        Recorded { recording, log, folder }
    }

    /// The bare program in one of its modes, with options besides.
    fn bare(&self, mode: &str, options: &[&str]) -> Recorded {
        let folder = temp_dir();
        let elf = folder.path().join("program.elf");
        let mode = format!("-DAPP_MODE=APP_{mode}");
        let options = [options, &[mode.as_str()]].concat();
        self.build(&elf, &options, &[Self::here("shared/app_bare.c")]);
        self.run(&elf)
    }

    /// The kernel with tasks, a queue, a mutex, and the tick.
    fn on_the_kernel(&self) -> Recorded {
        let folder = temp_dir();
        let elf = folder.path().join("program.elf");
        let sources = kernel::sources();
        let port = sources.join("portable/GCC").join(self.kernel);
        let mut files: Vec<PathBuf> = ["tasks.c", "queue.c", "list.c", "portable/MemMang/heap_4.c"]
            .map(|it| sources.join(it))
            .into();
        files.push(port.join("portASM.S"));
        if self.is_big() {
            // Its tasks begin without CPSR.E, so they run little endian.
            let text = tband_tests::read(port.join("port.c"));
            let big = text.replace("( StackType_t ) 0x1f )", "( StackType_t ) 0x21f )");
            assert_ne!(big, text, "the kernel's port sets CPSR in another way");
            let file = folder.path().join("port.c");
            tband_tests::write(&file, big);
            files.push(file);
        } else {
            files.push(port.join("port.c"));
        }
        files.push(Self::here("shared/app_rtos.c"));
        files.push(root().join("freertos-hooks/tband_freertos.c"));
        let headers = [sources.join("include"), port.clone()];
        let headers: Vec<String> = headers.iter().map(|it| format!("-I{}", it.display())).collect();
        let mut options = vec!["-DAPP_RTOS", "-Wno-error"];
        options.extend(headers.iter().map(String::as_str));
        let extension = port.join("chip_specific_extensions/RISCV_MTIME_CLINT_no_extensions");
        let extension = format!("-I{}", extension.display());
        if Path::new(&extension[2..]).is_dir() {
            options.push(&extension);
        }
        self.build(&elf, &options, &files);
        self.run(&elf)
    }

    /// Every way of the bare program.
    fn records_in_every_way(&self) {
        for mode in ["FRAMES", "PACKETS", "RTT"] {
            let recorded = self.bare(mode, &[]);
            recorded.assert_converts();
            assert_eq!(recorded.values(), (0..500).collect::<Vec<_>>(), "{mode}");
            assert_eq!(recorded.count("evtmarker"), 10, "{mode}");
            assert_eq!(
                (recorded.count("isr_enter"), recorded.count("isr_exit")),
                (500, 500),
                "{mode}"
            );
        }
        let filtered = self.bare("FILTERS", &[]);
        filtered.assert_converts();
        assert_eq!(filtered.values(), (0..500).collect::<Vec<_>>());
        assert_eq!((filtered.count("evtmarker"), filtered.count("isr_enter")), (0, 0));
        assert!(filtered.count("filter") > 0);

        let shed = self.bare("SHEDDING", &[]);
        let input = [tband_conv::Input::from_bytes("r", &shed.recording)];
        let (_, summary) = tband_recordings::timeline_of(&input, &tband_conv::Options::default());
        let events: u64 = summary.shed.iter().map(|it| it.events).sum();
        let entered = shed.count("isr_enter") + shed.count("isr_exit");
        assert!(events > 0 && entered > 0, "{events} shed, {entered} recorded");
        assert_eq!(entered as u64 + events, 1000);
        assert_eq!(shed.values(), (0..500).collect::<Vec<_>>());

        // With and without the checksums of a recording that was frozen.
        for options in [&[][..], &["-DAPP_FREEZE"]] {
            let left = self.bare("POST_MORTEM", options);
            left.assert_converts();
            let values = left.values();
            assert!(values.len() > 20, "{options:?}: {values:?}");
            assert!(values.windows(2).all(|it| it[0] + 1 == it[1]), "{options:?}: {values:?}");
            assert_eq!(values.last(), Some(&499), "{options:?}");
            assert_eq!(left.count("isr_name"), 1, "{options:?}");
        }
    }

    /// What the application and the handler of the tick have counted is in the recording.
    fn records_the_kernel(&self) {
        let recorded = self.on_the_kernel();
        recorded.assert_converts();
        let counted = |what: &str| -> usize {
            let line =
                recorded.log.lines().find_map(|it| it.strip_prefix(&format!("count: {what} ")));
            line.and_then(|it| it.parse().ok()).unwrap_or_else(|| panic!("{}", recorded.log))
        };
        assert_eq!(counted("sent"), 200);
        // The mutex is given once as it is created, and once for each number that was received.
        let sent = counted("sent") + counted("received") + 1;
        assert_eq!(recorded.count("queue_send"), sent);
        assert_eq!(recorded.count("isr_enter"), counted("ticks"), "{}", recorded.log);
        assert!(counted("ticks") > 20);
        let values: Vec<i64> = recorded.all_values();
        assert_eq!(values, (0..200).map(|it| it * 1_000_003).collect::<Vec<_>>());
    }
}

/// What a program has left.
struct Recorded {
    recording: Vec<u8>,
    log: String,
    folder: TempDir,
}

impl Recorded {
    /// It converts without a finding.
    fn assert_converts(&self) {
        let trace = self.folder.path().join("trace.pftrace");
        to_perfetto(&self.folder.path().join("trace.bin"), &trace)
            .unwrap_or_else(|error| panic!("{error:#}"));
    }

    fn count(&self, event: &str) -> usize {
        let is_it = |line: &String| line.split(' ').nth(1) == Some(event);
        lines(&self.recording).iter().filter(|line| is_it(line)).count()
    }

    fn all_values(&self) -> Vec<i64> {
        let all = lines(&self.recording);
        let values = all.iter().filter(|line| line.contains(" valmarker "));
        values.filter_map(|line| line.rsplit_once("val=")?.1.parse().ok()).collect()
    }

    /// The rounds that the values of the bare program are of.
    fn values(&self) -> Vec<i64> {
        let of = |value: i64| {
            assert_eq!(value % 1_234_567, 0, "{value}");
            value / 1_234_567 + 100
        };
        self.all_values().into_iter().map(of).collect()
    }
}

#[test]
fn big_endian_cores_record_the_kernel_and_in_every_way() {
    CORTEX_R5_BIG.records_the_kernel();
    CORTEX_R5_BIG.records_in_every_way();
}

#[test]
fn a_cortex_a9_records_the_kernel() {
    CORTEX_A9.records_the_kernel();
    // A program for an older core, which would take undefined instructions.
    let folder = temp_dir();
    let mut link = Command::new("arm-none-eabi-gcc");
    link.args([
        "-mcpu=arm926ej-s",
        "-DAPP_MODE=APP_PACKETS",
        "-nostartfiles",
        "-nostdlib",
        "-Wl,-e,main",
    ]);
    for name in ["include", "port", "tests/cpus/shared"] {
        link.arg("-I").arg(root().join(name));
    }
    tband_tests::write(
        folder.path().join("tband_port.h"),
        "#include <stdint.h>\n#define tband_portTIMESTAMP() 0ULL\n#define tband_portTIMESTAMP_RESOLUTION_NS 1000\n\
         #define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)\n#define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)\n",
    );
    tband_tests::write(
        folder.path().join("main.c"),
        "#include \"tband.h\"\nint main(void) { return tband_start_streaming(); }\n",
    );
    link.arg("-I")
        .arg(folder.path())
        .arg(folder.path().join("main.c"))
        .arg(root().join("port/tband_shim.c"));
    let linked =
        finish(link.arg(CORTEX_A9.library()).arg("-o").arg(folder.path().join("program.elf")));
    let said = linked.text();
    assert!(!linked.ok && said.contains("tband_shim_for_library_abi_3_armv7a'"), "{said}");
}

/// Compiles the shim with a port that has these lines and then includes `header`. Returns the compiler's errors.
fn compile(cpu: &Cpu, flags: &[&str], lines: &str, header: &str) -> Result<(), String> {
    let folder = temp_dir();
    tband_tests::write(
        folder.path().join("tband_port.h"),
        format!("{lines}#include \"{header}\"\n"),
    );
    let mut command = Command::new(cpu.compiler);
    command.args(flags).args(["-Wall", "-Wextra", "-Werror", "-O2", "-c", "-I"]).arg(folder.path());
    for name in ["tests/cpus/shared", "include", "port"] {
        command.arg("-I").arg(root().join(name));
    }
    command.arg(root().join("port/tband_shim.c")).arg("-o").arg(folder.path().join("shim.o"));
    let finished = finish(&mut command);
    if finished.ok { Ok(()) } else { Err(finished.text()) }
}

/// Each timer that the ports of Cortex-A and -R name, and what they ask for.
#[test]
fn the_ports_timers_compile_and_what_is_missing_is_named() {
    const A_R: &str = "arm_a_r/tband_arm_a_r.h";
    let aligned = ["-mcpu=cortex-a7", "-mno-unaligned-access"];
    for lines in [
        "#define tband_portGENERIC_TIMER_HZ 24000000\n",
        "#define tband_portGLOBAL_TIMER 0xF8F00200\n#define tband_portGLOBAL_TIMER_HZ 333333343\n",
        "#define tband_portCPU_CLOCK_HZ 300000000\n",
        "#define tband_portCOUNTER32() 0U\n#define tband_portCOUNTER32_HZ 75000000\n",
    ] {
        for order in ["-mlittle-endian", "-mbig-endian"] {
            compile(&CORTEX_A9, &[&aligned[..], &[order, "-mthumb"]].concat(), lines, A_R)
                .unwrap_or_else(|said| panic!("{lines}: {said}"));
        }
    }
    let said = compile(&CORTEX_A9, &aligned, "", A_R).expect_err("no timer");
    assert!(said.contains("#define tband_portGENERIC_TIMER_HZ"), "{said}");
    let clock = "#define tband_portCPU_CLOCK_HZ 300000000\n";
    let said = compile(&CORTEX_A9, &aligned[..1], clock, A_R).expect_err("words at any address");
    assert!(said.contains("-mno-unaligned-access"), "{said}");
    let fine = format!("#define tband_portUNALIGNED_IS_FINE 1\n{clock}");
    compile(&CORTEX_A9, &aligned[..1], &fine, A_R).unwrap_or_else(|said| panic!("{said}"));
    let clang = Cpu { compiler: "clang", ..CORTEX_A9 };
    for (flags, is_fine) in [(&["-mstrict-align"][..], true), (&[], false)] {
        let target = ["--target=aarch64-none-elf", "-ffreestanding", "-I", "SHARED"];
        let shared = Cpu::here("shared/nolibc").display().to_string();
        let target = target.map(|it| if it == "SHARED" { shared.as_str() } else { it });
        let compiled =
            compile(&clang, &[&target[..], flags].concat(), "", "arm_a_r/tband_aarch64.h");
        assert_eq!(compiled.is_ok(), is_fine, "{compiled:?}");
    }
}
