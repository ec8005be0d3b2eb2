//! The lock of both cores of RP2040, which the Pico SDK must not use for something else.

use super::cmake;
use crate::doctor::headers::Macro;
use crate::init::project::Project;
use crate::init::timer::Timer;
use crate::syntax::text::{decode, has_identifier};

/// The function of the Pico SDK that reserves a lock, and its header.
pub const FUNCTION: &str = "spin_lock_claim";
pub const INCLUDE: &str = "#include \"hardware/sync.h\"";
/// Reserves the lock of tband's port.
pub const CALL: &str = "spin_lock_claim(31);";

/// The program must reserve tband's lock, and no source did so before `init`.
pub fn is_needed(project: &Project<'_>) -> bool {
    let Some(kernel) = project.recorded() else { return false };
    let is_defined =
        |value: &str| cmake::defines(project, &format!("configNUMBER_OF_CORES={value}"));
    let is_one = match kernel.header.get("configNUMBER_OF_CORES") {
        Macro::Unset => !is_defined("2"),
        Macro::Is { value, .. } => value == "1",
        Macro::Unsure => false,
    };
    // A second call for the same lock ends the program.
    let is_claimed = || {
        let mut contents = project.survey.sources.iter().filter_map(|it| project.base(&it.path));
        contents.any(|it| has_identifier(&decode(&it), FUNCTION))
    };
    project.timer.timer == Timer::Rp2040
        && project.cpu.core == "cortex-m0plus"
        && !is_one
        && !is_defined("1")
        && !is_claimed()
}

/// The step for a source that starts the recording already.
pub fn step() -> String {
    format!(
        "both cores share tband's lock: before the scheduler starts, call {CALL} of hardware/sync.h"
    )
}
