//! Tracks of the kernel: heap, sleep, tick count.

use std::io;

use super::track::{Owner, Track};
use super::track_sink::{Event, Level, Now, State, Text, TrackSink};
use crate::model::{Actor, KernelChange};

pub(super) fn change(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    change: KernelChange,
    by: Option<Actor>,
) -> io::Result<()> {
    match change {
        KernelChange::Heap(heap) => {
            let cause = if heap.freed { "free" } else { "malloc" };
            if let Some(free) = heap.bytes_free {
                sink.level(now, Track::HeapFree, Level::new(free, cause, by))?;
            }
            sink.level(now, Track::HeapUsed, Level::new(heap.in_use, cause, by))
        }
        KernelChange::MallocFailed { size } => {
            sink.instant(now, Track::MallocFailed, Event { text: Text::MallocFailed(size), by })
        }
        KernelChange::Sleeps(ticks) => {
            sink.state(now, Track::Sleep(now.core), State::Is(Text::Sleeps(ticks)))
        }
        KernelChange::Wakes => sink.state(now, Track::Sleep(now.core), State::None(None)),
        KernelChange::Ticks(ticks) => {
            sink.level(now, Track::Ticks, Level::new(ticks, "reported", by))
        }
        KernelChange::Pended { function, accepted } => {
            let text = Text::Pended(function, accepted);
            sink.instant(now, Track::Acts(Owner::Kernel), Event { text, by })
        }
    }
}
