//! The page of the guide.

use std::fmt::Write as _;

use crate::KINDS;

const START: &str = "\
# When it does not work

What goes wrong, and where it is said. Each of these mistakes is made on purpose in tband's tests
(`tests/mistakes`), from which this page is written; messages are literal, with `...` for what depends on
your project. Look for the **first** error of a build: those after it may follow from it. Where tband's files say what is
wrong they end the compilation, with an include of `tband stops here: see the error above`.

`tband-cli check recording.bin` names what is wrong with a recording, what it means and what to do, and ends
with exit code 1. Mistyped macros are an error with CMake, and with make and `tband.mk`; else look for them with
`tband-cli config config/tband_config.h config/tband_port.h`.
";

pub fn text() -> String {
    let mut text = START.to_owned();
    for kind in KINDS {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n## {}\n\n| what | {} |\n|---|---|\n", kind.title, kind.who);
        for mistake in kind.mistakes {
            let said = mistake.says[0].replace('|', "\\|");
            let fence = if said.contains('`') { "`` " } else { "`" };
            let end: String = fence.chars().rev().collect();
            let _ = writeln!(text, "| {} | {fence}{said}{end} |", mistake.what);
        }
    }
    text
}
