//! The data of `top` about a recording: a conversion that is fed, and the numbers of its last window.

use std::collections::VecDeque;

use tband_conv::sinks::{RollingStats, Stats};
use tband_conv::{ConvError, Options};
use tband_report::time_unit::TimeUnit;

use super::{Answers, Counts, LiveRecording, StopEvent};

/// Parts of a window, each of which is a mark of the timeline.
const PARTS: i64 = 10;
/// Windows that begin in one length: the figures are renewed as often.
const STEPS: i64 = 5;
/// Maximum number of kept marks.
const MARKS: usize = 240;
/// Tasks that have marks.
const MAX_ROWS: usize = 4096;

/// Share of a task in a part of the window: eighths of the CPU, or `None` if unknown.
pub type Mark = Option<u8>;

/// The data to show. It is copied while the display pauses.
#[derive(Clone)]
pub struct LiveSnapshot {
    window: i64,
    last: Option<Stats>,
    /// The activity of each task in each part of a window, by its index among all tasks. The newest is last.
    marks: VecDeque<Vec<Mark>>,
    counts: Counts,
}

/// A recording that is followed, in windows of two lengths.
pub struct Figures {
    followed: LiveRecording<((RollingStats, RollingStats), Answers)>,
    picture: LiveSnapshot,
    answers: Answers,
}

impl Figures {
    /// Follows a source of this name, in windows of this many ns. With answers, if commands are sent.
    #[must_use]
    pub fn new(name: &str, window: i64, answers: Answers) -> Self {
        Self::with_options(name, window, Options::default(), answers)
    }

    /// The same for a recording whose frequency the user may have named in the options.
    #[must_use]
    pub fn with_options(name: &str, window: i64, options: Options, answers: Answers) -> Self {
        let part = window / PARTS;
        let windows = (RollingStats::new(window, window / STEPS), RollingStats::new(part, part));
        let (last, marks) = (None, VecDeque::new());
        let picture = LiveSnapshot { window, last, marks, counts: Counts::default() };
        let sinks = (windows, answers.clone());
        let followed = LiveRecording::with_options(name, options, StopEvent::default(), sinks);
        Self { followed, picture, answers }
    }

    /// Returns the current data to show.
    #[must_use]
    pub const fn picture(&self) -> &LiveSnapshot {
        &self.picture
    }

    /// Returns the target's answers so far.
    #[must_use]
    pub const fn answers(&self) -> &Answers {
        &self.answers
    }

    /// Takes the received bytes.
    ///
    /// # Errors
    /// The recording can no longer be followed.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), ConvError> {
        let Self { followed, picture, answers } = self;
        let fed = followed.feed_with(bytes, |(windows, heard)| {
            picture.take(windows);
            answers.take(heard);
        });
        picture.counts = followed.counts();
        fed
    }

    /// No more bytes come: the last window ends with the recording.
    ///
    /// # Errors
    /// It was not a recording.
    pub fn finish(&mut self) -> Result<(), ConvError> {
        let ended = self.followed.finish();
        self.picture.counts = self.followed.counts();
        if let Some((_, (mut windows, mut heard))) = ended? {
            self.picture.take(&mut windows);
            self.answers.take(&mut heard);
        }
        Ok(())
    }
}

impl LiveSnapshot {
    /// The numbers of the last window; none before the first.
    #[must_use]
    pub const fn last(&self) -> Option<&Stats> {
        self.last.as_ref()
    }

    /// Whether the last window had the requested length.
    #[must_use]
    pub fn has_whole_window(&self) -> bool {
        // It begins with the first event, a little after a multiple of the step.
        let least = self.window - self.window / STEPS;
        self.last().is_some_and(|stats| stats.length_ns() >= least)
    }

    /// Returns the activity of a task, by its index among all tasks: at most this many marks, the newest last.
    pub fn marks(&self, task: usize, most: usize) -> impl Iterator<Item = Mark> {
        let from = self.marks.len().saturating_sub(most);
        self.marks.iter().skip(from).map(move |marks| marks.get(task).copied().flatten())
    }

    /// Length of a mark, in ns.
    #[must_use]
    pub const fn mark_ns(&self) -> i64 {
        self.window / PARTS
    }

    /// The unit of the times.
    #[must_use]
    pub const fn time_unit(&self) -> TimeUnit {
        self.counts.time_unit
    }

    /// Events so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.counts.events
    }

    /// Events that are missing, and pieces that are damaged, so far.
    #[must_use]
    pub const fn missing(&self) -> (u64, u64) {
        (self.counts.lost, self.counts.damaged)
    }

    /// Takes the windows that have ended.
    fn take(&mut self, (windows, parts): &mut (RollingStats, RollingStats)) {
        self.last = windows.take().last().map(|closed| closed.stats).or(self.last.take());
        for part in parts.take() {
            add_marks(&mut self.marks, &part.stats);
        }
    }
}

/// A part of a window has ended: adds a mark for each task.
fn add_marks(marks: &mut VecDeque<Vec<Mark>>, stats: &Stats) {
    let mark = |(part, whole): (i64, i64)| -> Mark {
        let eighths = part.saturating_mul(8).checked_add(whole / 2)?.checked_div(whole)?;
        // Every task that ran at all has a mark.
        Some(u8::try_from(eighths).unwrap_or(8).clamp(u8::from(part > 0), 8))
    };
    if marks.len() >= MARKS {
        marks.pop_front();
    }
    let tasks = stats.tasks().take(MAX_ROWS);
    marks.push_back(tasks.map(|task| mark((task.run_ns, task.known_ns))).collect());
}
