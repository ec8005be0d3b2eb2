//! The sink of a conversion that is fed. Speed is not what counts there, so all of them share one machine, which knows
//! nothing of them: each kind of sink that has one of its own is as much code again.

use std::any::Any;
use std::ops::{Deref, DerefMut};

use tband_format::Decoded;

use crate::excerpt::Watch;
use crate::model::{At, Sink, World};

/// A sink of any kind, which knows which.
trait AnySink: Sink {
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
pub(super) struct Held(Box<dyn AnySink>);

impl Held {
    pub fn new(sink: impl Sink + 'static) -> Self {
        Self(Box::new(sink))
    }

    /// The sink, if it is of this kind.
    pub fn get<S: Sink + 'static>(&mut self) -> Option<&mut S> {
        // Not of the box, which is a sink neither.
        (*self.0).as_any().downcast_mut()
    }

    /// Gives the sink back, if it is of this kind.
    pub fn into_inner<S: Sink + 'static>(self) -> Option<S> {
        self.0.into_any().downcast().ok().map(|sink| *sink)
    }
}

impl Deref for Held {
    type Target = dyn Sink;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl Watch for Held {
    #[inline]
    fn sees(&mut self, world: &World, at: At, _: &Decoded<'_>) -> bool {
        self.0.before_event(world, at);
        true
    }
}
