//! `record`: writes the data of a source to a file, until the user or a condition ends it.

mod banner;
mod datagrams;
mod dialect;
mod file;
mod itm;
pub mod kinds;
mod live;
pub mod memory;
pub mod pump;
mod recording_output;
mod serial;
pub mod source;
pub mod started;
mod stdin;
pub mod store;
mod tcp;
mod triggered;
mod udp;
mod web;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, bail};
use tband_app::live::{Answers, LiveRecording, StopEvent};
use tband_conv::counted;
use tband_conv::diagnostics::Problem;
use tband_conv::sinks::RollingStats;
use tband_format::classes::GROUPS;
use tband_program::formats;
use tband_report::messages;

use crate::args::sources::{CommandPath, command_path};
use crate::args::{EndCondition, RecordArgs, wrong_usage};
use crate::auto_convert::{convert, free_name};
use crate::live::{Hub, PageCommand, Status};
use crate::output::{folder_of, is_terminal, print};
use crate::report::Report;
use crate::target::of_program;
use crate::target_commands::Commands;
use crate::times::Times;
use crate::{Outcome, input, interrupt};
use live::{LiveCounters, load};
use pump::SourceEvent;
use recording_output::RecordingOutput;
use source::{PATIENCE, StopFlag};
use store::{IncompleteRest, Store};
use triggered::TriggeredRecording;
use web::Web;

/// How long a source may take to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// The load of the CPU is that of such a time, in ns of the target.
const WINDOW: i64 = 1_000_000_000;

/// Bytes that are processed at once while triggers are awaited: a reset of the target is known before bytes long after it are
/// kept.
const AT_ONCE: usize = 512;

/// Interval between two updates of a page's counters.
const REPORT_EVERY: Duration = Duration::from_millis(250);

/// Why a recording has ended.
enum End {
    /// Ctrl-C.
    Interrupted,
    /// The condition of `--until`.
    Reached,
    /// The source has ended, as is usual for its kind or not.
    Closed { is_usual: bool },
}

pub fn run(args: &RecordArgs, report: &Report) -> anyhow::Result<Outcome> {
    if args.list {
        return list();
    }
    let Some(name) = &args.source else { return Ok(Outcome::Clean) };
    let output = match &args.output {
        Some(path) => path.clone(),
        None => free_name(),
    };
    let to_stdout = output == Path::new("-");
    let shows_after = args.open && !args.web;
    if to_stdout && (args.keep.is_some() || args.convert.is_some() || shows_after) {
        wrong_usage(
            "record",
            "-o - cannot be combined with --keep, --convert or --open: name a file",
        );
    }
    if to_stdout && args.times {
        wrong_usage("record", "-o - cannot be combined with --times: name a file");
    }
    if to_stdout && args.count > 1 {
        wrong_usage("record", "-o - cannot be combined with --count: name a file");
    }
    if args.count > 1 && (args.convert.is_some() || shows_after) {
        wrong_usage(
            "record",
            "with --count each file is a separate recording: convert them one by one, without --convert and --open",
        );
    }
    if is_terminal(&output) {
        wrong_usage("record", "a recording is nothing for a terminal: name a file with -o");
    }
    if let Some(trace) = &args.convert {
        // Reported now, and not after the recording.
        if *trace == output {
            return Err(input::is_itself(trace, "pftrace"));
        }
        input::refuse_to_overwrite(&[output.clone().into()], trace, "pftrace")?;
        folder_of(trace)?;
    }
    let of_swo = kinds::of_swo(name);
    if of_swo == "-" || of_swo.starts_with("file:") {
        let input = of_swo.strip_prefix("file:").unwrap_or(of_swo);
        let input = &[input.into()];
        input::refuse_to_overwrite(input, &output, "copy.bin")?;
        if let Some(trace) = &args.convert {
            input::refuse_to_overwrite(input, trace, "pftrace")?;
        }
    }
    let source = started::named(name, &args.of_target, args.input_format)?;
    let is_foreign = started::is_foreign(args.input_format);
    let can_send = command_path(name) != CommandPath::None && !is_foreign;
    let is_stream = !source.can_return();
    let name = source.name();
    // A command that was sent to the target must be undone before the source is released.
    let (stop, ends) = (StopFlag::default(), StopFlag::default());
    let pressed = ends.clone();
    let also = stop.clone();
    let is_asked = !args.trigger.is_empty();
    interrupt::call_on_interrupt(move || {
        pressed.set();
        if !is_asked {
            also.set();
        }
    });
    let start = || Web::start(args, (&name, can_send), &output, report);
    let (web, asked) = args.web.then(start).transpose()?.unzip();
    let asked = asked.flatten();
    let (sender, to_send) = channel();
    let elf = args.of_target.elf.as_deref().filter(|_| !memory::is_memory_source(of_swo));
    let known = elf.map(formats).transpose()?.unwrap_or_default();
    let known = of_program(&known);
    let kept = if args.trigger.is_empty() {
        let mut store = Store::new(&output, args.keep)?;
        store.begin_with(known);
        if is_foreign {
            store.set_foreign();
        }
        RecordingOutput::All(Box::new(store))
    } else {
        let sender = can_send.then(|| sender.clone());
        RecordingOutput::TriggeredRecording(Box::new(TriggeredRecording::new(
            args, &output, sender, &known,
        )?))
    };
    let times = args.times.then(|| Times::new(&output));
    report.line(&format!("recording {name} until {}", format_end(args, is_stream)));
    let incoming = pump::start(source, args.reconnect, &stop, to_send);
    let incoming = incoming.context("cannot start a thread")?;
    let hub = web.as_ref().map(Web::hub);
    let commands = Commands::new(asked.is_some().then_some(sender), args.of_target.elf.clone());
    let mut session = Session::new(args, &name, (kept, times), (hub, asked, commands), report);
    let ended = session.run(&incoming, (&ends, &stop), is_stream);
    session.undo_requests(&incoming);
    session.commands.end();
    // Lets the source clean up.
    stop.set();
    while incoming.recv_timeout(FAREWELL).is_ok() {}
    session.live.clear();
    session.update_pages();
    let outcome = session.finish(ended, &name, is_stream);
    interrupt::end_program_on_interrupt();
    if let Some(web) = web {
        web.end(FAREWELL);
    }
    let (outcome, files) = outcome?;
    // No trigger has fired.
    let has_none = files.is_empty() && !to_stdout;
    if has_none || args.convert.is_none() && !shows_after {
        return Ok(outcome);
    }
    Ok(outcome.and(convert(
        args.convert.as_deref(),
        &files,
        (shows_after, args.of_target.elf.as_deref()),
        report,
    )?))
}

/// Prints the available sources.
fn list() -> anyhow::Result<Outcome> {
    let ports = serial::ports().context("cannot list the serial ports of this machine")?;
    let lines: String = ports.iter().map(|port| format!("serial:{port}@RATE\n")).collect();
    #[cfg(feature = "probe")]
    let lines = memory::probe::probes().iter().fold(lines, |lines, (name, what)| {
        lines + &format!("{name}  {}\n", tband_report::printable::printable(what))
    });
    print(lines.as_bytes())?;
    Ok(Outcome::Clean)
}

fn format_end(args: &RecordArgs, is_stream: bool) -> String {
    let mut ends: Vec<&str> = Vec::new();
    if !args.trigger.is_empty() {
        ends.push("--trigger");
    }
    if !args.until.is_empty() {
        ends.push("--until");
    }
    if is_stream {
        ends.push("its end");
    }
    ends.push("Ctrl-C");
    ends.join(" or ")
}

/// A recording in progress.
struct Session<'a> {
    until: &'a [EndCondition],
    reconnect: bool,
    kept: RecordingOutput,
    /// Its times of reception, if they are kept.
    times: Option<Times>,
    /// For pages that show it.
    hub: Option<Arc<Hub>>,
    /// When pages got the counters last.
    reported_at: Option<Instant>,
    /// Commands from pages, commands sent to the target, and its answers.
    asked: Option<Receiver<PageCommand>>,
    commands: Commands,
    answers: Answers,
    followed: LiveRecording<(RollingStats, Answers)>,
    /// Share of the CPUs that was in use in the last second of the target, in per cent, if it is known.
    load: Option<u8>,
    live: LiveCounters,
    report: &'a Report,
    bytes: u64,
    /// The last level of the target's buffer, in per cent, if the source reports it.
    level: Option<u8>,
    begin: Option<Instant>,
    /// Connections that there were.
    opened: u64,
    /// Since then the source is not there.
    away: Option<Instant>,
    /// It was reported that the source is not there.
    is_waiting: bool,
}

impl<'a> Session<'a> {
    fn new(
        args: &'a RecordArgs,
        name: &str,
        (kept, times): (RecordingOutput, Option<Times>),
        (hub, asked, commands): (Option<Arc<Hub>>, Option<Receiver<PageCommand>>, Commands),
        report: &'a Report,
    ) -> Self {
        let answers = if commands.can_ask() { Answers::of_events() } else { Answers::default() };
        let mut awaited = StopEvent::default();
        for until in &args.until {
            match until {
                EndCondition::Marker(marker) => awaited.marker = Some(marker.clone()),
                EndCondition::Event(event) => awaited.event = Some(event.clone()),
                EndCondition::Size(_) | EndCondition::Time(_) | EndCondition::Events(_) => {}
            }
        }
        Self {
            until: &args.until,
            reconnect: args.reconnect,
            kept,
            times,
            hub,
            reported_at: None,
            asked,
            commands,
            answers: answers.clone(),
            followed: LiveRecording::of_format(
                name,
                args.input_format,
                awaited,
                (RollingStats::new(WINDOW, WINDOW), answers),
            ),
            load: None,
            live: LiveCounters::new(!report.is_quiet()),
            report,
            bytes: 0,
            level: None,
            begin: None,
            opened: 0,
            away: None,
            is_waiting: false,
        }
    }

    /// Takes all bytes until the end.
    fn run(
        &mut self,
        incoming: &Receiver<SourceEvent>,
        (ends, stop): (&StopFlag, &StopFlag),
        is_stream: bool,
    ) -> anyhow::Result<End> {
        while !ends.is_set() {
            match incoming.recv_timeout(PATIENCE) {
                Ok(SourceEvent::Opened) => self.opened()?,
                Ok(SourceEvent::Received(bytes, at)) => self.receive(&bytes, at)?,
                Ok(SourceEvent::Level(level)) => self.level = Some(level),
                Ok(SourceEvent::Warning(text)) => self.live.print_above(|| self.report.warn(&text)),
                Ok(SourceEvent::Unsent(error)) => self.commands.unsent(&error),
                Ok(SourceEvent::Closed(error)) => self.closed(error, is_stream),
                Ok(SourceEvent::Failed(error)) if self.reconnect => self.report_waiting(&error),
                Ok(SourceEvent::Failed(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if ends.is_set() => break,
                Err(RecvTimeoutError::Disconnected) => {
                    return Ok(End::Closed { is_usual: is_stream && self.away.is_none() });
                }
            }
            self.ask();
            self.poll()?;
            self.show();
            if self.has_reached() {
                return Ok(End::Reached);
            }
        }
        self.undo_requests(incoming);
        stop.set();
        // Bytes that were received already belong to it.
        while let Ok(event) = incoming.recv_timeout(FAREWELL) {
            if let SourceEvent::Received(bytes, at) = event {
                self.receive(&bytes, at)?;
            }
        }
        Ok(End::Interrupted)
    }

    /// Does the periodic work, and prints pending messages.
    fn poll(&mut self) -> anyhow::Result<()> {
        let RecordingOutput::TriggeredRecording(triggered) = &mut self.kept else { return Ok(()) };
        triggered.look(!self.commands.is_asking())?;
        for text in triggered.take_messages() {
            self.live.print_above(|| self.report.line(&text));
        }
        Ok(())
    }

    /// Undoes the requests to the target, as far as it answers. Bytes that come in that time belong to no complete file.
    fn undo_requests(&mut self, incoming: &Receiver<SourceEvent>) {
        let RecordingOutput::TriggeredRecording(triggered) = &mut self.kept else { return };
        let begin = Instant::now();
        while begin.elapsed() < FAREWELL && triggered.undo_requests() {
            let heard = triggered.look(true).and_then(|()| match incoming.recv_timeout(PATIENCE) {
                Ok(SourceEvent::Received(bytes, _)) => triggered.add(&bytes).map(|()| true),
                Ok(SourceEvent::Closed(_)) | Err(RecvTimeoutError::Disconnected) => Ok(false),
                _ => Ok(true),
            });
            if !heard.unwrap_or(false) {
                return;
            }
        }
        if triggered.undo_requests() {
            self.live.print_above(|| {
                self.report.warn(
                    "the target does not answer: a trigger may be armed still; disarm it with tband-cli command SOURCE disarm NUMBER",
                );
            });
        }
    }

    fn opened(&mut self) -> anyhow::Result<()> {
        if let RecordingOutput::TriggeredRecording(triggered) = &mut self.kept {
            triggered.opened();
        }
        self.commands.set_connected(true);
        self.opened = self.opened.saturating_add(1);
        self.is_waiting = false;
        if let Some(since) = self.away.take().filter(|_| self.bytes > 0) {
            self.kept.gap()?;
            if let Some(hub) = self.hub.as_ref().filter(|_| !self.kept.is_foreign()) {
                hub.gap();
            }
            let ms = since.elapsed().as_millis();
            let text = format!(
                "the source is back after {ms} ms; the bytes that it sent until then are missing"
            );
            self.live.print_above(|| self.report.warn(&text));
        }
        Ok(())
    }

    fn receive(&mut self, bytes: &[u8], at: SystemTime) -> anyhow::Result<()> {
        self.begin.get_or_insert_with(Instant::now);
        let left = self.until.iter().filter_map(|until| match until {
            EndCondition::Size(size) => Some(size.saturating_sub(self.bytes)),
            _ => None,
        });
        let left = left.min().and_then(|left| usize::try_from(left).ok()).unwrap_or(usize::MAX);
        let bytes = bytes.get(..left).unwrap_or(bytes);
        let most = match self.kept {
            RecordingOutput::All(_) => usize::MAX,
            RecordingOutput::TriggeredRecording(_) => AT_ONCE,
        };
        let mut added = Ok(());
        for piece in bytes.chunks(most) {
            // The bytes after a failed write are still evaluated: they may end in the middle of a frame.
            added = added.and(self.kept.add(piece));
            self.follow(piece)?;
        }
        added?;
        if let Some(times) = &mut self.times {
            times.receive(self.kept.len(), at)?;
        }
        if let Some(hub) = &self.hub {
            hub.add(bytes);
        }
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        Ok(())
    }

    /// Counts received bytes, and checks whether the target was reset.
    fn follow(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let restarts = self.followed.counts().restarts;
        let fed = self.followed.feed_with(bytes, |(windows, heard)| {
            self.answers.take(heard);
            if let Some(closed) = windows.take().last() {
                self.load = load(&closed.stats);
            }
        });
        if let Err(error) = fed {
            let (_, text) = messages::error(&error);
            self.live
                .print_above(|| self.report.warn(&format!("it is not counted any more: {text}")));
        }
        for text in self.followed.take_changed() {
            self.live.print_above(|| self.report.warn(&text));
        }
        if self.followed.counts().restarts != restarts
            && let RecordingOutput::TriggeredRecording(triggered) = &mut self.kept
        {
            triggered.restarted()?;
        }
        Ok(())
    }

    fn closed(&mut self, error: Option<std::io::Error>, is_stream: bool) {
        self.commands.set_connected(false);
        if let RecordingOutput::TriggeredRecording(triggered) = &mut self.kept {
            triggered.closed();
        }
        let Some(why) = error
            .map(|error| error.to_string())
            .or_else(|| (!is_stream).then(|| "it has ended".to_owned()))
        else {
            return;
        };
        self.away = Some(Instant::now());
        let next =
            if self.reconnect { "waiting for it" } else { "add --reconnect to continue then" };
        let text =
            format!("the source is gone after {} ({why}); {next}", counted(self.bytes, "byte"));
        self.live.print_above(|| self.report.warn(&text));
    }

    /// There is no source yet, or not again: reported once.
    fn report_waiting(&mut self, error: &anyhow::Error) {
        if !self.is_waiting && self.away.is_none() {
            self.live
                .print_above(|| self.report.note(&format!("waiting for the source: {error:#}")));
        }
        self.is_waiting = true;
    }

    /// Sends the commands of pages to the target, and reads its answers. Only one command is on its way: a target that has
    /// executed another one since would execute a repeated one twice.
    fn ask(&mut self) {
        for PageCommand { text, asks } in self.asked.iter().flat_map(Receiver::try_iter) {
            self.commands.ask(&text, Some(asks));
        }
        if !self.kept.is_asking() {
            self.commands.look(&self.answers);
        }
    }

    fn show(&mut self) {
        self.live.show(self.bytes, &self.followed.counts(), (self.load, self.level));
        if self.reported_at.is_none_or(|reported_at| reported_at.elapsed() >= REPORT_EVERY) {
            self.update_pages();
        }
    }

    /// Pages have the counters and the state of the source.
    fn update_pages(&mut self) {
        let Some(hub) = &self.hub else { return };
        let counts = self.followed.counts();
        let trouble = match (self.bytes, self.away.is_some()) {
            (_, true) => "the source is gone; waiting for it",
            (0, _) if self.opened == 0 => "waiting for the source",
            (0, _) => "nothing came yet",
            _ => "",
        };
        hub.set(Status {
            trouble: trouble.to_owned(),
            bytes: self.bytes,
            events: counts.events,
            lost: counts.lost,
            damaged: counts.damaged,
            off: (0..GROUPS.len())
                .filter(|it| self.answers.is_off(*it))
                .fold(0, |all, it| all | 1 << it),
        });
        self.reported_at = Some(Instant::now());
    }

    fn has_reached(&self) -> bool {
        if matches!(&self.kept, RecordingOutput::TriggeredRecording(triggered) if triggered.is_done())
        {
            return true;
        }
        let counts = self.followed.counts();
        self.until.iter().any(|until| match until {
            EndCondition::Size(size) => self.bytes >= *size,
            EndCondition::Time(time) => self.begin.is_some_and(|begin| begin.elapsed() >= *time),
            EndCondition::Events(events) => counts.events >= *events,
            EndCondition::Marker(_) | EndCondition::Event(_) => counts.has_come,
        })
    }

    /// Reports the result. Returns the files as well.
    fn finish(
        mut self,
        ended: anyhow::Result<End>,
        name: &str,
        is_stream: bool,
    ) -> anyhow::Result<(Outcome, Vec<PathBuf>)> {
        let (mut moved, mut rest) = (None, None);
        let (files, fired) = match self.kept {
            RecordingOutput::All(mut store) => {
                store.release()?;
                let mut files = store.files();
                if ended.is_ok() && store.is_moved()? {
                    moved = files.pop();
                }
                rest = store.close()?;
                (files, None)
            }
            RecordingOutput::TriggeredRecording(mut triggered) => {
                let files = triggered.finish()?;
                triggered.take_messages().iter().for_each(|text| self.report.line(text));
                (files, Some(triggered.done()))
            }
        };
        let end = ended?;
        if self.bytes == 0 {
            // A stream exists also if it was interrupted before it was opened.
            if self.opened == 0 && !is_stream {
                bail!("{name}: the target did not connect");
            }
            bail!("{name}: nothing came; does the target record, and send what it records?");
        }
        let all = files.iter().chain(&moved);
        let shown: Vec<String> = all.map(|file| file.display().to_string()).collect();
        let shown = if shown.is_empty() { "stdout".to_owned() } else { shown.join(", ") };
        let mut text = match fired {
            None => {
                let len = self.bytes.saturating_sub(rest.as_ref().map_or(0, |rest| rest.len));
                format!("{shown}: {len} bytes")
            }
            Some(0) => format!(
                "no trigger has fired, so there is no file: {}",
                counted(self.bytes, "byte")
            ),
            Some(_) => format!("{shown}, of {}", counted(self.bytes, "byte")),
        };
        let is_usual = fired != Some(0) && !matches!(end, End::Closed { is_usual: false });
        let mut outcome = Outcome::of(is_usual);
        match self.followed.finish() {
            Ok(ended) => {
                let counts = self.followed.counts();
                text += &format!(", {}", counted(counts.events, "event"));
                // An incomplete end is cut off, so it is not damage.
                let has_cut = ended
                    .as_ref()
                    .is_some_and(|(summary, _)| summary.diagnostics.get(Problem::CutOff).is_some());
                let cut = u64::from(has_cut && rest.is_some());
                let damaged = counts.damaged.saturating_sub(cut);
                for (count, what) in [(counts.lost, "lost"), (damaged, "damaged")] {
                    if count > 0 {
                        text += &format!(", {count} {what}");
                    }
                }
                if let Some(link) = ended.and_then(|(summary, _)| summary.link) {
                    text += &format!(", {}", counted(link.packets, "packet"));
                }
            }
            Err(error) => {
                let (_, why) = messages::error(&error);
                self.report.warn(&format!(
                    "the received bytes are not a recording ({why}); for a serial port, check its rate"
                ));
                outcome = Outcome::Damaged;
            }
        }
        self.report.line(&text);
        if let Some(IncompleteRest { len, path }) = rest {
            let bytes = if len == 1 { "byte" } else { "bytes" };
            let place = match path {
                Some(path) => format!("in {}", path.display()),
                None => "left out".to_owned(),
            };
            self.report.note(&format!(
                "the recording ends with its last complete packet or frame; {len} {bytes} of the next one are {place}"
            ));
        }
        if let Some(moved) = moved {
            self.report.warn(&format!(
                "{} was moved while it was recorded: the recording is in the new place",
                moved.display()
            ));
            outcome = Outcome::Damaged;
        }
        Ok((outcome, files))
    }
}
