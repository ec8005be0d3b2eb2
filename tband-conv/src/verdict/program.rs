//! A program that was given to explain a recording, and did not make it.

use super::FaultList;
use crate::diagnostics::Problem;
use crate::model::World;

/// Reports which program it is, and which one the recording is of.
pub fn judge(world: &World, found: &mut FaultList) {
    let what = [
        (&world.given, "formats of records, names and places that were given"),
        (&world.recorded, "formats of records in the recording"),
    ];
    // If the right program is given, the recording's own facts are not needed.
    let is_explained = world.given.id.is_some() && !world.given.is_another;
    let others = what.iter().filter(|(it, _)| it.is_another && !is_explained);
    if let Some((id, what)) = others.filter_map(|(it, what)| Some((it.id.as_ref()?, what))).next() {
        let text = format!(
            "{what} are of another program ({id}) than the recording ({}), and are not used",
            world.program_id()
        );
        found.push((Problem::OtherProgram, 1, text));
    }
}
