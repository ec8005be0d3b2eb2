//! `why`: the longest activations of a task, an interrupt or a software timer, and the use of their time.

mod advice;
mod brief;
mod collect;
mod histogram;
mod json;
mod overview;
mod page;
mod split;
mod strip;
mod text;

use tband_conv::activations::{Activations, Subject};
use tband_conv::model::Flows;
use tband_conv::{ConvError, Input, Options, Summary, convert};

pub use self::brief::{ActivationQuery, ActivationSplit, splits};
pub use self::json::json;
pub use self::overview::Overview;
pub use self::text::text;

use self::collect::{Collector, NamedActivation};
use self::strip::{Lane, Strip};

/// The question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Name or number of the task, interrupt or timer.
    pub subject: String,
    /// Which of these it is.
    pub kind: SubjectKind,
    /// How many activations are shown.
    pub worst: usize,
    /// Only the activation at this time, in ns.
    pub at: Option<i64>,
    /// Only activations that are longer than this, in ns, by the chosen length.
    pub late: Option<i64>,
    /// The length that activations are ordered by.
    pub by: Length,
    /// Columns of the timeline.
    pub width: usize,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            subject: String::new(),
            kind: SubjectKind::Task,
            worst: 3,
            at: None,
            late: None,
            by: Length::Response,
            width: 80,
        }
    }
}

/// The kind of the requested subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    /// A task.
    Task,
    /// An interrupt.
    Interrupt,
    /// A software timer.
    Timer,
}

impl SubjectKind {
    const fn of(subject: Subject) -> Self {
        match subject {
            Subject::Task(_) => Self::Task,
            Subject::Isr(..) => Self::Interrupt,
            Subject::Timer(_) => Self::Timer,
        }
    }

    /// The word for one of these.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Interrupt => "interrupt",
            Self::Timer => "timer",
        }
    }
}

/// A length of an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// From release to end.
    Response,
    /// From ready to the first instant on a core.
    Start,
    /// In which it waited for locks.
    Locked,
    /// In which a less urgent task delayed it through a lock.
    Inverted,
}

impl Length {
    /// All of them, with their words.
    pub const ALL: [(&'static str, Self); 4] = [
        ("response", Self::Response),
        ("start", Self::Start),
        ("locked", Self::Locked),
        ("inverted", Self::Inverted),
    ];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Start => "start",
            Self::Locked => "locked",
            Self::Inverted => "inverted",
        }
    }
}

/// The answer.
#[derive(Debug)]
pub struct Answer {
    question: Question,
    /// Findings of the recording.
    pub summary: Summary,
    /// Number of activations, and of complete ones.
    count: (u64, u64),
    lengths: collect::Lengths,
    worst: Vec<NamedActivation>,
    lanes: Vec<Lane>,
}

/// The reason for a missing answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The recording cannot be converted.
    Convert(ConvError),
    /// There is no such task, interrupt or timer; the text lists those that exist.
    NoSuch(String),
}

impl From<ConvError> for NoAnswer {
    fn from(error: ConvError) -> Self {
        Self::Convert(error)
    }
}

/// Finds the longest activations. Reads each input two times to find them, and two times more to draw the longest.
///
/// # Errors
/// As [`convert()`]; if the recording has no such task, interrupt or timer.
pub fn ask(
    inputs: &[Input<'_>],
    options: &Options,
    question: &Question,
) -> Result<Answer, NoAnswer> {
    let mut options = options.clone();
    // The release of an item is in its flow.
    options.flows = Flows::All;
    let mut sink = Activations::new(Collector::new(question));
    let summary = convert(inputs, &options, &mut sink)?;
    let collector = sink.into_inner();
    if collector.count.0 == 0 {
        return Err(NoAnswer::NoSuch(collector.no_such()));
    }
    let Collector { count, lengths, worst, .. } = collector;
    let lanes = match worst.first() {
        Some(first) => draw(inputs, &options, (first, question.width))?,
        None => Vec::new(),
    };
    Ok(Answer { question: question.clone(), summary, count, lengths, worst, lanes })
}

/// The timeline of one activation.
fn draw(
    inputs: &[Input<'_>],
    options: &Options,
    (found, width): (&NamedActivation, usize),
) -> Result<Vec<Lane>, ConvError> {
    let mut options = options.clone();
    options.flows = Flows::None;
    let mut strip = Strip::new((found.released_ns, found.ended_ns), width, found.tasks());
    convert(inputs, &options, &mut strip)?;
    Ok(strip.lanes())
}
