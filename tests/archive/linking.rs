//! Firmware with the library, linked without a single warning and run in QEMU: beside other Rust libraries, and with the C side
//! compiled in every way that people use. It also checks the linker's message when shim and library do not fit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_programs::is_short;
use tband_tests::events::{SNAPSHOT_OF_32_KIB, assert_events, trace_info};
use tband_tests::library::{library, work};
use tband_tests::{ProgramOutput, c, cargo, finish, root, run, temp_dir, write};
use xtask::board::{Board, run_firmware};

use crate::shim_constant;

const TRIPLE: &str = "thumbv7em-none-eabihf";
const CPU: [&str; 4] = ["-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"];

/// A way to make the firmware.
struct Build<'a> {
    /// Options for compiling and linking.
    options: &'a [&'a str],
    enum_size: u32,
    /// Compile `main.c` as C++.
    cxx: bool,
    /// Further Rust libraries, before and after tband's.
    before: &'a [PathBuf],
    after: &'a [PathBuf],
    tband: PathBuf,
}

impl Default for Build<'_> {
    fn default() -> Self {
        Self {
            options: &["-Os"],
            enum_size: 1,
            cxx: false,
            before: &[],
            after: &[],
            tband: library(TRIPLE),
        }
    }
}

impl Build<'_> {
    fn has_other_rust(&self) -> bool {
        !self.before.is_empty() || !self.after.is_empty()
    }

    fn compile(&self, source: &Path, object: &Path, cxx: bool) {
        let board = root().join("examples/mps2-board");
        let mut compile = Command::new(if cxx { "arm-none-eabi-g++" } else { "arm-none-eabi-gcc" });
        if cxx {
            compile.args(["-x", "c++", "-std=c++17", "-fno-exceptions", "-fno-rtti"]);
        } else {
            compile.arg("-std=c11");
        }
        compile.args(CPU).args(["-Wall", "-Wextra", "-Werror", "-ffunction-sections"]);
        compile.args(self.options).arg(format!("-DEXPECTED_ENUM_SIZE={}", self.enum_size));
        if self.has_other_rust() {
            compile.arg("-DOTHER_RUST");
        }
        c::include(&mut compile, c::includes());
        c::include(&mut compile, [root().join("tests/archive/config"), root().join("port"), board]);
        run(compile.arg("-c").arg(source).arg("-o").arg(object));
    }

    /// Compiles and links; the linker's answer.
    fn link(&self, elf: &Path) -> ProgramOutput {
        let board = root().join("examples/mps2-board");
        let sources = [
            (root().join("tests/archive/main.c"), self.cxx),
            (root().join("port/tband_shim.c"), false),
            (board.join("startup.c"), false),
            (board.join("semihost.c"), false),
        ];
        let mut link = Command::new("arm-none-eabi-gcc");
        link.args(CPU).args(self.options).args(["-nostartfiles", "--specs=nano.specs"]);
        link.args(["-Wl,--gc-sections", "-Wl,--fatal-warnings"]);
        if self.has_other_rust() {
            // As rustc makes it, that library has the note on its stack that C objects for Arm lack.
            link.arg("-Wl,-z,noexecstack");
        }
        link.arg("-T").arg(board.join("mps2.ld"));
        for (index, (source, cxx)) in sources.iter().enumerate() {
            let object = elf.with_extension(format!("{index}.o"));
            self.compile(source, &object, *cxx);
            link.arg(object);
        }
        link.args(self.before).arg(&self.tband).args(self.after).arg("-o").arg(elf);
        finish(&mut link)
    }

    /// The firmware links and records what it should.
    fn assert_links(&self) {
        let folder = temp_dir();
        let elf = folder.path().join("firmware.elf");
        let linked = self.link(&elf);
        assert!(linked.ok, "{:?}: {}", self.options, linked.text());
        run_firmware(Board::Mps2An386.emulator(), &elf, folder.path(), None)
            .unwrap_or_else(|error| panic!("{:?}: {error:#}", self.options));
        let recording = fs::read(folder.path().join("trace.bin")).expect("a recording");
        assert_events(
            &recording,
            &[
                "- isr_name isr_id=3 name=\"timer\"",
                "- ts_resolution_ns ns_per_ts=1000",
                &trace_info(1, SNAPSHOT_OF_32_KIB),
                "- isr_name isr_id=3 name=\"timer\"",
                "0 dropped_evt_cnt cnt=0",
                "0 isr_enter isr_id=3",
                "1 isr_exit isr_id=3",
                "2 evtmarker evtmarker_id=1 msg=\"hello\"",
                "3 valmarker valmarker_id=200 val=-1234567890123456789",
            ],
        );
    }
}

#[test]
fn the_size_of_enums_does_not_matter() {
    Build { options: &["-Os", "-fshort-enums"], ..Build::default() }.assert_links();
    // The C library is built with short enums and has none that cross a function.
    let options = &["-Os", "-fno-short-enums", "-Wl,--no-enum-size-warning"];
    Build { options, enum_size: 4, ..Build::default() }.assert_links();
}

#[test]
fn nor_does_link_time_optimisation_of_the_c_side() {
    Build { options: &["-O2", "-flto"], ..Build::default() }.assert_links();
    Build { options: &["-O0"], ..Build::default() }.assert_links();
}

#[test]
fn applications_may_be_cxx() {
    Build { cxx: true, ..Build::default() }.assert_links();
    Build { cxx: true, options: &["-O2", "-flto"], ..Build::default() }.assert_links();
}

/// Builds another vendor's library, with its own panic handler and code that can panic.
fn other_library(lto: bool) -> PathBuf {
    let name = if lto { "other-lto" } else { "other-plain" };
    let folder = work().join(name);
    let profile = if lto { "lto = \"fat\"\ncodegen-units = 1\n" } else { "" };
    write(
        folder.join("Cargo.toml"),
        format!(
            "[package]\nname = \"other\"\nversion = \"1.0.0\"\nedition = \"2024\"\n\
             [lib]\ncrate-type = [\"staticlib\"]\npath = \"lib.rs\"\n\
             [profile.release]\npanic = \"abort\"\n{profile}[workspace]\n"
        ),
    );
    write(
        folder.join("lib.rs"),
        "#![no_std]\n\
         #[panic_handler]\nfn panic(_: &core::panic::PanicInfo<'_>) -> ! { loop {} }\n\
         /// # Safety\n/// `data` has `len` bytes.\n\
         #[unsafe(no_mangle)]\n\
         pub unsafe extern \"C\" fn other_sum(data: *const u8, len: usize) -> u32 {\n\
             let data = unsafe { core::slice::from_raw_parts(data, len) };\n\
             let mut at = [0_u32; 4];\n\
             for (index, byte) in data.iter().enumerate() { at[index] = u32::from(*byte); }\n\
             (u64::from(at.iter().sum::<u32>()) * 1_000_003 / (1_000_002 + u64::from(at[0]))) as u32\n\
         }\n",
    );
    run(cargo().current_dir(&folder).args([
        "build",
        "--quiet",
        "--release",
        "--target",
        TRIPLE,
        "--target-dir",
        "target",
    ]));
    folder.join("target").join(TRIPLE).join("release/libother.a")
}

#[test]
fn a_second_rust_library_fits_into_the_same_firmware() {
    for lto in [true, false] {
        let other = [other_library(lto)];
        Build { before: &other, ..Build::default() }.assert_links();
        Build { after: &other, ..Build::default() }.assert_links();
    }
}

/// Every library but the one for the compiler's flags is refused, also where the float ABI is the same and the
/// linker would take it: on the device it faults at the first instruction that the CPU has not.
#[test]
fn the_linker_reports_a_library_for_another_cpu() {
    const M: &str = "-mthumb -mfloat-abi=soft -mcpu=cortex-";
    let arm = ["m0", "m3", "m4", "m33"].map(|cpu| format!("{M}{cpu}"));
    let arm_libraries = [
        ("thumbv6m-none-eabi", 0),
        ("thumbv7m-none-eabi", 1),
        ("thumbv7em-none-eabi", 2),
        ("thumbv8m.main-none-eabi", 3),
    ];
    let riscv = ["rv32imac", "rv32imc", "rv32im"]
        .map(|march| format!("--specs=picolibc.specs -mabi=ilp32 -march={march}"));
    let riscv_libraries = [("riscv32imac-unknown-none-elf", 0)];
    let folder = temp_dir();
    write(
        folder.path().join("tband_config.h"),
        "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n\
         #define tband_configBACKEND_SNAPSHOT_BUF_SIZE 256\n",
    );
    write(
        folder.path().join("tband_port.h"),
        "#define tband_portTIMESTAMP() (0ULL)\n#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000\n\
         #define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)\n\
         #define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)\n",
    );
    // Nothing else in the usual tier makes these.
    let is_wanted = |triple: &str| {
        !is_short() || !["thumbv7em-none-eabi", "thumbv8m.main-none-eabi"].contains(&triple)
    };
    for (flags, libraries) in [(&arm[..], &arm_libraries[..]), (&riscv, &riscv_libraries)] {
        for (index, flags) in flags.iter().enumerate() {
            for (triple, fitting) in libraries.iter().filter(|(triple, _)| is_wanted(triple)) {
                let prefix = xtask::dist::tool_prefix(triple).expect("a target");
                let mut link = Command::new(format!("{prefix}gcc"));
                link.args(flags.split(' ')).args(["-Os", "-nostdlib", "-Wl,--gc-sections"]);
                link.arg("-Wl,-e,tband_trigger_snapshot");
                c::include(&mut link, c::includes());
                c::include(&mut link, [folder.path().to_path_buf()]);
                link.arg(root().join("port/tband_shim.c")).arg(library(triple));
                link.args(["-lgcc", "-o"]).arg(folder.path().join("firmware.elf"));
                let finished = finish(&mut link);
                let output = finished.text();
                if index == *fitting {
                    assert!(finished.ok, "{flags}, {triple}: {output}");
                } else {
                    assert!(!finished.ok, "{flags}, {triple}: linked");
                    let missed = format!("undefined reference to `{}'", shim_constant(triple));
                    assert!(output.contains(&missed), "{flags}, {triple}: {output}");
                }
            }
        }
    }
}

/// The linker names what it misses: the shim for the library's version.
#[test]
fn the_linker_reports_a_library_of_another_version() {
    let folder = temp_dir();
    let other = folder.path().join("libtband.a");
    run(Command::new("arm-none-eabi-objcopy")
        .arg(format!("--redefine-sym={}=tband_shim_for_library_abi_9999", shim_constant(TRIPLE)))
        .arg(library(TRIPLE))
        .arg(&other));
    for options in [["-Os"], ["-flto"]] {
        let build = Build { options: &options, tband: other.clone(), ..Build::default() };
        let finished = build.link(&folder.path().join("firmware.elf"));
        assert!(!finished.ok, "shim and library of different versions must not link");
        let output = finished.text();
        assert!(
            output.contains("undefined reference to `tband_shim_for_library_abi_9999'"),
            "{output}"
        );
    }
}
