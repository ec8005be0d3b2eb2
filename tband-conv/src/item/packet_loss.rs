//! Losses before a packet, and how they are reported.

use std::fmt;

use crate::diagnostics::Problem;
use tband_import::counted::counted;

/// A loss before a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PacketLoss {
    /// The core.
    pub stream: u8,
    /// Time of the last event before, in ticks.
    pub from: u64,
    /// From when on there are events again, in ticks.
    pub to: u64,
    /// Packets that did not arrive, modulo 2^16.
    pub packets: u16,
    /// Sequence number of the first of them, or of the packet itself.
    pub first: u16,
    /// Events that the target discarded in that time. Lost packets may have reported some of them.
    pub discarded: u32,
}

impl PacketLoss {
    /// Returns the message of the loss; `ns` is its duration in nanoseconds, if that is known.
    #[must_use]
    pub fn text(&self, ns: Option<i64>) -> String {
        let Self { stream, from, to, packets, first, discarded } = *self;
        let packets = match packets {
            0 => String::new(),
            1 => format!(" packet {first} missing,"),
            more => {
                format!(" packets {first} to {} missing,", first.wrapping_add(more).wrapping_sub(1))
            }
        };
        let time = match ns {
            Some(ns) => Duration(ns).to_string(),
            None => counted(to.saturating_sub(from), "tick"),
        };
        let events = match discarded {
            0 => String::new(),
            more => format!(", {} discarded by the target", counted(more, "event")),
        };
        format!("core {stream}:{packets} {time}{events}")
    }
}

impl PacketLoss {
    /// Returns the kind and the amount of the loss.
    pub(crate) const fn problem(&self) -> (Problem, u64) {
        match self.packets {
            0 => (Problem::EventsDiscarded, self.discarded as u64),
            packets => (Problem::PacketsLost, packets as u64),
        }
    }
}

impl fmt::Display for PacketLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(None))
    }
}

/// Nanoseconds, in the unit in which they are read most easily.
struct Duration(i64);

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1000, "us")];
        match units.into_iter().find(|(ns, _)| self.0 >= *ns) {
            // In tenths, rounded down.
            Some((unit, name)) => {
                let tenths = self.0 / (unit / 10);
                write!(f, "{}.{} {name}", tenths / 10, tenths % 10)
            }
            None => write!(f, "{} ns", self.0),
        }
    }
}
