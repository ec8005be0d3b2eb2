//! The load over time: the share of each task and interrupt in each window of a core.

mod areas;
mod rows;

pub use areas::Areas;
pub use rows::{LoadRows, MAX_ROWS};

use tband_conv::load::Owner;
use tband_conv::model::World;

/// The owner of a core's time, as tables name it. Objects of several runs of the target that have the same name and number are
/// one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoadOwner {
    /// The core.
    pub core: u32,
    /// `task`, `interrupt`, `idle` or `unknown`.
    pub kind: &'static str,
    /// The number of the task or interrupt on the target.
    pub id: Option<u32>,
    /// Its name, as the target has it.
    pub name: String,
}

impl LoadOwner {
    fn of(world: &World, core: u32, owner: Owner) -> Self {
        Self { core, kind: owner.kind(), id: owner.id(world), name: owner.name(world, core) }
    }

    /// The order of kinds: busy owners come first.
    const fn rank(&self) -> u8 {
        match self.kind.as_bytes() {
            b"task" => 0,
            b"interrupt" => 1,
            b"idle" => 2,
            _ => 3,
        }
    }
}
