//! What packets begin with while it is left out: the packet may say next that it is recorded again.

use crate::model::PerCore;

/// Who runs, and which interrupts are open, as a packet begins.
#[derive(Debug, Default)]
pub struct Begin {
    ns: i64,
    /// The number of the task that runs.
    pub running: Option<u32>,
    /// Numbers of open interrupts, innermost last.
    pub isrs: Vec<u32>,
}

/// For each core what its last packet began with.
#[derive(Debug, Default)]
pub struct Begins(PerCore<Begin>);

impl Begins {
    /// The begin at this time: nothing is known of it before something is noted.
    pub fn at(&mut self, core: u32, ns: i64) -> &mut Begin {
        let begin = self.0.entry(core);
        if begin.ns != ns {
            *begin = Begin { ns, ..Begin::default() };
        }
        begin
    }
}
