//! The emitter of flux as users get it: a separate library, which does not enlarge the recorder's.

use std::path::PathBuf;

use tband_tests::library::firmware_library;
use xtask::dist;

use crate::tool;

const TRIPLES: [&str; 3] =
    ["thumbv6m-none-eabi", "thumbv7em-none-eabihf", "riscv32imac-unknown-none-elf"];

fn library(triple: &str) -> PathBuf {
    firmware_library(triple, dist::FLUX)
}

/// One member, no panic code, nothing needed but what every toolchain has, no name but tband's. So no 64-bit division
/// is called either.
#[test]
fn needs_nothing_and_cannot_panic() {
    for triple in TRIPLES {
        let archive = library(triple);
        assert_eq!(tool(triple, "ar", &["t"], &archive), "tband_flux.o\n", "{triple}");
        let listing = tool(triple, "nm", &["--no-demangle", "--format=posix"], &archive);
        let mut exported = 0;
        for line in listing.lines() {
            let mut words = line.split(' ');
            let (Some(name), Some(kind)) = (words.next(), words.next()) else { continue };
            match kind {
                "U" => {
                    let is_memory = ["memcpy", "memmove", "memset", "memcmp"].contains(&name)
                        || name.starts_with("__aeabi_mem");
                    // Once, when a ring is set up, on a CPU that cannot divide.
                    let is_setup = name == "__aeabi_uidiv" && triple.starts_with("thumbv6m");
                    let is_shift = ["__aeabi_llsl", "__aeabi_llsr", "__aeabi_lasr"].contains(&name);
                    assert!(is_memory || is_setup || is_shift, "{triple} needs {name}");
                }
                "T" | "R" | "D" | "B" => {
                    assert!(name.starts_with("tband_flux_"), "{triple}: {name} is global");
                    exported += 1;
                }
                _ => {}
            }
        }
        assert!(exported > 20, "{triple}: {exported}");
        let bytes = std::fs::read(archive).expect("the archive");
        let contains = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        assert!(contains("tband_flux_open"), "the search finds a name of the library");
        for text in ["panic", "unwrap", "out of bounds", "overflow", "unwind", ".rs\0", "src/"] {
            assert!(!contains(text), "{triple} contains “{text}”");
        }
    }
}

/// Who does not use it has nothing of it.
#[test]
fn the_recorder_has_nothing_of_it() {
    let bytes = std::fs::read(crate::library("thumbv7em-none-eabihf")).expect("the archive");
    assert!(!bytes.windows(10).any(|part| part == b"tband_flux"));
}
