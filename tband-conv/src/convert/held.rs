//! The sink of a conversion that is fed, whole or within a window. Speed is not what counts there, so all of them share
//! one machine, which knows nothing of them: each kind of sink that has one of its own is as much code again.

use std::any::Any;
use std::ops::{Deref, DerefMut};

use tband_format::Decoded;

use crate::diagnostics::Diagnostics;
use crate::excerpt::{Bounds, Excerpt, Part, Watch};
use crate::model::{At, Sink, World};

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

/// A sink that the conversion owns.
pub(super) enum Held {
    /// The whole recording is of interest.
    Whole(Box<dyn AnySink>),
    /// A window of it is.
    Within(Box<Excerpt<Box<dyn AnySink>>>),
}

impl Held {
    pub fn new(sink: impl Sink + 'static) -> Self {
        Self::Whole(Box::new(sink))
    }

    /// With a window of a recording in which these cores have events.
    pub fn within(
        sink: impl Sink + 'static,
        bounds: Bounds,
        cores: impl Iterator<Item = u32>,
    ) -> Self {
        let sink: Box<dyn AnySink> = Box::new(sink);
        Self::Within(Box::new(Excerpt::new(sink, bounds, cores)))
    }

    /// The sink, if it is of this kind.
    pub fn get<S: Sink + 'static>(&mut self) -> Option<&mut S> {
        let sink = match self {
            Self::Whole(sink) => sink,
            Self::Within(excerpt) => excerpt.sink_mut(),
        };
        // Not of the box, which is a sink too.
        (**sink).as_any().downcast_mut()
    }

    /// Gives the sink back, if it is of this kind, with what the window was found to be.
    pub fn into_inner<S: Sink + 'static>(self) -> Option<(S, Option<(Part, Diagnostics)>)> {
        let (sink, part) = match self {
            Self::Whole(sink) => (sink, None),
            Self::Within(excerpt) => {
                let (sink, part, diagnostics) = excerpt.into_parts();
                (sink, Some((part, diagnostics)))
            }
        };
        Some((*sink.into_any().downcast().ok()?, part))
    }
}

impl Deref for Held {
    type Target = dyn Sink;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Whole(sink) => &**sink,
            Self::Within(excerpt) => &**excerpt,
        }
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Whole(sink) => &mut **sink,
            Self::Within(excerpt) => &mut **excerpt,
        }
    }
}

impl Watch for Held {
    fn sees(&mut self, world: &World, at: At, decoded: &Decoded<'_>) -> bool {
        match self {
            Self::Whole(sink) => {
                sink.before_event(world, at);
                true
            }
            Self::Within(excerpt) => {
                // Of what is in the boxes, which are sinks too.
                let excerpt = &mut **excerpt;
                (**excerpt.sink_mut()).before_event(world, at);
                excerpt.sees(world, at, decoded)
            }
        }
    }

    fn is_behind(&self) -> bool {
        matches!(self, Self::Within(excerpt) if excerpt.is_behind())
    }

    fn awaits(&self, cores: u64) -> bool {
        match self {
            Self::Whole(_) => true,
            Self::Within(excerpt) => excerpt.awaits(cores),
        }
    }
}
