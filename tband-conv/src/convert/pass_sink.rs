//! The sink of a pass, complete or within a window, as a type that is hidden from the state machine. All sinks share one
//! compiled machine: each kind of sink with its own machine doubles the code.

use std::any::Any;
use std::io;
use std::ops::{ControlFlow, Deref, DerefMut};

use tband_format::decode::Decoded;

use crate::diagnostics::Diagnostics;
use crate::error::ConvError;
use crate::excerpt::{Bounds, Excerpt, ExcerptPart, Watch};
use crate::model::{Change, EventTime, Sink, Switch, TimedEvent, World, is_sink};
use crate::options::Options;
use crate::scan::Scan;

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
pub(super) enum SinkHandle<'s> {
    /// The caller's.
    Lent(&'s mut dyn Sink),
    /// The pass's.
    Owned(Box<dyn AnySink>),
}

impl<'s> Deref for SinkHandle<'s> {
    type Target = dyn Sink + 's;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Lent(sink) => &**sink,
            Self::Owned(sink) => &**sink,
        }
    }
}

impl DerefMut for SinkHandle<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Lent(sink) => &mut **sink,
            Self::Owned(sink) => &mut **sink,
        }
    }
}

is_sink!(['s] SinkHandle<'s>);

/// A sink of a pass.
pub(super) enum PassSink<'s> {
    /// The complete recording is of interest.
    Whole(SinkHandle<'s>),
    /// A window of it is.
    Within(Box<Excerpt<SinkHandle<'s>>>),
}

impl<'s> PassSink<'s> {
    /// The caller's.
    pub fn borrowed(sink: &'s mut dyn Sink) -> Self {
        Self::Whole(SinkHandle::Lent(sink))
    }

    /// The pass's.
    pub fn owned(sink: impl Sink + 'static) -> Self {
        Self::Whole(SinkHandle::Owned(Box::new(sink)))
    }

    /// With the window that the options name, if they do, of a recording in which the first pass has found this.
    ///
    /// # Errors
    /// [`ConvError`] if the window has no place in the recording.
    pub fn within_options(self, options: &Options, scan: &Scan) -> Result<Self, ConvError> {
        let sink = match self {
            Self::Whole(sink) if options.has_window() => sink,
            other => return Ok(other),
        };
        let bounds = Bounds::find(options, scan.full_clock(options.tick_rate))?;
        Ok(Self::Within(Box::new(Excerpt::new(sink, bounds, scan.outset.cores()))))
    }

    /// The sink, if the pass owns it and it is of this kind.
    pub fn get<S: Sink + 'static>(&mut self) -> Option<&mut S> {
        let sink = match self {
            Self::Whole(sink) => sink,
            Self::Within(excerpt) => excerpt.sink_mut(),
        };
        match sink {
            // Not of the box, which is a sink too.
            SinkHandle::Owned(sink) => (**sink).as_any().downcast_mut(),
            SinkHandle::Lent(_) => None,
        }
    }

    /// Returns the sink, with the facts found about the window.
    pub fn into_parts(self) -> (SinkHandle<'s>, Option<(ExcerptPart, Diagnostics)>) {
        match self {
            Self::Whole(sink) => (sink, None),
            Self::Within(excerpt) => {
                let (sink, part, diagnostics) = excerpt.into_parts();
                (sink, Some((part, diagnostics)))
            }
        }
    }
}

impl SinkHandle<'_> {
    /// Returns the sink, if it is the pass's and of this kind.
    pub fn into_inner<S: Sink + 'static>(self) -> Option<S> {
        match self {
            Self::Owned(sink) => Some(*sink.into_any().downcast().ok()?),
            Self::Lent(_) => None,
        }
    }
}

impl<'s> Deref for PassSink<'s> {
    type Target = dyn Sink + 's;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Whole(sink) => &**sink,
            Self::Within(excerpt) => &**excerpt,
        }
    }
}

impl DerefMut for PassSink<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Whole(sink) => &mut **sink,
            Self::Within(excerpt) => &mut **excerpt,
        }
    }
}

impl Watch for PassSink<'_> {
    const IS_SHARED: bool = true;

    #[inline]
    fn needs_inspection(&self) -> bool {
        !matches!(self, Self::Whole(SinkHandle::Lent(_)))
    }

    fn inspect(&mut self, world: &World, at: EventTime, decoded: &Decoded<'_>) -> ControlFlow<()> {
        match self {
            Self::Whole(SinkHandle::Lent(_)) => ControlFlow::Continue(()),
            Self::Whole(SinkHandle::Owned(sink)) => {
                // Not of the box, which is a sink too.
                (**sink).before_event(world, at);
                ControlFlow::Continue(())
            }
            Self::Within(excerpt) => {
                if let SinkHandle::Owned(sink) = excerpt.sink_mut() {
                    // As above.
                    (**sink).before_event(world, at);
                }
                // Not of the box.
                (**excerpt).inspect_event(world, at, decoded)
            }
        }
    }

    fn is_past_end(&self) -> bool {
        matches!(self, Self::Within(excerpt) if excerpt.is_past_end())
    }

    fn is_awaiting(&self, cores: u64) -> bool {
        match self {
            Self::Whole(_) => true,
            Self::Within(excerpt) => excerpt.is_waiting_for(cores),
        }
    }
}
