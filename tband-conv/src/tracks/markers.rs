//! Tracks of event markers and value markers.

use std::io;

use super::track::Track;
use super::track_sink::{Event, Level, Now, SliceEnd, Text, TrackSink};
use crate::model::Change;

pub(super) fn change(
    sink: &mut impl TrackSink,
    now: Now<'_>,
    change: &Change<'_>,
) -> io::Result<()> {
    match *change {
        Change::Marker(marker, text, by) => {
            sink.instant(now, Track::Marker(marker), Event { text: Text::Message(text), by })
        }
        Change::SpanBegin(marker, text, by) => {
            sink.begin(now, Track::Marker(marker), Event { text: Text::Message(text), by })
        }
        Change::SpanEnd(marker, _) => sink.end(now, Track::Marker(marker), SliceEnd::Recorded),
        Change::SpanAbandoned(marker) => sink.end(now, Track::Marker(marker), SliceEnd::Abandoned),
        Change::Value(marker, value, by) => {
            sink.level(now, Track::Value(marker), Level::of(value, "set", by))
        }
        _ => Ok(()),
    }
}
