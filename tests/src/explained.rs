//! A program in an ELF file, and a recording that needs it: the formats of its records are only in the program, and its crash
//! has an address.

use std::path::Path;

use tband_format::Event;
use tband_format::named::{CrashKind, FaultFact};
use tband_recordings::{Recording, str};

use crate::c::{Standard, compile_text};

/// The texts of the recording, with the program, in the table of markers.
pub const TEXT: &str = "pos x=-7 of 100";
/// The counter that is in that.
pub const COUNTER: (&str, i64) = ("x", -7);
/// The function that crashes.
pub const FUNCTION: &str = "crashing";
/// The text of the record without a program.
pub const UNKNOWN: &str = "record with a format that is not known, at 0x1";

/// Compiles the program, which is not run.
pub fn program(elf: &Path) {
    let text = format!(
        "extern const char tband_formats[];\n\
         __attribute__((section(\".tband_strings\"), used))\n\
         const char tband_formats[] = \"\\0iI:pos x=%d of %u\\003\";\n\
         void {FUNCTION}(void);\n\
         void {FUNCTION}(void) {{ __asm__ volatile(\"nop; nop; nop; nop\"); }}\n"
    );
    // Nothing is linked, so debug info would have no addresses.
    compile_text(Standard::C11, &["-O1", "-g0"], &[], &text, elf)
        .unwrap_or_else(|output| panic!("{output}"));
}

/// The recording.
#[must_use]
pub fn recording() -> Vec<u8> {
    let fault = |what, is| Event::Fault { what, is };
    let is = tband_format::Str(&[14, 101]);
    Recording::default()
        .meta(Event::TsResolutionNs { ns_per_ts: 1 })
        .meta(Event::TaskName { task_id: 3, name: str("sensor") })
        .at(5, Event::TaskSwitchedIn { task_id: 3 })
        .at(6, Event::Record { at: 1, is })
        .at(9, fault(FaultFact::PC, 2))
        .at(9, fault(FaultFact::XPSR, 0))
        .at(9, Event::Crash { kind: CrashKind::EXCEPTION, of: str("") })
        .0
}
