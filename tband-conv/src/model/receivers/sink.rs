//! The receiver of changes.

use std::io;

use super::own_machine::OwnMachine;
use crate::model::change::{Change, EventTime, Switch};
use crate::model::timed_event::TimedEvent;
use crate::model::world::World;

/// A receiver of every change, one by one.
///
/// Order of calls: [`start`](Self::start) once, then [`before_event`](Self::before_event), [`event`](Self::event),
/// [`change`](Self::change), [`switch`](Self::switch), [`initial`](Self::initial) and [`start_earlier`](Self::start_earlier)
/// as they come, then [`finish`](Self::finish) once. Times of one core never go back; between cores they may go back a little,
/// where the recording is not in order. Changes of one task never have the same time. A change comes after the event that it
/// follows from.
///
/// Kinds of changes may be added: a sink ignores those that it does not know.
///
/// References are valid during the call only: a sink keeps handles ([`Ref`](crate::model::Ref)), which stay valid for the
/// complete conversion, and copies of texts.
///
/// An error of any call ends the conversion, which returns it as [`ConvError::Write`](crate::ConvError::Write). Nothing is
/// called after that, not even `finish`, and the output so far is incomplete. If the window of the options ends before the
/// recording does, reading stops early and `finish` is still called, with the end of the window.
pub trait Sink {
    /// Called once before the first change, with the facts from the first pass.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn start(&mut self, world: &World) -> io::Result<()> {
        let _ = world;
        Ok(())
    }

    /// The next event is earlier than [`World::start_ns`] was so far; `start_ns` is its time now. The event is of a core that
    /// had not been announced, in a recording that is fed ([`Conversion`](crate::Conversion)).
    ///
    /// # Errors
    /// If the output cannot be written.
    fn start_earlier(&mut self, world: &World) -> io::Result<()> {
        let _ = world;
        Ok(())
    }

    /// Whether it also receives each event, including those without changes; see [`event`](Self::event). Called once.
    fn needs_events(&self) -> bool {
        false
    }

    /// An event at this moment is about to change the world, which is still in the state before it. Only a
    /// [`Conversion`](crate::Conversion) calls it.
    fn before_event(&mut self, world: &World, at: EventTime) {
        let _ = (world, at);
    }

    /// An event as it was recorded, before the changes that follow from it. Events of a core come in the order of its input;
    /// those without their own time have that of the one before them.
    ///
    /// # Errors
    /// If the output cannot be written.
    #[inline]
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        let _ = event;
        Ok(())
    }

    /// One change. `world` is as it is after the change.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()>;

    /// As [`change`](Self::change), where most changes come from. Their kind is known at compile time there, so a sink
    /// for which speed counts has its `change` inlined here, and one arm of it is left; all others leave it out.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn frequent(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.change(world, at, change)
    }

    /// Two changes in one: a task leaves the core and another gets it. By default a sink gets them one by one.
    ///
    /// # Errors
    /// If the output cannot be written.
    #[inline]
    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        let [leaves, gets] = switch.changes(at.core);
        self.change(world, at, &leaves)?;
        self.change(world, at, &gets)
    }

    /// State since before the window that the sink gets, reported at the start of the window: the change that reported it last,
    /// or an equivalent one. Lasting states (task states, interrupts, spans, calls) count as begun there; a level or a value
    /// was reached before, by an act that is not to be counted.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.change(world, at, change)
    }

    /// Called once after the last change. `end_ns` is the last time in the recording.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        let _ = (world, end_ns);
        Ok(())
    }

    /// Returns the state machine that [`convert()`](crate::convert()) runs for this sink, without a window and not on WebAssembly,
    /// because a web page has to be small. Called once, before everything else.
    fn own_machine(&mut self) -> OwnMachine<'_> {
        OwnMachine::Shared
    }
}

/// A pointer to a sink is a sink.
macro_rules! is_sink {
    ([$($generics:tt)*] $pointer:ty) => {
        impl<$($generics)*> $crate::model::Sink for $pointer {
            fn start(&mut self, world: &World) -> io::Result<()> {
                (**self).start(world)
            }

            fn start_earlier(&mut self, world: &World) -> io::Result<()> {
                (**self).start_earlier(world)
            }

            fn needs_events(&self) -> bool {
                (**self).needs_events()
            }

            fn before_event(&mut self, world: &World, at: EventTime) {
                (**self).before_event(world, at);
            }

            #[inline]
            fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
                (**self).event(event)
            }

            fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
                (**self).change(world, at, change)
            }

            #[inline]
            fn frequent(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
                (**self).frequent(world, at, change)
            }

            #[inline]
            fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
                (**self).switch(world, at, switch)
            }

            fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
                (**self).initial(world, at, change)
            }

            fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
                (**self).finish(world, end_ns)
            }

            fn own_machine(&mut self) -> $crate::model::OwnMachine<'_> {
                (**self).own_machine()
            }
        }
    };
}

pub(crate) use is_sink;

is_sink!([S: Sink + ?Sized] &mut S);
is_sink!([S: Sink + ?Sized] Box<S>);

/// Two sinks fed in one pass; nest pairs for more.
impl<A: Sink, B: Sink> Sink for (A, B) {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.0.start(world)?;
        self.1.start(world)
    }

    fn start_earlier(&mut self, world: &World) -> io::Result<()> {
        self.0.start_earlier(world)?;
        self.1.start_earlier(world)
    }

    fn needs_events(&self) -> bool {
        self.0.needs_events() || self.1.needs_events()
    }

    fn before_event(&mut self, world: &World, at: EventTime) {
        self.0.before_event(world, at);
        self.1.before_event(world, at);
    }

    #[inline]
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        self.0.event(event)?;
        self.1.event(event)
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.0.change(world, at, change)?;
        self.1.change(world, at, change)
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        self.0.switch(world, at, switch)?;
        self.1.switch(world, at, switch)
    }

    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.0.initial(world, at, change)?;
        self.1.initial(world, at, change)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.0.finish(world, end_ns)?;
        self.1.finish(world, end_ns)
    }
}

/// A sink without output: for runs that only need the diagnostics.
impl Sink for () {
    fn change(&mut self, _: &World, _: EventTime, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }
}
