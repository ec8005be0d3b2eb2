//! A growing recording that is followed: the counts of `record`, and the data of `top` and the web page.

mod answers;
mod counts;
mod figures;

use tband_conv::convert::step::Step;
use tband_conv::item::Mode;
use tband_conv::model::{Sink, World};
use tband_conv::{ConvError, Conversion, InputFormat, Options, Summary};
use tband_report::time_unit::TimeUnit;

pub use answers::Answers;
pub use counts::{LiveCounts, StopEvent};
pub use figures::{Figures, LiveSnapshot, Mark};

/// Counts of a recording so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events that were read, metadata included.
    pub events: u64,
    /// Events and packets that are known to be missing.
    pub lost: u64,
    /// Pieces that are damaged.
    pub damaged: u64,
    /// Resets of the target.
    pub restarts: u64,
    /// Switches to a task.
    pub switches: u64,
    /// Interrupts that began.
    pub interrupts: u64,
    /// Tasks that are known.
    pub tasks: usize,
    /// Cores that are known.
    pub cores: usize,
    /// Time of the last event, in ns.
    pub last_ns: i64,
    /// The unit of the times.
    pub time_unit: TimeUnit,
    /// The awaited event came.
    pub has_come: bool,
}

/// A recording that is fed as it grows: its counts, and a sink.
pub struct LiveRecording<S: Sink + 'static> {
    conversion: Option<Conversion<(LiveCounts, S)>>,
    counts: Counts,
}

impl<S: Sink + 'static> LiveRecording<S> {
    /// Follows a source of this name, and waits for something in it.
    #[must_use]
    pub fn new(name: &str, awaited: StopEvent, sink: S) -> Self {
        Self::of_format(name, InputFormat::Auto, awaited, sink)
    }

    /// The same for the format of a recorder that the user has named.
    #[must_use]
    pub fn of_format(name: &str, format: InputFormat, awaited: StopEvent, sink: S) -> Self {
        let mut options = Options::default();
        options.input_format = format;
        Self::with_options(name, options, awaited, sink)
    }

    /// The same for a recording whose format and frequency the user may have named in the options.
    #[must_use]
    pub fn with_options(name: &str, mut options: Options, awaited: StopEvent, sink: S) -> Self {
        options.mode = Mode::Auto;
        options.is_live = true;
        let seen = LiveCounts { awaited, ..LiveCounts::default() };
        // One input of core 0 and no window: the conversion cannot be refused.
        let conversion = Conversion::new([(name, 0)], &options, (seen, sink)).ok();
        Self { conversion, counts: Counts::default() }
    }

    /// Takes the received bytes.
    ///
    /// # Errors
    /// The recording can no longer be followed; reported once.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), ConvError> {
        self.feed_with(bytes, |_| {})
    }

    /// Does the same, and calls a function with the sink after each step.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed).
    pub fn feed_with(
        &mut self,
        mut bytes: &[u8],
        mut each: impl FnMut(&mut S),
    ) -> Result<(), ConvError> {
        while let Some(conversion) = &mut self.conversion
            && !bytes.is_empty()
        {
            let taken = conversion.feed(0, bytes);
            bytes = bytes.get(taken..).unwrap_or_default();
            loop {
                let step = conversion.step();
                if let Some((_, sink)) = conversion.sink() {
                    each(sink);
                }
                match step {
                    Ok(Step::More) => {}
                    Ok(_) => break,
                    Err(error) => {
                        self.count();
                        self.conversion = None;
                        return Err(error);
                    }
                }
            }
        }
        self.count();
        Ok(())
    }

    /// Brings the counts up to date.
    fn count(&mut self) {
        let Some(conversion) = &mut self.conversion else { return };
        let progress = conversion.progress();
        let (tasks, cores) = conversion
            .world()
            .map_or((0, 0), |world| (world.tasks.iter().count(), world.cores.len()));
        let (events, last_ns) = (progress.events, progress.last_ns);
        self.counts = Counts { events, last_ns, tasks, cores, ..self.counts };
        if let Some((seen, _)) = conversion.sink() {
            self.counts.take(seen);
        }
    }

    /// Returns the counts so far.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Takes the changes on the way that were found since the last call, once for each kind.
    pub fn take_changed(&mut self) -> Vec<String> {
        let sink = self.conversion.as_mut().and_then(Conversion::sink);
        sink.map(|(seen, _)| std::mem::take(&mut seen.changed)).unwrap_or_default()
    }

    /// Returns the known state of the target, and the sink; `None` before the first event, and once the recording cannot be
    /// followed.
    pub fn parts(&mut self) -> Option<(World, &mut S)> {
        let conversion = self.conversion.as_mut()?;
        let world = conversion.world()?.clone();
        Some((world, &mut conversion.sink()?.1))
    }

    /// It is followed.
    #[must_use]
    pub const fn is_followed(&self) -> bool {
        self.conversion.is_some()
    }

    /// Ends the recording. Returns its summary, and the sink. Returns `None` if it could not be followed, or has ended before.
    ///
    /// # Errors
    /// It was not a recording.
    pub fn finish(&mut self) -> Result<Option<(Summary, S)>, ConvError> {
        let Some(conversion) = self.conversion.take() else { return Ok(None) };
        let (summary, (seen, sink)) = conversion.finish()?;
        self.counts.events = summary.events;
        self.counts.take(&seen);
        Ok(Some((summary, sink)))
    }
}

impl Counts {
    fn take(&mut self, seen: &LiveCounts) {
        let &LiveCounts {
            switches, interrupts, lost, damaged, restarts, has_come, time_unit, ..
        } = seen;
        *self =
            Self { switches, interrupts, lost, damaged, restarts, has_come, time_unit, ..*self };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_to_what_the_whole_is() {
        let demo = tband_recordings::project::bytes("tests/pictures/demo.bin");
        let followed = |len: usize| {
            let mut followed = LiveRecording::new("demo", StopEvent::default(), ());
            for piece in demo.chunks(len) {
                followed.feed(piece).unwrap();
            }
            assert!(followed.is_followed());
            let ended = followed.finish().unwrap();
            assert_eq!(ended.map(|(summary, ())| summary.events), Some(followed.counts().events));
            assert!(followed.finish().unwrap().is_none());
            followed.counts()
        };
        let whole = followed(usize::MAX);
        assert!(whole.events > 100 && whole.switches > 10 && whole.tasks > 1, "{whole:?}");
        assert_eq!(followed(77), whole);
    }

    #[test]
    fn stops_following_data_that_is_not_a_recording() {
        let mut followed = LiveRecording::new("noise", StopEvent::default(), ());
        for _ in 0..200 {
            if followed.feed(&[0x55; 1000]).is_err() {
                assert!(!followed.is_followed());
                assert!(followed.feed(&[1]).is_ok(), "reported once");
            }
        }
        assert!(followed.finish().map_or(true, |ended| ended.is_none()));
    }
}
