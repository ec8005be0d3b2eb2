//! One bit of retained memory changes: what `tband-cli extract` takes out of it is reported as changed, or the same as before.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_programs::output;
use tband_tests::debugged::{archive, at, build_program};
use tband_tests::random::Random;
use tband_tests::{run, temp_dir};
use tempfile::TempDir;

const RAM: u64 = 0x2000_0000;
/// What `check` states about packets whose changes it cannot see.
const NO_CHECKSUM: &str = "have no checksum";

fn cli(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let ran = output(command.args(args).current_dir(folder)).expect("tband-cli runs");
    let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!printed.contains("panicked"), "{printed}");
    (ran.status.code(), String::from_utf8_lossy(&ran.stdout).into_owned() + &printed)
}

/// What a user sees of an image: whether something is reported, and the recording as text.
fn read_image(folder: &Path) -> (bool, String) {
    for name in ["left.bin", "left.txt"] {
        let _ = fs::remove_file(folder.join(name));
    }
    let image = format!("{RAM:#x}");
    let args = ["extract", "-o", "left.bin", "--elf", "debugged.elf", "--base", &image, "ram.bin"];
    let (code, printed) = cli(folder, &args);
    if code != Some(0) {
        return (true, printed);
    }
    let (code, text) = cli(folder, &["dump", "left.bin"]);
    let (checked, report) = cli(folder, &["check", "left.bin"]);
    (code != Some(0) || checked != Some(0), format!("{text}{report}"))
}

/// The symbols of what survives a reset, and their bytes.
fn retained(elf: &Path) -> Vec<(String, u64, u64)> {
    let symbols = run(Command::new("arm-none-eabi-nm").arg("-S").arg(elf));
    let symbols = String::from_utf8(symbols).expect("text");
    let number = |text: &str| u64::from_str_radix(text, 16).expect("a number");
    let names = ["tband_packets", "tband_left", "tband_both_metadata_bufs"];
    let found = symbols.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [at, len, _, name] = fields[..] else { return None };
        names.contains(&name).then(|| (name.to_owned(), number(at), number(len)))
    });
    found.collect()
}

/// A board whose recording has ended in some way: the folder has its program and memory, as after a reset that nothing has looked at yet.
fn ended(options: &str) -> (TempDir, PathBuf) {
    let folder = temp_dir();
    let sources = ["tests/qemu/misleading/main.c", "port/tband_fault_cortex_m.c"];
    let options = format!("-O2 -g -Wno-unused-function {options}");
    let elf = build_program(folder.path(), &options, &archive(), &sources);
    let dump = format!("dump binary memory ram.bin {RAM:#x} {:#x}", RAM + 0x1_0000);
    let clear = "set var tband_kept_tables.tables = 0";
    let printed = at(&elf, folder.path(), "hold", &[clear, &dump]);
    assert!(folder.path().join("ram.bin").exists(), "{printed}");
    (folder, elf)
}

/// Changes each of these bits alone: the extracted recording is reported as changed, or equals the original.
fn flip(options: &str, has: &[&str]) {
    let (folder, elf) = ended(options);
    let image = fs::read(folder.path().join("ram.bin")).expect("the memory");
    let (is_reported, whole) = read_image(folder.path());
    assert!(!is_reported && has.iter().all(|text| whole.contains(text)), "{whole}");
    assert!(!whole.contains(NO_CHECKSUM), "{whole}");
    let places = retained(&elf);
    assert_eq!(places.len(), 3, "{places:?}");
    let mut random = Random::new(7);
    let (mut reported, mut tried) = (0, 0);
    for (name, at, len) in places {
        // Every bit of short variables; some of the rest.
        let some = if name == "tband_left" { 8 * len } else { 60 };
        for number in 0..some {
            let bit =
                if name == "tband_left" { number } else { u64::from(random.below(8 * len as u32)) };
            let byte = (at - RAM + bit / 8) as usize;
            let mut changed = image.clone();
            changed[byte] ^= 1 << (bit % 8);
            fs::write(folder.path().join("ram.bin"), &changed).expect("a file");
            let (is_reported, now) = read_image(folder.path());
            assert!(is_reported || now == whole, "{name}, bit {bit}: {now}\nwas {whole}");
            reported += u32::from(is_reported);
            tried += 1;
        }
    }
    assert!(reported > 20, "{reported} of {tried}");
}

#[test]
fn each_flipped_bit_is_reported_or_harmless() {
    flip("-DCRASH=6", &["HardFault", "begins"]);
}

/// Nothing has crashed: a trigger has frozen the recording, whose packets get their checksums afterwards.
#[test]
fn each_bit_of_what_a_trigger_has_frozen() {
    flip("-DCRASH=0 -DVALUES=600 -Dtband_configUSE_TRIGGERS=1", &["trigger", "val=580"]);
}

/// No code of the recorder runs at a plain reset, so packets have no checksums. A changed bit need not be noticed, which `check` states
/// with the same exit code.
#[test]
fn packets_without_checksums_are_noted() {
    let (folder, _) = ended("-DCRASH=0 -DVALUES=600");
    let (is_reported, whole) = read_image(folder.path());
    assert!(!is_reported && whole.contains("val=599"), "{whole}");
    let (_, note) = whole.split_once("\nnote: ").expect("a note");
    let counts: Vec<u32> = note.split(' ').take(3).filter_map(|word| word.parse().ok()).collect();
    assert!(matches!(counts[..], [some, all] if some == all && all > 2), "{note}");
    assert!(note.contains(NO_CHECKSUM), "{note}");
    let (code, json) = cli(folder.path(), &["check", "--json", "left.bin"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let link = &json["link"];
    assert!(code == Some(0) && json["verdict"] == "whole", "{json}");
    assert!(link["packets"] == link["unchecked_packets"] && link["packets"] == counts[1], "{link}");
}
