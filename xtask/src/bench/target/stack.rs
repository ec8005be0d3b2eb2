//! Stack that a hook adds to its caller, on every target.
//!
//! The shim and the library are linked to one program, with the project's own port, whose critical section is inline. Each
//! function's frame comes from two sources, which check each other:
//! - `debug_frame`, the program's debug frame info, is trusted wherever it has the whole frame: in C code, on RISC-V, and in
//!   functions without a frame pointer. In Rust's other Arm code it only describes the saved registers.
//! - `listing`, the machine code, gives the frame where the first does not, and the calls between functions. It must agree with
//!   the first on each complete frame, and on the saved registers of the others.
//!
//! The frames of the deepest call path from each hook are added up, for each backend. Functions of the user that a port calls,
//! or that consume the frames, are not included.

mod debug_frame;
mod listing;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::command::run_quiet;
use debug_frame::Frame;
use listing::Function;

/// Deepest stack below the caller on one target, in bytes.
#[derive(Clone, Debug)]
pub struct StackUse {
    /// Rust's name of the target.
    pub target: &'static str,
    /// Backend that the shim is compiled for.
    pub backend: StackBackend,
    /// Any event, on the usual path.
    pub hook: u32,
    /// An event of several numbers, on the usual path.
    pub numbers: u32,
    /// An event with a drop counter before it, or one that finds the buffer full.
    pub rare: u32,
    /// A metadata event (names; objects that are created).
    pub metadata: u32,
    /// Functions whose complete frame is in the debug frame info, of all on these paths.
    pub from_debug_frame: (usize, usize),
}

/// A backend, as the stack's tables name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackBackend {
    /// Snapshots
    Snapshot,
    /// A stream
    Streaming,
    /// The user's own
    External,
    /// Snapshots of packets
    Packets,
}

impl StackBackend {
    const ALL: [Self; 4] = [Self::Snapshot, Self::Streaming, Self::External, Self::Packets];

    /// As its macro has it, in small letters; packets are snapshots.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Packets => "packets",
            Self::Snapshot => "snapshot",
            Self::Streaming => "streaming",
            Self::External => "external",
        }
    }

    fn macro_name(self) -> String {
        match self {
            Self::Packets => Self::Snapshot.macro_name(),
            it => it.name().to_uppercase(),
        }
    }

    /// Returns the port's part for it: functions of the user that take no stack.
    const fn port(self) -> &'static str {
        match self {
            Self::Snapshot | Self::Packets => "",
            Self::Streaming => {
                "#define tband_portBACKEND_STREAM_DATA(buf, len) ((void)(buf), (len) == 0U)\n"
            }
            Self::External => {
                "bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {\n\
                 (void)buf;\n(void)is_metadata;\nreturn len == 0U;\n}\n"
            }
        }
    }
}

struct Target {
    triple: &'static str,
    compiler: &'static str,
    port: &'static str,
    /// Folders of the C library's headers, if the compiler does not find them.
    libc: &'static [&'static str],
    flags: &'static [&'static str],
}

type Family = (&'static str, &'static str, &'static [&'static str]);
const ARM: Family = ("arm-none-eabi-gcc", "tband_cortex_m.h", &[]);
const RISCV: Family = ("riscv64-unknown-elf-gcc", "tband_riscv.h", &["--specs=picolibc.specs"]);

const fn target(
    triple: &'static str,
    (compiler, port, libc): Family,
    flags: &'static [&'static str],
) -> Target {
    Target { triple, compiler, port, libc, flags }
}

const TARGETS: &[Target] = &[
    target("thumbv6m-none-eabi", ARM, &["-mcpu=cortex-m0plus", "-mthumb"]),
    target("thumbv7m-none-eabi", ARM, &["-mcpu=cortex-m3", "-mthumb"]),
    target("thumbv7em-none-eabi", ARM, &["-mcpu=cortex-m4", "-mthumb"]),
    target(
        "thumbv7em-none-eabihf",
        ARM,
        &["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"],
    ),
    target(
        "thumbv8m.main-none-eabihf",
        ARM,
        &["-mcpu=cortex-m33", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-sp-d16"],
    ),
    target("riscv32imac-unknown-none-elf", RISCV, &["-march=rv32imac_zicsr", "-mabi=ilp32"]),
];

/// The hooks of timed events, and of metadata.
const EVENTS: &[&str] = &[
    "tband_record_u32",
    "tband_record_u32_u32",
    "tband_record_u32_s64",
    "tband_record_u32_str",
    "tband_record_numbers",
];
const NUMBERS: [&str; 1] = ["tband_record_numbers"];
const METADATA: [&str; 1] = ["tband_record_metadata"];

/// Functions that only run when a drop counter is due, a buffer is full, or a packet is closed or opened.
const RARE: &[&str] = &[
    "open_after_drop_cnt",
    "stop_all_cores",
    "tband_retry_",
    "tband_open_next",
    "tband_lib_packet_open_next_",
    "tband_lib_packet_close_",
];

/// Measures every target.
///
/// # Errors
/// A compiler is missing or failed; the text has its output.
pub fn stack_use(root: &Path) -> Result<Vec<StackUse>> {
    let all = StackBackend::ALL.iter().flat_map(|&it| TARGETS.iter().map(move |to| (it, to)));
    all.map(|(backend, target)| target.measure(root, backend)).collect()
}

impl Target {
    fn measure(&self, root: &Path, backend: StackBackend) -> Result<StackUse> {
        let program =
            self.link(root, backend).with_context(|| format!("stack on {}", self.triple))?;
        let output = run_quiet(
            Command::new(self.tool("objdump")).args(["-d", "--no-show-raw-insn"]).arg(&program),
        )?;
        let functions = listing::parse(&String::from_utf8_lossy(&output.stdout))?;
        let frames = debug_frame::frames(&fs::read(&program)?)
            .with_context(|| format!("debug frame info of {}", self.triple))?;
        for (name, function) in &functions {
            check(name, function, frames.get(&function.address))
                .with_context(|| format!("stack on {}", self.triple))?;
        }
        let deepest = |names: &[&str], skip: &[&str]| {
            let depth = |name: &&str| depth(&functions, name, skip, &mut BTreeSet::new());
            names.iter().map(depth).max().unwrap_or(0)
        };
        for name in EVENTS {
            // The compiler may have put the usual path into a separate part, which is reached by a jump.
            let calls = functions.get(*name).map_or(0, |it| it.calls.len() + it.jumps.len());
            // Frames are opened and closed.
            let least = if backend == StackBackend::Packets { 1 } else { 2 };
            ensure!(calls >= least, "{}: few calls in {name}: not understood", self.triple);
        }
        let mut reached = BTreeSet::new();
        for name in EVENTS.iter().chain(&METADATA) {
            reach(&functions, name, &mut reached);
        }
        let whole = reached
            .iter()
            .filter_map(|name| frames.get(&functions.get(name)?.address))
            .filter(|frame| matches!(frame, Frame::Whole(_)));
        Ok(StackUse {
            target: self.triple,
            backend,
            hook: deepest(EVENTS, RARE),
            numbers: deepest(&NUMBERS, RARE),
            rare: deepest(EVENTS, &[]),
            metadata: deepest(&METADATA, &[]),
            from_debug_frame: (whole.count(), reached.len()),
        })
    }

    fn tool(&self, name: &str) -> String {
        self.compiler.replace("gcc", name)
    }

    /// The program of shim and library, nothing left out.
    fn link(&self, root: &Path, backend: StackBackend) -> Result<PathBuf> {
        let folder = root.join("target/bench-target/stack").join(self.triple).join(backend.name());
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let shim = self.compile_shim(root, &folder, backend)?;
        let library = self.compile_library(root, &folder)?;
        let program = folder.join("stack.elf");
        run_quiet(
            Command::new(self.compiler)
                .args(self.flags)
                .args(["-nostdlib", "-Wl,--entry=tband_record_u32,--no-warn-execstack"])
                .arg(shim)
                .arg("-Wl,--whole-archive")
                .arg(library)
                .arg("-Wl,--no-whole-archive")
                .arg("-o")
                .arg(&program),
        )?;
        Ok(program)
    }

    /// The shim with the kernel-free port of its family.
    fn compile_shim(&self, root: &Path, folder: &Path, backend: StackBackend) -> Result<PathBuf> {
        fs::write(
            folder.join("tband_config.h"),
            format!(
                "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_{} 1\n{}",
                backend.macro_name(),
                if backend == StackBackend::Packets {
                    "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n"
                } else {
                    ""
                }
            ),
        )?;
        fs::write(
            folder.join("tband_port.h"),
            format!(
                "#include <stdint.h>\n\
                 #define tband_portTIMESTAMP() ((uint64_t)*(volatile uint32_t *)0x40002004)\n\
                 #define tband_portTIMESTAMP_RESOLUTION_NS 1\n\
                 #include \"{}\"\n{}",
                self.port,
                backend.port()
            ),
        )?;
        let object = folder.join("tband_shim.o");
        run_quiet(
            Command::new(self.compiler)
                .args(self.flags)
                .args(self.libc)
                .args(["-std=c11", "-O2", "-g", "-c", "-ffunction-sections", "-I"])
                .arg(root.join("include"))
                .arg("-I")
                .arg(root.join("port"))
                .arg("-I")
                .arg(folder)
                .arg(root.join("port/tband_shim.c"))
                .arg("-o")
                .arg(&object),
        )?;
        Ok(object)
    }

    /// Compiles the library's own member, with its symbols and with debug info: the shipped archive has neither. The code is
    /// the same.
    fn compile_library(&self, root: &Path, folder: &Path) -> Result<PathBuf> {
        let target_dir = root.join("target/bench-target/cargo");
        run_quiet(
            Command::new("cargo")
                .args(["build", "--locked", "--manifest-path", "firmware/Cargo.toml"])
                .args(["--package", "tband-ffi", "--profile", "firmware"])
                .args(["--target", self.triple, "--target-dir"])
                .arg(&target_dir)
                .env("CARGO_PROFILE_FIRMWARE_DEBUG", "line-tables-only")
                .current_dir(root),
        )?;
        let whole = target_dir.join(self.triple).join("firmware/libtband.a");
        let slim = folder.join("libtband.a");
        run_quiet(
            Command::new("cmake")
                .arg(format!("-DTBAND_AR={}", self.tool("ar")))
                .arg(format!("-DTBAND_IN={}", whole.display()))
                .arg(format!("-DTBAND_OUT={}", slim.display()))
                .arg("-P")
                .arg(root.join("cmake/TbandSlim.cmake")),
        )?;
        Ok(slim)
    }
}

/// Compares the stack use in the machine code with the debug frame info.
fn check(name: &str, function: &Function, frame: Option<&Frame>) -> Result<()> {
    let (expected, found) = match frame {
        None => bail!("{name}: no debug frame info"),
        Some(Frame::Whole(bytes)) => (bytes, function.frame),
        Some(Frame::Saved(bytes)) => (bytes, function.saved),
    };
    ensure!(
        *expected == found,
        "{name}: {frame:?} in the debug frame info, but the code takes {found}"
    );
    Ok(())
}

/// Adds a function and all that it reaches.
fn reach(functions: &BTreeMap<String, Function>, name: &str, reached: &mut BTreeSet<String>) {
    if let Some(function) = functions.get(name)
        && reached.insert(name.to_owned())
    {
        for callee in function.calls.iter().chain(&function.jumps) {
            reach(functions, callee, reached);
        }
    }
}

/// Deepest stack of a function and all that it reaches, without those whose name contains one of `skip`.
fn depth(
    functions: &BTreeMap<String, Function>,
    name: &str,
    skip: &[&str],
    above: &mut BTreeSet<String>,
) -> u32 {
    let Some(function) = functions.get(name) else { return 0 };
    if skip.iter().any(|part| name.contains(part)) || !above.insert(name.to_owned()) {
        return 0;
    }
    let reach = |names: &BTreeSet<String>, above: &mut BTreeSet<String>| {
        names.iter().map(|callee| depth(functions, callee, skip, above)).max().unwrap_or(0)
    };
    let called = function.frame + reach(&function.calls, above);
    let jumped = reach(&function.jumps, above);
    above.remove(name);
    called.max(jumped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_way_counts_and_jumps_leave_their_frame() {
        let functions = listing::parse(
            "00000000 <a>:\n   0:\tpush\t{r4, lr}\n   2:\tbl\t10 <b>\n\
             00000010 <b>:\n  10:\tsub\tsp, #24\n  12:\tb.w\t20 <c>\n\
             00000020 <c>:\n  20:\tpush\t{r4-r7, lr}\n  22:\tbl\t30 <rare>\n\
             00000030 <rare>:\n  30:\tsub\tsp, #100\n",
        )
        .expect("a listing");
        assert_eq!(depth(&functions, "a", &["rare"], &mut BTreeSet::new()), 8 + 24);
        assert_eq!(depth(&functions, "a", &[], &mut BTreeSet::new()), 8 + 20 + 100);
    }

    #[test]
    fn the_sources_must_agree() {
        let function = Function { frame: 24, saved: 16, ..Function::default() };
        let check = |frame| check("f", &function, Some(&frame)).is_ok();
        assert!(check(Frame::Whole(24)) && check(Frame::Saved(16)));
        assert!(!check(Frame::Whole(16)) && !check(Frame::Saved(24)));
    }
}
