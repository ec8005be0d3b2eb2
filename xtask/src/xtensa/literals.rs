//! Moves the literals of LLVM's assembly for Xtensa to sections for them.
//!
//! LLVM 22 puts the constants that a function loads by `l32r` at the end of the section before the function, at any address. `l32r`
//! needs them at a multiple of four, and before the function. In separate sections the linker script places them, and the linker
//! computes the distances.

use std::fmt::Write as _;

use anyhow::{Result, ensure};

/// Returns the assembly with the literals of each function in a section `.literal.FUNCTION`.
///
/// # Errors
/// Literals are after the last function.
pub fn move_literals(assembly: &str) -> Result<String> {
    let mut moved = String::with_capacity(assembly.len() + assembly.len() / 4);
    let mut literals = String::new();
    let mut section = "\t.text";
    for line in assembly.lines() {
        let words = line.trim_start();
        let (directive, operands) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        match directive {
            ".literal_position" => continue,
            ".literal" => {
                let (name, value) = operands.split_once(',').unwrap_or((operands, "0"));
                let _ = writeln!(literals, "{}:\n\t.long\t{}", name.trim(), value.trim());
                continue;
            }
            ".section" | ".text" | ".data" | ".bss" => section = line,
            ".type" if !literals.is_empty() => {
                if let Some((function, "@function")) = operands.split_once(',') {
                    let _ = writeln!(moved, "\t.section\t.literal.{function},\"ax\",@progbits");
                    let _ = writeln!(moved, "\t.p2align\t2\n{literals}{section}\n\t.p2align\t2");
                    literals.clear();
                }
            }
            _ => {}
        }
        moved.push_str(line);
        moved.push('\n');
    }
    ensure!(literals.is_empty(), "literals without a function:\n{literals}");
    Ok(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As LLVM 22 writes it: the section of the function before, then the literals, and another section.
    const WRITTEN: &str = "\
\t.section\t.text.one,\"ax\",@progbits
\t.type\tone,@function
one:
\tretw.n
\t.literal_position
\t.literal .LCPI1_0, tband_lib_port_lock
\t.literal .LCPI1_1, 305419896
\t.section\t.text.two,\"ax\",@progbits
\t.p2align\t2
\t.type\ttwo,@function
two:
\tl32r\ta8, .LCPI1_0
";

    #[test]
    fn literals_are_aligned_in_a_section_before_their_function() {
        let moved = move_literals(WRITTEN).expect("assembly");
        let literals =
            moved.find(".section\t.literal.two,\"ax\",@progbits\n\t.p2align\t2\n.LCPI1_0:");
        let literals = literals.unwrap_or_else(|| panic!("{moved}"));
        assert!(
            moved[literals..]
                .contains("\t.long\ttband_lib_port_lock\n.LCPI1_1:\n\t.long\t305419896\n")
        );
        let function = moved.find("two:\n").expect("the function");
        assert!(moved[literals..function].contains("\t.section\t.text.two,\"ax\",@progbits\n"));
        assert!(!moved.contains(".literal_position") && !moved.contains("\t.literal "));
        assert!(
            moved.starts_with(
                "\t.section\t.text.one,\"ax\",@progbits\n\t.type\tone,@function\none:\n"
            )
        );
    }

    #[test]
    fn literals_without_a_function_are_an_error() {
        assert!(move_literals("\t.literal .LCPI0_0, 1\n").is_err());
        // An object is no function.
        assert!(move_literals("\t.literal .LCPI0_0, 1\n\t.type\tdata,@object\n").is_err());
    }
}
