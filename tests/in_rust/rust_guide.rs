//! Firmware in Rust as in `docs/src/guide/firmware/rust.md`: its blocks form a user's package.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_conv::Input;
use tband_conv::dump::{DumpOptions, dump};
use tband_tests::events::user_lines_once;
use tband_tests::guide::{block, blocks};
use tband_tests::user_project::{CONFIG, PORT};
use tband_tests::{ProgramOutput, cargo, finish, root, run, write};

const MAIN: &str = r#"mod firmware;
use std::io::Write as _;

#[unsafe(no_mangle)]
extern "C" fn my_timer_ticks() -> u64 { 42 }

fn main() {
    firmware::set_up().unwrap();
    firmware::filter(-40);
    firmware::uart_handler();
    firmware::strings();
    firmware::moved(-7, 100, 3.25, "x");
    firmware::name_them();
    firmware::changed(3);
    tband::snapshot::stop().unwrap();
    firmware::take_out(|bytes| std::io::stdout().write_all(bytes).unwrap());
}
"#;

/// Writes the user's package, but for its `tband_config.h`, and returns its folder. Always the same one:
/// with another cargo would build everything again.
fn write_package() -> PathBuf {
    let folder = root().join("target/test-rust-guide");
    let toml = block("firmware/rust", "A program", "toml");
    let package = "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2024\"\n";
    let workspace = "[workspace]\nexclude = [\"tband\"]\n";
    write(folder.join("Cargo.toml"), format!("{package}{workspace}{toml}"));
    // So that nothing is looked up, and the crates are those that are there already.
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    if !folder.join("tband").exists() {
        symlink(root(), folder.join("tband")).expect("the sources");
    }
    let rust = blocks("firmware/rust", "A program", "rust");
    let [build, firmware] = rust.as_slice() else { panic!("{rust:?}") };
    write(folder.join("build.rs"), build);
    let strings = block("firmware/rust", "Strings", "rust");
    let take_out = block("firmware/rust", "Getting the recording out", "rust");
    let records = block("firmware/rust", "Records", "rust");
    let elements = block("firmware/rust", "Records of elements", "rust");
    let firmware =
        format!("{firmware}\npub fn strings() {{\n{strings}}}\n{take_out}{records}{elements}");
    write(folder.join("src/firmware.rs"), firmware);
    write(folder.join("src/main.rs"), MAIN);
    write(folder.join("config/tband_port.h"), PORT);
    folder
}

fn build(folder: &Path, config: &str) -> ProgramOutput {
    write(folder.join("config/tband_config.h"), config);
    finish(cargo().current_dir(folder).args(["build", "--quiet", "--offline"]))
}

#[test]
fn the_steps_of_the_guide_work() {
    let folder = write_package();
    let packets = format!(
        "{CONFIG}#define tband_configFORMAT TBAND_FORMAT_PACKETS\n\
         #define tband_configMETADATA_BUF_SIZE 1024\n"
    );
    let built = build(&folder, &packets);
    assert!(built.ok, "{}", built.text());
    let recording = run(&mut Command::new(folder.join("target/debug/user")));
    let mut names = user_lines_once(&recording);
    let is_record = |line: &String| {
        let own = [" record ", " format ", " event_schema ", " typed ", " constant ", " symbol "];
        own.iter().any(|it| line.contains(it))
    };
    names.retain(|line| !is_record(line));
    let events = names.split_off(3);
    assert_eq!(
        names,
        [
            "- evtmarker_name evtmarker_id=1 name=\"filter\"",
            "- valmarker_name valmarker_id=2 name=\"level\"",
            "- isr_name isr_id=37 name=\"UART\"",
        ]
    );
    assert_eq!(
        events,
        [
            "42 evtmarker_begin evtmarker_id=1 msg=\"low pass\"",
            "42 valmarker valmarker_id=2 val=-40",
            "42 evtmarker_end evtmarker_id=1",
            "42 isr_enter isr_id=37",
            "42 evtmarker evtmarker_id=1 msg=\"data\"",
            "42 isr_exit isr_id=37",
            "42 evtmarker evtmarker_id=1 msg=\"channel 7\"",
        ]
    );

    let mut out = Vec::new();
    let input = Input::from_bytes("recording", &recording);
    dump(&[input], DumpOptions::default(), &mut out).expect("a recording");
    let text = String::from_utf8(out).expect("text");
    let records = text.lines().filter(|line| line.contains(" record "));
    let texts: Vec<_> = records.filter_map(|line| line.split(" \"").nth(1)).collect();
    assert_eq!(texts, ["move -7\"", "pos -7 of 100, volts=3.25 V, x\"", "done\""], "{text}");

    let typed = text.lines().filter(|line| line.contains(" typed "));
    let typed: Vec<_> = typed.filter_map(|line| line.split("PHILO_STAT ").nth(1)).collect();
    assert!(matches!(typed[..], [_, "3 thinks\""]), "{text}");

    // What does not link names what the guide's table has.
    let missing = |config: &str, undefined: &str| {
        let built = build(&folder, config);
        assert!(!built.ok && built.text().contains(undefined), "{}", built.text());
    };
    missing("#define tband_configENABLE 0\n", "tband_record_");
    missing(&CONFIG.replace("SNAPSHOT", "EXTERNAL"), "tband_trigger_snapshot");
}
