//! A target that receives commands: a link to send commands, and the received bytes with their answers.

use std::io;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use tband_app::live::{Answers, LiveRecording, StopEvent};
use tband_conv::diagnostics::{Problem, Severity};
use tband_conv::model::{Change, EventTime, Sink, TimedEvent, World};
use tband_format::packet::command::Command;

use crate::record::source::{Link, ReadResult, StopFlag};
use crate::record::store::output_file::OutputFile;
use crate::target_commands::{AGAIN, NamedObject, line_bytes};

/// Bytes that are read at once, at most.
const BLOCK: usize = 64 * 1024;
/// Bytes that hold a complete packet or frame, even the largest.
const MOST_OF_ONE: usize = 4096;
/// How long to wait for an answer, and how long on a line that damages bytes.
const WAIT: Duration = Duration::from_secs(3);
const LONG_WAIT: Duration = Duration::from_secs(10);

/// Collects answers, and finally the known state of the target.
struct AnswerCollector {
    answers: Answers,
    world: World,
}

impl AnswerCollector {
    fn new() -> Self {
        Self { answers: Answers::of_events(), world: World::default() }
    }
}

impl Sink for AnswerCollector {
    fn needs_events(&self) -> bool {
        self.answers.needs_events()
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        self.answers.event(event)
    }

    fn change(&mut self, _: &World, _: EventTime, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, world: &World, _: i64) -> io::Result<()> {
        self.world = world.clone();
        Ok(())
    }
}

/// Why the wait for an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The time is over.
    Late,
    /// The other side has ended the connection.
    Closed,
    /// Ctrl-C.
    Interrupted,
}

/// A connected target that receives commands.
pub struct CommandTarget<'a> {
    pub link: Box<dyn Link>,
    /// Its name, for messages.
    pub name: String,
    pub stop: StopFlag,
    /// How long to wait for the answer, if the user has set it.
    pub wait: Option<Duration>,
    /// The file for the received bytes.
    pub output: Option<&'a mut OutputFile>,
    followed: LiveRecording<AnswerCollector>,
    /// The last received bytes: all of them, unless they are more than a target sends before it becomes silent.
    last: Vec<u8>,
    /// Received bytes.
    pub bytes: u64,
    /// How often the last command was sent.
    pub tries: u32,
    /// The received bytes are damaged, as far as that was checked.
    pub has_damage: bool,
    has_ended: bool,
}

impl<'a> CommandTarget<'a> {
    pub fn new(
        link: Box<dyn Link>,
        (name, stop): (String, StopFlag),
        wait: Option<Duration>,
        output: Option<&'a mut OutputFile>,
    ) -> Self {
        let followed =
            LiveRecording::new("the target", StopEvent::default(), AnswerCollector::new());
        let (last, bytes, has_ended) = (Vec::new(), 0, false);
        Self {
            link,
            name,
            stop,
            wait,
            output,
            followed,
            last,
            bytes,
            tries: 0,
            has_damage: false,
            has_ended,
        }
    }

    /// Sends a command, and waits for its answer; `None` if none came. `again`: it is repeated until then.
    ///
    /// # Errors
    /// The connection is broken, or the received bytes are not a recording.
    pub fn answer(&mut self, command: &Command, again: bool) -> anyhow::Result<Option<i64>> {
        self.tries = 0;
        self.listen(command, again)
    }

    /// How long to wait. A line that loses bytes may lose the command and its answer several times.
    pub fn timeout(&self) -> Duration {
        self.wait.unwrap_or(if self.has_damage { LONG_WAIT } else { WAIT })
    }

    /// Whether there is time left. A line that loses bytes needs more time.
    fn may_wait(&mut self, waited: Duration) -> bool {
        if waited >= self.timeout() && !self.has_damage {
            self.has_damage = self.is_damaged();
        }
        waited < self.timeout()
    }

    /// Whether the last received bytes are damaged. They may begin in the middle of a packet, which is not damage, and end in
    /// one.
    fn is_damaged(&self) -> bool {
        let mut followed =
            LiveRecording::new("the target", StopEvent::default(), AnswerCollector::new());
        let summary = followed.feed(&self.last).ok().and_then(|()| followed.finish().ok()?);
        // Nothing at all that is a packet or a frame.
        let Some((summary, _)) = summary else { return self.last.len() > MOST_OF_ONE };
        let of_pieces = summary.diagnostics.iter().filter(|found| {
            found.problem.severity() == Severity::Damage && found.problem != Problem::CutOff
        });
        let pieces: u64 = of_pieces.map(|found| found.count).sum();
        let bytes = summary.link.map_or(0, |link| link.damaged_bytes);
        pieces > 1 || bytes.saturating_mul(4) > self.last.len() as u64
    }

    /// Returns why the wait ended.
    pub fn end(&self) -> End {
        match (self.stop.is_set(), self.has_ended) {
            (true, _) => End::Interrupted,
            (_, true) => End::Closed,
            _ => End::Late,
        }
    }

    /// Returns the number of a named object, if the received bytes contain its name.
    pub fn number_of(&mut self, named: &NamedObject) -> Option<u32> {
        let now = self.followed.parts().and_then(|(world, _)| named.number_in(&world));
        now.or_else(|| named.number_in(&self.final_answers()?.world))
    }

    /// Reads until the answer is found, or the wait ends.
    fn listen(&mut self, command: &Command, again: bool) -> anyhow::Result<Option<i64>> {
        let number = command.number;
        let mut buf = vec![0; BLOCK];
        let begin = Instant::now();
        let (mut sent_at, mut has_news) = (None, false);
        while !self.stop.is_set() && !self.has_ended && self.may_wait(begin.elapsed()) {
            if sent_at.is_none_or(|at: Instant| again && at.elapsed() >= AGAIN) {
                let bytes = line_bytes(command, self.tries);
                self.tries = self.tries.saturating_add(1);
                self.link.send(&bytes).with_context(|| self.name.clone())?;
                sent_at = Some(Instant::now());
            }
            let came = match self.link.read(&mut buf) {
                Ok(ReadResult::Bytes(len)) => buf.get(..len).unwrap_or_default(),
                // A stopped target sends no more, and its bytes may be too few to be followed.
                Ok(ReadResult::Nothing) => {
                    if std::mem::take(&mut has_news)
                        && let Some(found) = self.answer_in_all(number)
                    {
                        return Ok(Some(found));
                    }
                    continue;
                }
                Ok(ReadResult::End) => {
                    self.has_ended = true;
                    break;
                }
                // The answer may have come before.
                Err(error) => {
                    let broke = || format!("{}: the connection broke", self.name);
                    return match self.answer_in_all(number) {
                        Some(found) => Ok(Some(found)),
                        None => Err(error).with_context(broke),
                    };
                }
            };
            has_news = true;
            self.bytes = self.bytes.saturating_add(came.len() as u64);
            self.last.extend_from_slice(came);
            let more = self.last.len().saturating_sub(BLOCK);
            if more > BLOCK {
                self.last.drain(..more);
            }
            if let Some(output) = &mut self.output {
                let path = output.path().unwrap_or("stdout".as_ref()).display().to_string();
                output.write(came).with_context(|| format!("cannot write {path}"))?;
            }
            let mut answer = None;
            self.followed
                .feed_with(came, |hears| answer = answer.or_else(|| hears.answers.to(number, 0)))
                .map_err(|error| {
                    anyhow!("{}: the received bytes are not a recording: {error}", self.name)
                })?;
            if answer.is_some() {
                return Ok(answer);
            }
        }
        Ok(self.answer_in_all(number))
    }

    fn answer_in_all(&self, number: u16) -> Option<i64> {
        self.final_answers()?.answers.to(number, 0)
    }

    /// Returns the answers in the received bytes, assuming that no more follow.
    fn final_answers(&self) -> Option<AnswerCollector> {
        let mut followed =
            LiveRecording::new("the target", StopEvent::default(), AnswerCollector::new());
        followed.feed(&self.last).ok()?;
        Some(followed.finish().ok()??.1)
    }
}
