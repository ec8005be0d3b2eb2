//! The layouts that shim and library share: for each struct of `tband.h` the place of each member, as the library has it.
//!
//! A compiler's option, as `-fpack-struct`, or a `#pragma pack` that is not taken back gives the shim other ones, and the library would
//! read other members than the shim has written. The shim asserts each, so that such a program does not compile.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result};

const HEADER: &str = "\
/* The layouts that shim and library share, which compiler options can change. Part of the shim.
 *
 * Generated from the structs of tband.h by `cargo xtask header`; do not edit. */
#if defined(TBAND_SHIM) && !defined(TBAND_LAYOUT_H)
#define TBAND_LAYOUT_H

#define TBAND_IS(type, number, with_32_bits, with_64_bits)                                       \\
  TBAND_STATIC_ASSERT((number) == ((sizeof(void *) > 4U) ? (with_64_bits) : (with_32_bits)), \\
                      \"tband: the library has another layout of \" #type \": compile without \" \\
                      \"-fpack-struct and #pragma pack\")
#define TBAND_AT(type, member, with_32_bits, with_64_bits) \\
  TBAND_IS(type, offsetof(type, member), with_32_bits, with_64_bits)
#define TBAND_SIZE(type, with_32_bits, with_64_bits) TBAND_IS(type, sizeof(type), with_32_bits, with_64_bits)
/* Where it is after a byte. */
#define TBAND_ALIGNED(type, with_32_bits, with_64_bits) \\
  struct type##_after_byte {                            \\
    uint8_t byte;                                       \\
    type after;                                         \\
  };                                                    \\
  TBAND_IS(type, offsetof(struct type##_after_byte, after), with_32_bits, with_64_bits)
";

/// Bytes of pointers.
const POINTERS: [usize; 2] = [4, 8];

/// Size and alignment with each size of pointers.
type Layout = [(usize, usize); 2];

/// The text of `port/tband_layout.h`.
///
/// # Errors
/// A struct has a member that is not understood.
pub fn header(tband_h: &str) -> Result<String> {
    let mut known = BTreeMap::new();
    let mut text = HEADER.to_owned();
    for (name, members) in structs(tband_h) {
        let mut ends = [0_usize; 2];
        let mut aligned = [1_usize; 2];
        text.push('\n');
        for member in members {
            let (field, layout) =
                layout(&member, &known).with_context(|| format!("{name}: {member}"))?;
            for (end, (_, align)) in ends.iter_mut().zip(layout) {
                *end = end.next_multiple_of(align);
            }
            let [small, large] = ends;
            writeln!(text, "TBAND_AT({name}, {field}, {small}U, {large}U);")?;
            for at in 0..2 {
                ends[at] += layout[at].0;
                aligned[at] = aligned[at].max(layout[at].1);
            }
        }
        let all = [0, 1].map(|at| (ends[at].next_multiple_of(aligned[at]), aligned[at]));
        writeln!(text, "TBAND_SIZE({name}, {}U, {}U);", all[0].0, all[1].0)?;
        writeln!(text, "TBAND_ALIGNED({name}, {}U, {}U);", all[0].1, all[1].1)?;
        known.insert(name, all);
    }
    text.push_str("\n#undef TBAND_IS\n#undef TBAND_AT\n#undef TBAND_SIZE\n#undef TBAND_ALIGNED\n\n#endif /* TBAND_LAYOUT_H */\n");
    Ok(text)
}

/// The structs of a header, with their members as they are written. That of a frame is in registers, and no memory.
fn structs(header: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut rest = header;
    while let Some((_, after)) = rest.split_once("\ntypedef struct ") {
        let Some((body, end)) = after.split_once("\n}") else { break };
        rest = end;
        let Some((name, body)) = body.split_once(" {\n") else { continue };
        if name == "tband_frame" {
            continue;
        }
        let is_comment = |line: &&str| line.starts_with("/*") || line.starts_with('*');
        let lines = body.lines().map(str::trim).filter(|line| !is_comment(line));
        let members = lines.filter_map(|line| line.strip_suffix(';')).map(ToOwned::to_owned);
        found.push((name.to_owned(), members.collect()));
    }
    found
}

/// The name of a member, and its layout.
fn layout(member: &str, known: &BTreeMap<String, Layout>) -> Result<(String, Layout)> {
    let (of, name) = member.rsplit_once(' ').context("no name")?;
    let is_pointer = name.starts_with('*');
    let name = name.trim_start_matches('*');
    let (name, count) = match name.split_once('[') {
        Some((name, count)) => {
            (name, count.strip_suffix(']').and_then(|it| it.parse().ok()).context("no count")?)
        }
        None => (name, 1),
    };
    let of = of.trim_start_matches("const ").trim_start_matches("struct ");
    let one = match of {
        _ if is_pointer => POINTERS.map(|bytes| (bytes, bytes)),
        "uint8_t" | "int8_t" | "bool" | "char" => [(1, 1); 2],
        "uint16_t" | "int16_t" => [(2, 2); 2],
        "uint32_t" | "int32_t" => [(4, 4); 2],
        "uint64_t" | "int64_t" => [(8, 8); 2],
        "size_t" | "uintptr_t" => POINTERS.map(|bytes| (bytes, bytes)),
        other => *known.get(other).context("its type is not known")?,
    };
    Ok((name.to_owned(), one.map(|(size, align)| (size * count, align))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_where_c_has_them() {
        let text = header(
            "\ntypedef struct tband_a {\n  /**\n   * Some; text.\n   */\n  uint8_t one;\n  uint16_t two[3];\n  const char *text;\n} tband_a;\n\
             \ntypedef struct tband_b {\n  uint32_t first;\n  struct tband_a inner[2];\n  struct tband_a *at[2];\n  uint8_t last;\n} tband_b;\n",
        )
        .expect("a header");
        let lines: Vec<_> = text.lines().filter(|line| line.contains("(tband_")).collect();
        assert_eq!(
            lines,
            [
                "TBAND_AT(tband_a, one, 0U, 0U);",
                "TBAND_AT(tband_a, two, 2U, 2U);",
                "TBAND_AT(tband_a, text, 8U, 8U);",
                "TBAND_SIZE(tband_a, 12U, 16U);",
                "TBAND_ALIGNED(tband_a, 4U, 8U);",
                "TBAND_AT(tband_b, first, 0U, 0U);",
                "TBAND_AT(tband_b, inner, 4U, 8U);",
                "TBAND_AT(tband_b, at, 28U, 40U);",
                "TBAND_AT(tband_b, last, 36U, 56U);",
                "TBAND_SIZE(tband_b, 40U, 64U);",
                "TBAND_ALIGNED(tband_b, 4U, 8U);",
            ]
        );
        header("\ntypedef struct tband_a {\n  float one;\n} tband_a;\n").unwrap_err();
    }
}
