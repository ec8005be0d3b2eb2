//! Functions in the disassembly of a linked program: the stack use of each, and its callees.
//!
//! The frame is the sum of all instructions that lower the stack pointer. That is the deepest for functions with one entry, or
//! with several that exclude each other only in the instructions that they skip; the check against the debug frame info would
//! find others.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, ensure};

/// One function.
#[derive(Debug, Default)]
pub struct Function {
    /// Where it is.
    pub address: u64,
    /// Bytes that it takes off the stack.
    pub frame: u32,
    /// How many of them are registers that belong to the caller.
    pub saved: u32,
    /// Functions that it calls, with its frame on the stack.
    pub calls: BTreeSet<String>,
    /// Functions that it jumps to at its end, without.
    pub jumps: BTreeSet<String>,
}

/// Parses the functions in the output of `objdump -d`, by name.
///
/// # Errors
/// A call has a target outside of the listing.
pub fn parse(listing: &str) -> Result<BTreeMap<String, Function>> {
    let mut functions: BTreeMap<String, Function> = BTreeMap::new();
    let mut current = String::new();
    let mut saved = BTreeSet::new();
    for line in listing.lines() {
        if let Some((address, name)) =
            line.strip_suffix(">:").and_then(|line| line.split_once(" <"))
        {
            // Labels inside a function start with a dot.
            if !name.starts_with('.') {
                name.clone_into(&mut current);
                saved.clear();
                let address = u64::from_str_radix(address.trim(), 16)?;
                functions.insert(current.clone(), Function { address, ..Function::default() });
            }
            continue;
        }
        let Some(function) = functions.get_mut(&current) else { continue };
        let Some((_, instruction)) = line.trim().split_once('\t') else { continue };
        let (mnemonic, operands) = instruction.split_once('\t').unwrap_or((instruction, ""));
        let (taken, registers) = stack_use(mnemonic, operands);
        function.frame += taken;
        for register in registers {
            // One that is pushed again is pushed for the room.
            function.saved += if saved.insert(register) { 4 } else { 0 };
        }
        // Places inside a function are written as its name and an offset.
        let target = operands.split(['<', '>']).nth(1).filter(|name| !name.contains('+'));
        if is_call(mnemonic) {
            ensure!(target.is_some(), "{current}: {instruction}: the called function is unknown");
            function.calls.extend(target.map(str::to_owned));
        } else if is_jump(mnemonic) {
            function.jumps.extend(target.filter(|name| *name != current).map(str::to_owned));
        }
    }
    Ok(functions)
}

const CONDITIONS: [&str; 14] =
    ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"];

/// `bl`, perhaps under a condition, which is not `bls` and `blt`; `jal` and `jalr`.
fn is_call(mnemonic: &str) -> bool {
    let condition = mnemonic.strip_prefix("blx").or_else(|| mnemonic.strip_prefix("bl"));
    matches!(mnemonic, "jal" | "jalr")
        || condition.is_some_and(|rest| rest.is_empty() || CONDITIONS.contains(&rest))
}

/// Whether it is a branch, also a conditional one; only those with a target are examined.
fn is_jump(mnemonic: &str) -> bool {
    matches!(mnemonic, "j" | "jr")
        || mnemonic
            .strip_prefix('b')
            .map(|rest| rest.trim_end_matches(".n").trim_end_matches(".w"))
            .is_some_and(|rest| rest.is_empty() || CONDITIONS.contains(&rest))
}

/// Bytes that one instruction takes off the stack, and the caller's registers that it pushes there.
fn stack_use(mnemonic: &str, operands: &str) -> (u32, Vec<String>) {
    let operands = operands.split([';', '@']).next().unwrap_or_default().trim();
    let number = |text: &str| {
        let digits = text.trim().trim_start_matches(['#', '-']);
        digits.parse::<u32>().ok()
    };
    let without_saving = |bytes: Option<u32>| (bytes.unwrap_or(0), Vec::new());
    match mnemonic {
        "push" | "push.w" => registers(operands),
        "stmdb" if operands.starts_with("sp!") => registers(operands),
        "str.w" | "strd" | "str" if operands.contains("[sp, #-") && operands.ends_with("]!") => {
            let (register, rest) = operands.split_once("[sp, #-").unwrap_or_default();
            let bytes = number(rest.trim_end_matches("]!")).unwrap_or(0);
            let register = register.trim().trim_end_matches(',');
            (bytes, is_caller_s(register).then(|| register.to_owned()).into_iter().collect())
        }
        "sub" | "sub.w" | "subw" if operands.starts_with("sp,") => {
            without_saving(operands.rsplit(',').next().and_then(number))
        }
        "add" | "addi" | "c.addi" | "c.addi16sp" if operands.starts_with("sp,") => {
            without_saving(match operands.rsplit(',').next() {
                Some(last) if last.trim().starts_with('-') => number(last),
                _ => None,
            })
        }
        _ => (0, Vec::new()),
    }
}

/// The register's contents belong to the caller; r0 to r3 are pushed for the room only.
fn is_caller_s(register: &str) -> bool {
    !matches!(register, "r0" | "r1" | "r2" | "r3")
}

/// Bytes of a list such as `{r4, r6-r8, lr}`, and those that belong to the caller.
fn registers(operands: &str) -> (u32, Vec<String>) {
    let list = operands.split(['{', '}']).nth(1).unwrap_or_default();
    let mut found = (0, Vec::new());
    for item in list.split(',') {
        let (from, to) = item.trim().split_once('-').unwrap_or((item.trim(), item.trim()));
        let index = |name: &str| name.trim().trim_start_matches('r').parse::<u32>().ok();
        let names: Vec<String> = match (index(from), index(to)) {
            (Some(from), Some(to)) => (from..=to).map(|index| format!("r{index}")).collect(),
            _ => vec![from.to_owned()],
        };
        for name in names {
            found.0 += 4;
            if is_caller_s(&name) {
                found.1.push(name);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_both_families() {
        for (mnemonic, operands, bytes) in [
            ("push", "{r4, r5, r7, lr}", (16, 16)),
            ("push", "{r4-r7, lr}", (20, 20)),
            ("push", "{r2, r3, r4, lr}", (16, 8)),
            ("stmdb", "sp!, {r8, r9, sl}", (12, 12)),
            ("stmdb", "r0!, {r8, r9}", (0, 0)),
            ("str.w", "r8, [sp, #-4]!", (4, 4)),
            ("str.w", "r0, [sp, #-4]!", (4, 0)),
            ("str", "r1, [sp, #4]", (0, 0)),
            ("sub", "sp, #28", (28, 0)),
            ("sub.w", "sp, sp, #256\t; 0x100", (256, 0)),
            ("add", "sp, #28", (0, 0)),
            ("addi", "sp,sp,-32", (32, 0)),
            ("add", "sp,sp,-32", (32, 0)),
            ("addi", "sp,sp,32", (0, 0)),
        ] {
            let (taken, saved) = stack_use(mnemonic, operands);
            assert_eq!((taken, 4 * saved.len() as u32), bytes, "{mnemonic} {operands}");
        }
    }

    /// Size-optimised code reserves stack by pushing more registers than it has to save.
    #[test]
    fn registers_that_are_pushed_twice_are_saved_once() {
        let functions = parse(
            "00008000 <a>:\n    8000:\tpush\t{r4, r5, r6, r7, lr}\n    8002:\tadd\tr7, sp, #12\n    \
                 8004:\tstmdb\tsp!, {r1, r2, r3, r4, r5, r6, r7, r8, r9}\n\
             00008010 <b>:\n    8010:\tpush\t{r4, lr}\n",
        )
        .expect("a listing");
        assert_eq!((functions["a"].frame, functions["a"].saved), (56, 28));
        assert_eq!((functions["b"].frame, functions["b"].saved), (8, 8));
    }

    #[test]
    fn calls_and_jumps_of_both_families() {
        for call in ["bl", "blne", "blx", "blls", "jal", "jalr"] {
            assert!(is_call(call) && !is_jump(call), "{call}");
        }
        for jump in ["b", "b.n", "b.w", "bls.n", "blt.n", "ble.w", "bne.w", "j", "jr"] {
            assert!(is_jump(jump) && !is_call(jump), "{jump}");
        }
        for other in ["bfi", "bic", "bkpt"] {
            assert!(!is_jump(other) && !is_call(other), "{other}");
        }
        let functions = parse(
            "00008000 <a>:\n\
                 8000:\tbl\t8010 <b>\n    8004:\tbeq.n\t8000 <a>\n    8006:\tb.n\t800a <a+0xa>\n    \
                 8008:\tbge.w\t8020 <c>\n\
             00008010 <b>:\n    8010:\tjalr\t1196(ra) # 8020 <c>\n    8014:\tjr\t11(t1) # 8000 <a>\n\
             00008020 <c>:\n    8020:\tldr\tr3, [pc, #4]\t@ (8028 <c+0x8>)\n",
        )
        .expect("a listing");
        let names = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(
            (names(&functions["a"].calls), names(&functions["a"].jumps)),
            ("b".into(), "c".into())
        );
        assert_eq!(
            (names(&functions["b"].calls), names(&functions["b"].jumps)),
            ("c".into(), "a".into())
        );
        assert_eq!(functions["c"].address, 0x8020);
        assert!(functions["c"].calls.is_empty() && functions["c"].jumps.is_empty());
        assert!(parse("00008000 <a>:\n    8000:\tblx\tr3\n").is_err(), "called through a pointer");
    }
}
