//! A backend is added in three places: here one that discards everything, in a copy of the tree.

use std::fs;
use std::path::Path;
use std::process::Command;

use tband_header::backends::{BACKENDS, Row};
use tband_programs::output;
use tband_tests::root;
use xtask::tree;

/// The type, and that it is one: `tband-core/src/discard.rs`.
const IMPLEMENTATION: &str = r"//! The backend that discards everything.

use crate::backend::Backend;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// Frames go nowhere.
#[derive(Debug)]
pub struct Discard;

impl Backend for Discard {
    fn is_live<P: Port>(_: &Recorder<P>) -> bool {
        false
    }

    fn reserve<P: Port>(_: &Recorder<P>, _: &CoreState, _: u64, _: usize) -> Option<*mut u8> {
        None
    }

    unsafe fn commit<P: Port>(_: &Recorder<P>, _: &CoreState, _: *mut u8, _: bool) -> bool {
        true
    }
}
";

/// `port/recorder/backends/tband_backend_discard.h`.
const HEADER: &str = r#"/* The backend that discards everything. Part of the shim. */
#if defined(TBAND_SHIM) && !defined(TBAND_BACKEND_DISCARD_H)
#define TBAND_BACKEND_DISCARD_H

#define TBAND_BACKEND_SHARES_STREAM 0
#define TBAND_HANDS_OUT(core) false
#define TBAND_IS_HANDING_OUT() false
#define TBAND_BACKEND_SETUP .event_bufs = NULL,

#endif
"#;

const ROW: Row = Row { name: "discard", implementation: "Discard", is_always_on: true };

const PORT: &str = "#define tband_portTIMESTAMP() 1000U
#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000
#define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)
#define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)
";

const PROGRAM: &str = r#"#include "tband.h"

int main(void) {
  tband_gather_system_metadata();
  for (int i = 0; i < 1000; i++) {
    tband_isr_enter(1);
    tband_evtmarker(7, "seven");
    tband_valmarker(0, -5);
    tband_isr_exit(1);
  }
  tband_isr_name(1, "UART");
  /* Names are kept whatever becomes of events, and nothing was lost that anybody wanted. */
  if (tband_get_metadata_buf_amnt(0) == 0U || tband_get_metadata_dropped_cnt(0) != 0U) {
    return 1;
  }
  if (tband_tracing_enabled() || !tband_tracing_finished()) {
    return 2;
  }
  return tband_get_dropped_evt_cnt() == 0U ? 0 : 3;
}
"#;

fn run(command: &mut Command) {
    let output = output(command).unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
}

fn append(path: &Path, text: &str) {
    fs::write(path, fs::read_to_string(path).unwrap() + text).unwrap();
}

#[test]
fn a_backend_is_a_file_a_header_and_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path();
    tree::copy(root(), copy).unwrap();

    fs::write(copy.join("tband-core/src/discard.rs"), IMPLEMENTATION).unwrap();
    append(&copy.join("tband-core/src/lib.rs"), "mod discard;\npub use discard::Discard;\n");
    fs::write(copy.join("port/recorder/backends/tband_backend_discard.h"), HEADER).unwrap();
    let rows: Vec<_> = BACKENDS.iter().copied().chain([ROW]).collect();
    tband_header::run_for(copy, false, &rows).unwrap();

    let mut cargo = Command::new(env!("CARGO"));
    for name in ["CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_TARGET_DIR", "RUSTFLAGS"] {
        cargo.env_remove(name);
    }
    cargo.args(["build", "-q", "--manifest-path", "firmware/Cargo.toml", "-p", "tband-ffi"]);
    run(cargo.args(["--profile", "firmware"]).current_dir(copy));
    let config = "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_DISCARD 1\n";
    fs::write(copy.join("tband_config.h"), config).unwrap();
    fs::write(copy.join("tband_port.h"), PORT).unwrap();
    fs::write(copy.join("program.c"), PROGRAM).unwrap();
    let mut compile = Command::new("gcc");
    compile.current_dir(copy).args(["-std=c11", "-Wall", "-Wextra", "-Wundef", "-Werror", "-O1"]);
    compile.args(["-I.", "-Iinclude", "program.c", "port/tband_shim.c"]);
    run(compile.args(["firmware/target/firmware/libtband.a", "-o", "program"]));
    run(&mut Command::new(copy.join("program")));
}
