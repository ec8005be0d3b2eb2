//! The content of the archives: members, sections, symbols, strings.

use std::collections::BTreeSet;

use crate::{libraries, shim_constant, tool};

/// Names of symbols by kind, as `nm` gives both.
fn symbols(triple: &str, archive: &std::path::PathBuf) -> Vec<(char, String)> {
    let listing = tool(triple, "nm", &["--no-demangle", "--format=posix"], archive);
    let pair = |line: &str| {
        let mut words = line.split(' ');
        let name = words.next()?.to_owned();
        Some((words.next()?.chars().next()?, name))
    };
    let list: Vec<_> = listing.lines().filter_map(pair).collect();
    assert!(list.len() > 30, "{triple}: {listing}");
    list
}

#[test]
fn one_member() {
    for (triple, archive) in libraries() {
        assert_eq!(tool(triple, "ar", &["t"], archive), "tband.o\n", "{triple}");
    }
}

#[test]
fn stripped() {
    for (triple, archive) in libraries() {
        let sections = tool(triple, "readelf", &["-SW"], archive);
        assert!(sections.contains(".symtab"), "{sections}");
        for unwanted in [".debug", ".llvmbc", ".llvmcmd", ".ARM.exidx", ".ARM.extab"] {
            assert!(!sections.contains(unwanted), "{triple} has {unwanted}");
        }
        // A function that only the library itself knows is there by name only if it is called by name.
        let relocations = tool(triple, "readelf", &["-rW"], archive);
        let called: BTreeSet<_> = relocations.split_whitespace().collect();
        for (kind, name) in symbols(triple, archive) {
            if kind.is_ascii_lowercase() && kind != 'w' {
                assert!(called.contains(name.as_str()), "{triple}: {name} need not be there");
            }
        }
    }
}

/// What the toolchain's own libraries give every program, and what the shim defines. Not what copies and clears memory: where a program
/// links without a C library there is none, and a call takes stack.
fn is_allowed(triple: &str, name: &str) -> bool {
    name.starts_with("tband_lib_port_")
        || name == shim_constant(triple)
        || name == "tband_shim_packets"
        || (triple.contains("-none-eabi")
            && name.starts_with("__aeabi_")
            && !name.starts_with("__aeabi_mem"))
}

#[test]
fn the_library_needs_no_other_symbols() {
    for (triple, archive) in libraries() {
        let symbols = symbols(triple, archive);
        let needed: Vec<_> = symbols
            .iter()
            .filter(|(kind, _)| *kind == 'U' || kind.eq_ignore_ascii_case(&'w'))
            .map(|(_, name)| name.as_str())
            .collect();
        for name in &needed {
            assert!(is_allowed(triple, name), "{triple} needs {name}");
        }
        assert!(needed.contains(&shim_constant(triple).as_str()), "{triple}: {needed:?}");
        println!("{triple}: {}", needed.join(" "));
    }
}

#[test]
fn every_global_name_starts_with_tband() {
    for (triple, archive) in libraries() {
        let mut exported = 0;
        for (kind, name) in symbols(triple, archive) {
            if kind.is_ascii_uppercase() && kind != 'U' {
                assert!(name.starts_with("tband_"), "{triple}: {name} is global");
                exported += 1;
            }
        }
        assert!(exported > 20, "{triple}: {exported}");
    }
}

#[test]
fn no_panic_code_and_no_path() {
    for (triple, archive) in libraries() {
        let bytes = std::fs::read(archive).expect("the archive");
        let contains = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        assert!(contains("tband_lib_port_stream"), "the search finds a name of the library");
        for text in ["panic", "unwrap", "out of bounds", "overflow", "unwind", ".rs\0", "src/"] {
            // The name of the section with unwind tables is not code.
            assert!(!contains(text), "{triple} contains “{text}”");
        }
    }
}

/// An archive that claims a size of enums makes the linker complain about C code that has another.
#[test]
fn the_size_of_enums_is_left_open() {
    for (triple, archive) in libraries() {
        let attributes = tool(triple, "readelf", &["-A"], archive);
        for tag in ["Tag_ABI_enum_size", "Tag_ABI_PCS_wchar_t"] {
            assert!(!attributes.contains(tag), "{triple}: {attributes}");
        }
        let hard = attributes.contains("Tag_ABI_VFP_args: VFP registers");
        assert_eq!(hard, triple.ends_with("eabihf"), "{triple}: {attributes}");
    }
}
