//! Tracks: the timeline as a tree of tracks with slices, levels, instants and flows on them, for outputs that draw it.
//!
//! [`follow`] turns state changes into calls of a [`TrackSink`]. An output implements that trait, and only encodes. A new kind
//! of object needs a file here, and its variants of [`Track`], [`Owner`] and [`TrackGroup`]: outputs draw a track that they do
//! not name by its [`Content`].

mod follow;
mod kernel;
mod markers;
mod objects;
mod queues;
mod running;
mod tasks;
mod track;
mod track_sink;

pub use self::follow::{follow, follow_switch};
pub use self::running::RunningTasks;
pub use self::track::{Content, Owner, TRACK_KINDS, Track, TrackGroup};
pub use self::track_sink::{Event, Level, Now, SliceEnd, State, TaskStep, Text, TrackSink};
