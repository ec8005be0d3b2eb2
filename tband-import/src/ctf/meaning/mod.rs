//! What events mean: rules that are built in, rules of a mapping file, and tband's own events.

mod bind;
mod cores;
mod engine;
mod entry;
mod event_place;
mod known_tracer;
#[cfg(feature = "map")]
mod map_file;
mod reading;
mod tband_events;

pub use self::bind::{Bound, FieldScope, Handling, bind};
pub use self::engine::{Engine, Facts};
pub use self::entry::{CtfMap, MapError};
pub use self::event_place::EventPlace;
pub use self::known_tracer::KnownTracer;
pub use self::reading::number;
pub use self::tband_events::TbandEvents;
