//! The states at the beginning of packets while they are left out: the packet may report next that they are recorded again.

use crate::model::PerCore;

/// The running task and open interrupts at the beginning of a packet.
#[derive(Debug, Default)]
pub struct PacketBegin {
    ns: i64,
    /// The number of the task that runs.
    pub running: Option<u32>,
    /// Numbers of open interrupts, innermost last.
    pub isrs: Vec<u32>,
}

/// For each core the beginning of its last packet.
#[derive(Debug, Default)]
pub struct PacketBegins(PerCore<PacketBegin>);

impl PacketBegins {
    /// Returns the begin at this time: it is empty before a state is noted.
    pub fn at(&mut self, core: u32, ns: i64) -> &mut PacketBegin {
        let begin = self.0.entry(core);
        if begin.ns != ns {
            *begin = PacketBegin { ns, ..PacketBegin::default() };
        }
        begin
    }
}
