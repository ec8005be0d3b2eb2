//! Stack that a hook adds to its caller, from the machine code of every target.
//!
//! For each target the shim and the library are compiled, their disassembly gives each function's own
//! frame (what it pushes and takes off the stack pointer) and whom it calls or jumps to, and the deepest
//! way from each shim function is summed up, with the project's own ports, whose critical sections are
//! inline. Functions of the user that a port calls are not in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::run_quiet;

/// Deepest stack below the caller on one target, in bytes.
#[derive(Clone, Debug)]
pub struct StackUse {
    /// Rust's name of the target.
    pub target: &'static str,
    /// Any event, as it goes nearly always.
    pub hook: u32,
    /// An event with a drop counter ahead of it, or one that finds the buffer full.
    pub rare: u32,
    /// A metadata event (names; objects that are created).
    pub metadata: u32,
}

struct Target {
    triple: &'static str,
    compiler: &'static str,
    objdump: &'static str,
    port: &'static str,
    flags: &'static [&'static str],
}

const ARM: [&str; 3] = ["arm-none-eabi-gcc", "arm-none-eabi-objdump", "tband_cortex_m.h"];
const RISCV: [&str; 3] =
    ["riscv64-unknown-elf-gcc", "riscv64-unknown-elf-objdump", "tband_riscv.h"];

const fn target(
    triple: &'static str,
    [compiler, objdump, port]: [&'static str; 3],
    flags: &'static [&'static str],
) -> Target {
    Target { triple, compiler, objdump, port, flags }
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
    target(
        "riscv32imac-unknown-none-elf",
        RISCV,
        &["-march=rv32imac_zicsr", "-mabi=ilp32", "--specs=picolibc.specs"],
    ),
];

/// Functions that only run when a drop counter is due or a buffer is full.
const RARE: &[&str] = &["open_after_drop_cnt", "stop_snapshot"];

/// Measures every target.
///
/// # Errors
/// A compiler is missing or failed; the text has its output.
pub fn stack_use(root: &Path) -> Result<Vec<StackUse>> {
    TARGETS.iter().map(|target| target.measure(root)).collect()
}

impl Target {
    fn measure(&self, root: &Path) -> Result<StackUse> {
        let folder = root.join("target/bench-target/stack").join(self.triple);
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let listing = self.disassemble_shim(root, &folder)? + &self.disassemble_library(root)?;
        let functions = parse(&listing);
        let deepest = |names: &[&str], skip: &[&str]| {
            names
                .iter()
                .map(|name| depth(&functions, name, skip, &mut BTreeSet::new()))
                .max()
                .unwrap_or(0)
        };
        let events = [
            "tband_record_u32",
            "tband_record_u32_u32",
            "tband_record_u32_s64",
            "tband_record_u32_str",
            "tband_record_numbers",
        ];
        for name in events {
            let frame = functions.get(name).map_or(0, |function| function.calls.len());
            anyhow::ensure!(
                frame > 0,
                "{}: no call in {name}: the listing was not understood",
                self.triple
            );
        }
        Ok(StackUse {
            target: self.triple,
            hook: deepest(&events, RARE),
            rare: deepest(&events, &[]),
            metadata: deepest(&["tband_record_metadata"], &[]),
        })
    }

    /// The shim with the kernel-free port of its family, snapshot backend.
    fn disassemble_shim(&self, root: &Path, folder: &Path) -> Result<String> {
        fs::write(
            folder.join("tband_config.h"),
            "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n",
        )?;
        fs::write(
            folder.join("tband_port.h"),
            format!(
                "#include <stdint.h>\n\
                 extern volatile uint32_t timer;\n\
                 #define tband_portTIMESTAMP() ((uint64_t)timer)\n\
                 #define tband_portTIMESTAMP_RESOLUTION_NS 1\n\
                 #include \"{}\"\n",
                self.port
            ),
        )?;
        let object = folder.join("tband_shim.o");
        run_quiet(
            Command::new(self.compiler)
                .args(self.flags)
                .args(["-std=c11", "-O2", "-c", "-ffunction-sections", "-I"])
                .arg(root.join("include"))
                .arg("-I")
                .arg(root.join("port"))
                .arg("-I")
                .arg(folder)
                .arg(root.join("port/tband_shim.c"))
                .arg("-o")
                .arg(&object),
        )?;
        self.disassemble(&object)
    }

    /// The library's own member: the archive before it is slimmed still has its symbols.
    fn disassemble_library(&self, root: &Path) -> Result<String> {
        let target_dir = root.join("target/bench-target/cargo");
        run_quiet(
            Command::new("cargo")
                .args(["build", "--locked", "--package", "tband-ffi", "--profile", "firmware"])
                .args(["--target", self.triple, "--target-dir"])
                .arg(&target_dir)
                .current_dir(root),
        )?;
        let folder = target_dir.join(self.triple).join("firmware");
        let slim = folder.join("slim/libtband.a");
        run_quiet(
            Command::new("cmake")
                .arg(format!("-DTBAND_AR={}", self.objdump.replace("objdump", "ar")))
                .arg(format!("-DTBAND_IN={}", folder.join("libtband.a").display()))
                .arg(format!("-DTBAND_OUT={}", slim.display()))
                .arg("-P")
                .arg(root.join("cmake/TbandSlim.cmake")),
        )?;
        self.disassemble(&slim)
    }

    fn disassemble(&self, object: &Path) -> Result<String> {
        let output = run_quiet(
            Command::new(self.objdump).args(["-d", "-r", "--no-show-raw-insn"]).arg(object),
        )?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

#[derive(Default)]
struct Function {
    /// Bytes that the function itself takes off the stack.
    frame: u32,
    /// Functions that it calls, with its frame on the stack.
    calls: BTreeSet<String>,
    /// Functions that it jumps to at its end, without.
    jumps: BTreeSet<String>,
}

/// Functions of a listing of `objdump -d -r`, by name.
fn parse(listing: &str) -> BTreeMap<String, Function> {
    let mut functions: BTreeMap<String, Function> = BTreeMap::new();
    let mut current = String::new();
    let mut last_instruction = "";
    for line in listing.lines() {
        if let Some(name) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            // Labels inside a function start with a dot.
            if name.1.starts_with('.') {
                continue;
            }
            current = name.1.to_owned();
            functions.entry(current.clone()).or_default();
            continue;
        }
        let Some(function) = functions.get_mut(&current) else { continue };
        let line = line.trim();
        if let Some((_, relocation)) = line.split_once(": R_") {
            // The function that a call or jump is linked to stands in the relocation behind it.
            let target = relocation.split_whitespace().nth(1).unwrap_or_default();
            let target = target.split(['+', '-']).next().unwrap_or_default();
            if relocation.starts_with("ARM_THM_CALL") || last_instruction.starts_with("jalr\tra") {
                function.calls.insert(target.to_owned());
            } else if relocation.starts_with("ARM_THM_JUMP24") {
                function.jumps.insert(target.to_owned());
            } else if relocation.starts_with("RISCV_CALL") {
                // auipc and jalr: whether it returns here is in the next instruction. As a call the
                // frame counts, which is the larger.
                function.calls.insert(target.to_owned());
            }
            continue;
        }
        let Some((_, instruction)) = line.split_once('\t') else { continue };
        last_instruction = instruction;
        function.frame += pushed(instruction);
    }
    functions
}

/// Bytes that one instruction takes off the stack.
fn pushed(instruction: &str) -> u32 {
    let (mnemonic, operands) = instruction.split_once('\t').unwrap_or((instruction, ""));
    let operands = operands.split([';', '@']).next().unwrap_or_default().trim();
    let number = |text: &str| {
        let digits = text.trim().trim_start_matches(['#', '-']);
        digits.parse::<u32>().ok()
    };
    match mnemonic {
        "push" | "stmdb" | "push.w"
            if mnemonic.starts_with("push") || operands.starts_with("sp!") =>
        {
            4 * registers(operands)
        }
        "str.w" | "strd" | "str" if operands.contains("[sp, #-") && operands.ends_with("]!") => {
            operands
                .split("[sp, #-")
                .nth(1)
                .and_then(|rest| number(rest.trim_end_matches("]!")))
                .unwrap_or(0)
        }
        "sub" | "sub.w" | "subw" if operands.starts_with("sp,") => {
            operands.rsplit(',').next().and_then(number).unwrap_or(0)
        }
        "add" | "addi" | "c.addi" | "c.addi16sp" if operands.starts_with("sp,") => {
            match operands.rsplit(',').next() {
                Some(last) if last.trim().starts_with('-') => number(last).unwrap_or(0),
                _ => 0,
            }
        }
        _ => 0,
    }
}

/// How many registers a list such as `{r4, r6-r8, lr}` names.
fn registers(operands: &str) -> u32 {
    let list = operands.split(['{', '}']).nth(1).unwrap_or_default();
    list.split(',')
        .map(|item| match item.trim().split_once('-') {
            Some((from, to)) => {
                let index = |name: &str| name.trim().trim_start_matches('r').parse::<u32>().ok();
                match (index(from), index(to)) {
                    (Some(from), Some(to)) if to >= from => to - from + 1,
                    _ => 1,
                }
            }
            None => 1,
        })
        .sum()
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
    fn frames_of_both_families() {
        for (instruction, bytes) in [
            ("push\t{r4, r5, r7, lr}", 16),
            ("push\t{r4-r7, lr}", 20),
            ("stmdb\tsp!, {r8, r9, sl}", 12),
            ("stmdb\tr0!, {r8, r9}", 0),
            ("str.w\tr8, [sp, #-4]!", 4),
            ("str\tr1, [sp, #4]", 0),
            ("sub\tsp, #28", 28),
            ("sub.w\tsp, sp, #256\t; 0x100", 256),
            ("add\tsp, #28", 0),
            ("addi\tsp,sp,-32", 32),
            ("add\tsp,sp,-32", 32),
            ("addi\tsp,sp,32", 0),
        ] {
            assert_eq!(pushed(instruction), bytes, "{instruction}");
        }
    }

    #[test]
    fn the_deepest_way_counts_and_jumps_leave_their_frame() {
        let functions = parse(
            "00000000 <a>:\n   0:\tpush\t{r4, lr}\n   2:\tbl\t0 <b>\n\t\t\t2: R_ARM_THM_CALL\tb\n\
             00000010 <b>:\n   0:\tsub\tsp, #24\n   2:\tb.w\t0 <c>\n\t\t\t2: R_ARM_THM_JUMP24\tc\n\
             00000020 <c>:\n   0:\tpush\t{r4-r7, lr}\n   2:\tbl\t0 <rare>\n\t\t\t2: R_ARM_THM_CALL\trare\n\
             00000030 <rare>:\n   0:\tsub\tsp, #100\n",
        );
        assert_eq!(depth(&functions, "a", &["rare"], &mut BTreeSet::new()), 8 + 24);
        assert_eq!(depth(&functions, "a", &[], &mut BTreeSet::new()), 8 + 20 + 100);
    }
}
