//! The page of the guide.

use std::fmt::Write as _;

use crate::KINDS;

const START: &str = "\
# When it does not work

Search this page for your message. Messages are literal, with `...` for what depends on your project: tband's tests
(`tests/mistakes`) make each mistake on purpose, and this page is written from them.

If a build fails, look for the **first** error: those after it may follow from it. Where tband's files say what is
wrong they end the compilation, with an include of `tband stops here: see the error above`. Mistyped macros are an error with
CMake, and with make and `tband.mk`; with other builds look for them with
`tband-cli config config/tband_config.h config/tband_port.h`.

If a recording is wrong, run `tband-cli check recording.bin`: it names what is wrong, what it means and what to do, and ends
with exit code 1.
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
