//! The receiver of merged events, rather than of their changes.

use std::io;
use std::ops::ControlFlow;

use crate::diagnostics::Finding;
use crate::model::change::EventTime;
use crate::model::timed_event::TimedEvent;
use crate::model::world::World;

/// A receiver of every event, of all cores and inputs in the order of time.
///
/// Order of calls: [`start`](Self::start) once, then [`event`](Self::event) and [`finding`](Self::finding) as they come, then
/// [`finish`](Self::finish) once. Times of one core's events never go back, unless a damaged recording contains contradictory
/// reports of its timer. Between cores they may go back a little, where the recording is not in order. Events of one core come
/// in the order in which its input has them, metadata and `core_id` included.
///
/// References are valid during the call only: a sink copies the data that it keeps.
///
/// A sink that needs no more events returns [`ControlFlow::Break`]: then nothing more is read, and `finish` is still called,
/// with the time of the last event. An error of any call ends the reading, which returns it as
/// [`ConvError::Write`](crate::ConvError::Write). Nothing is called after that, not even `finish`, and the output so far is
/// incomplete.
///
/// [`convert_events`](crate::convert::events::convert_events) feeds one; [`Events`](crate::model::Events) feeds one beside the sinks of a conversion. A
/// sink that writes CSV:
///
/// ```
/// use std::io::{self, Write};
/// use std::ops::ControlFlow;
/// use tband_conv::convert::events::convert_events;
/// use tband_conv::model::{EventSink, TimedEvent};
/// use tband_conv::{Input, Options};
///
/// struct Csv<W>(W);
///
/// impl<W: Write> EventSink for Csv<W> {
///     fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
///         let TimedEvent { at, ticks, place, decoded, .. } = event;
///         let name = decoded.event.name();
///         writeln!(self.0, "{},{ticks},{},{},{},{name}", at.ns, at.core, place.input, place.offset)?;
///         Ok(ControlFlow::Continue(()))
///     }
/// }
///
/// // Core 0, timestamps of 1 us: task 1 gets the core at tick 10, task 2 at tick 15.
/// let recording = [4, 2, 0xE8, 7, 0, 4, 84, 10, 1, 0, 4, 84, 15, 2, 0];
/// let mut csv = Csv(b"ns,ticks,core,input,byte,event\n".to_vec());
/// let inputs = [Input::from_bytes("example", &recording)];
/// convert_events(&inputs, &Options::default(), &mut csv)?;
/// assert_eq!(
///     String::from_utf8(csv.0).unwrap(),
///     "ns,ticks,core,input,byte,event\n\
///      10000,0,0,0,0,ts_resolution_ns\n\
///      10000,10,0,0,5,task_switched_in\n\
///      15000,15,0,0,10,task_switched_in\n"
/// );
/// # Ok::<(), tband_conv::ConvError>(())
/// ```
pub trait EventSink {
    /// Called once before the first event, with the facts from the first pass: names, also those that are reported later, and
    /// the time of the first event.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn start(&mut self, world: &World) -> io::Result<()> {
        let _ = world;
        Ok(())
    }

    /// One event.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>>;

    /// A finding, at a time that is the same in ns and in ticks: bytes that are not an event, or an impossible time.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn finding(
        &mut self,
        at: EventTime,
        ticks: u64,
        finding: &Finding<'_>,
    ) -> io::Result<ControlFlow<()>> {
        let _ = (at, ticks, finding);
        Ok(ControlFlow::Continue(()))
    }

    /// Called once after the last event, with its time in ns; with that of the first event of all if none was reported.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn finish(&mut self, end_ns: i64) -> io::Result<()> {
        let _ = end_ns;
        Ok(())
    }
}

impl<E: EventSink + ?Sized> EventSink for &mut E {
    fn start(&mut self, world: &World) -> io::Result<()> {
        (**self).start(world)
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        (**self).event(event)
    }

    fn finding(
        &mut self,
        at: EventTime,
        ticks: u64,
        finding: &Finding<'_>,
    ) -> io::Result<ControlFlow<()>> {
        (**self).finding(at, ticks, finding)
    }

    fn finish(&mut self, end_ns: i64) -> io::Result<()> {
        (**self).finish(end_ns)
    }
}
