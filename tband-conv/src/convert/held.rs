//! The sink of a pass, whole or within a window, that is not known to the machine. All of them share one: each kind of
//! sink that has one of its own is as much code again.

use std::any::Any;
use std::io;
use std::ops::{Deref, DerefMut};

use tband_format::Decoded;

use crate::diagnostics::Diagnostics;
use crate::excerpt::{Bounds, Excerpt, Part, Watch};
use crate::model::{At, Change, Sink, Switch, TimedEvent, World, is_sink};

/// A sink of any kind, which knows which.
pub(super) trait AnySink: Sink {
    fn as_any(&mut self) -> &mut dyn Any;
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<S: Sink + 'static> AnySink for S {
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// Whose a sink is.
pub(super) enum Kept<'s> {
    /// The caller's.
    Lent(&'s mut dyn Sink),
    /// The pass's.
    Owned(Box<dyn AnySink>),
}

impl<'s> Deref for Kept<'s> {
    type Target = dyn Sink + 's;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Lent(sink) => &**sink,
            Self::Owned(sink) => &**sink,
        }
    }
}

impl DerefMut for Kept<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Lent(sink) => &mut **sink,
            Self::Owned(sink) => &mut **sink,
        }
    }
}

is_sink!(['s] Kept<'s>);

/// A sink of a pass.
pub(super) enum Held<'s> {
    /// The whole recording is of interest.
    Whole(Kept<'s>),
    /// A window of it is.
    Within(Box<Excerpt<Kept<'s>>>),
}

impl<'s> Held<'s> {
    /// The caller's.
    pub fn lent(sink: &'s mut dyn Sink) -> Self {
        Self::Whole(Kept::Lent(sink))
    }

    /// The pass's.
    pub fn owned(sink: impl Sink + 'static) -> Self {
        Self::Whole(Kept::Owned(Box::new(sink)))
    }

    /// With a window of a recording in which these cores have events.
    pub fn within(self, bounds: Bounds, cores: impl Iterator<Item = u32>) -> Self {
        match self {
            Self::Whole(sink) => Self::Within(Box::new(Excerpt::new(sink, bounds, cores))),
            within @ Self::Within(_) => within,
        }
    }

    /// The sink, if the pass owns it and it is of this kind.
    pub fn get<S: Sink + 'static>(&mut self) -> Option<&mut S> {
        let sink = match self {
            Self::Whole(sink) => sink,
            Self::Within(excerpt) => excerpt.sink_mut(),
        };
        match sink {
            // Not of the box, which is a sink too.
            Kept::Owned(sink) => (**sink).as_any().downcast_mut(),
            Kept::Lent(_) => None,
        }
    }

    /// The sink, with what the window was found to be.
    pub fn into_parts(self) -> (Kept<'s>, Option<(Part, Diagnostics)>) {
        match self {
            Self::Whole(sink) => (sink, None),
            Self::Within(excerpt) => {
                let (sink, part, diagnostics) = excerpt.into_parts();
                (sink, Some((part, diagnostics)))
            }
        }
    }
}

impl Kept<'_> {
    /// Gives the sink back, if it is the pass's and of this kind.
    pub fn into_inner<S: Sink + 'static>(self) -> Option<S> {
        match self {
            Self::Owned(sink) => Some(*sink.into_any().downcast().ok()?),
            Self::Lent(_) => None,
        }
    }
}

impl<'s> Deref for Held<'s> {
    type Target = dyn Sink + 's;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Whole(sink) => &**sink,
            Self::Within(excerpt) => &**excerpt,
        }
    }
}

impl DerefMut for Held<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Whole(sink) => &mut **sink,
            Self::Within(excerpt) => &mut **excerpt,
        }
    }
}

impl Watch for Held<'_> {
    const IS_SHARED: bool = true;

    #[inline]
    fn looks(&self) -> bool {
        !matches!(self, Self::Whole(Kept::Lent(_)))
    }

    fn sees(&mut self, world: &World, at: At, decoded: &Decoded<'_>) -> bool {
        match self {
            Self::Whole(Kept::Lent(_)) => true,
            Self::Whole(Kept::Owned(sink)) => {
                // Not of the box, which is a sink too.
                (**sink).before_event(world, at);
                true
            }
            Self::Within(excerpt) => {
                if let Kept::Owned(sink) = excerpt.sink_mut() {
                    // As above.
                    (**sink).before_event(world, at);
                }
                // Not of the box.
                (**excerpt).sees(world, at, decoded)
            }
        }
    }

    fn is_past_end(&self) -> bool {
        matches!(self, Self::Within(excerpt) if excerpt.is_past_end())
    }

    fn awaits(&self, cores: u64) -> bool {
        match self {
            Self::Whole(_) => true,
            Self::Within(excerpt) => excerpt.awaits(cores),
        }
    }
}
