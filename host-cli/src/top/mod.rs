//! `top`: shows the activity of a target on a terminal, from a live source or a file.

mod draw;
mod order;
mod screen;
mod view;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, bail};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use tband_app::live::{Answers, Figures, LiveSnapshot};
use tband_conv::encoding::notation::Format;
use tband_conv::{ConvError, Input, Options};
use tband_report::messages;

use crate::args::sources::{CommandPath, command_path};
use crate::args::{TopArgs, wrong_usage};
use crate::failed::named;
use crate::gaps::{SOURCE_GAP, packets};
use crate::input::{InputSettings, NamedInput};
use crate::output::print;
use crate::record::pump::{self, SourceEvent};
use crate::record::source::StopFlag;
use crate::record::{kinds, memory};
use crate::report::Report;
use crate::target_commands::Commands;
use crate::{Outcome, interrupt};
use draw::{Scene, draw};
use screen::Screen;
use view::{After, View};

/// How long it waits for bytes before it checks the keys, and for keys if no more bytes come.
const WAIT: Duration = Duration::from_millis(50);
/// Between two pictures.
const EVERY: Duration = Duration::from_millis(100);
/// Interval between two computations of the rate.
const RATE_EVERY: Duration = Duration::from_secs(1);
/// Bytes of a file that are read at once.
const BLOCK: usize = 64 * 1024;
/// Size of a text without a terminal: columns, and maximum lines.
const WIDTH: u16 = 120;
const MAX_LINES: u16 = 500;

pub fn run(args: &TopArgs, report: &Report) -> anyhow::Result<Outcome> {
    let path = Path::new(&args.source);
    refuse_trace(path)?;
    let is_file = path.is_file();
    if args.follow && !is_file {
        wrong_usage("top", "--follow is for a file");
    }
    let is_finished = is_file && !args.follow;
    let stop = StopFlag::default();
    let mut to_send = None;
    let (name, is_stream, incoming) = if is_finished {
        if args.of_target.without_rate().is_of_memory() || args.of_target.elf.is_some() {
            wrong_usage("top", "--elf, --chip and --no-halt are for a target, not for a file");
        }
        (args.source.clone(), true, read(&args.source)?)
    } else {
        if args.of_target.elf.is_some() && !memory::is_memory_source(&args.source) {
            wrong_usage("top", "--elf is for a source that reads memory: probe:, gdb: or ram:");
        }
        let text = if is_file { format!("file:{}", args.source) } else { args.source.clone() };
        let of_target =
            if is_file { args.of_target.without_rate() } else { args.of_target.clone() };
        let source = kinds::named(&text, &of_target, None)?;
        let (name, is_stream) = (source.name(), !source.can_return());
        let (sender, sent) = channel();
        // Commands are for a user at the screen.
        to_send = Some(sender).filter(|_| command_path(&text) != CommandPath::None && !args.once);
        let incoming = pump::start(source, !args.once, &stop, sent);
        let incoming = incoming.context("cannot start a thread")?;
        (name, is_stream, incoming)
    };
    let commands = Commands::new(to_send, args.of_target.elf.clone());
    let mut session = Session::new(args, name, is_stream, commands);
    if !args.once {
        let screen = Screen::new()?;
        let pressed = stop.clone();
        interrupt::call_on_interrupt(move || pressed.set());
        let shown = session.show(screen, &incoming, &stop);
        stop.set();
        interrupt::end_program_on_interrupt();
        return shown.map(|()| Outcome::Clean);
    }
    session.take_window(&incoming, report)?;
    stop.set();
    print(session.text().as_bytes())?;
    Ok(Outcome::of(session.figures.picture().missing() == (0, 0)))
}

/// Fails for a CTF trace, whose streams are several files, and for any other folder.
fn refuse_trace(path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    if !path.exists() {
        return Ok(());
    }
    if NamedInput::file(path.to_owned()).ctf(InputSettings::default())?.is_some() {
        bail!(
            "{name} is a CTF trace, whose streams top does not follow: see tband-cli stats {name}, or tband-cli report {name}"
        );
    }
    Ok(())
}

/// Reads a file in any representation, in parallel with the processing of its bytes.
fn read(path: &str) -> anyhow::Result<Receiver<SourceEvent>> {
    let (sender, incoming) = sync_channel(4);
    File::open(path).with_context(|| format!("cannot read {path}"))?;
    let path = path.to_owned();
    let reads = move || {
        if let Err(error) = send_all(&path, &sender) {
            let _ = sender.send(SourceEvent::Failed(error));
        }
    };
    thread::Builder::new().name("file".to_owned()).spawn(reads).context("cannot start a thread")?;
    Ok(incoming)
}

fn send_all(path: &str, sender: &SyncSender<SourceEvent>) -> anyhow::Result<()> {
    let owned = path.to_owned();
    let input = Input::new(path, move || Ok(Box::new(File::open(&owned)?)));
    let input = input.in_format(Format::Auto);
    let mut bytes = input.open().map_err(named)?;
    let mut buf = vec![0; BLOCK];
    loop {
        let len = bytes.read(&mut buf).with_context(|| format!("cannot read {path}"))?;
        let event = match len {
            0 => SourceEvent::Closed(None),
            _ => SourceEvent::Received(
                buf.get(..len).unwrap_or_default().to_vec(),
                SystemTime::now(),
            ),
        };
        // The receiver has stopped.
        if sender.send(event).is_err() || len == 0 {
            return Ok(());
        }
    }
}

/// A recording on display.
struct Session {
    name: String,
    figures: Figures,
    view: View,
    commands: Commands,
    /// The figures at the time of the pause.
    paused: Option<LiveSnapshot>,
    /// The source's fault, or whether it has ended.
    state: String,
    is_stream: bool,
    has_ended: bool,
    has_packets: bool,
    rate: Option<f64>,
}

impl Session {
    fn new(args: &TopArgs, name: String, is_stream: bool, commands: Commands) -> Self {
        let answers = if commands.can_ask() { Answers::of_events() } else { Answers::default() };
        let mut options = Options::default();
        // A source that reads memory supplies the frequency.
        options.tick_rate = args.of_target.tick_rate.filter(|_| Path::new(&args.source).is_file());
        let view = View { sort: args.sort, filter: args.filter.clone(), ..View::default() };
        Self {
            figures: Figures::with_options(&name, args.window, options, answers),
            state: format!("waiting for {name}"),
            name,
            view,
            commands,
            paused: None,
            is_stream,
            has_ended: false,
            has_packets: false,
            rate: None,
        }
    }

    /// Handles a report of the source.
    ///
    /// # Errors
    /// It is not a recording, or the source cannot be read.
    fn handle(&mut self, event: SourceEvent) -> anyhow::Result<()> {
        match event {
            SourceEvent::Opened => self.commands.set_connected(true),
            SourceEvent::Closed(_) | SourceEvent::Failed(_) => self.commands.set_connected(false),
            SourceEvent::Received(..)
            | SourceEvent::Level(_)
            | SourceEvent::Warning(_)
            | SourceEvent::Unsent(_) => {}
        }
        match event {
            SourceEvent::Opened if self.figures.picture().events() > 0 => {
                self.state.clear();
                if !self.has_packets {
                    self.figures.feed(SOURCE_GAP)?;
                }
            }
            SourceEvent::Opened => self.state = format!("nothing came from {} yet", self.name),
            SourceEvent::Received(bytes, _) => {
                self.state.clear();
                self.has_packets = self.has_packets || packets(&bytes).next().is_some();
                self.figures.feed(&bytes)?;
            }
            SourceEvent::Level(_) => {}
            SourceEvent::Warning(text) => self.state = text,
            SourceEvent::Unsent(error) => self.commands.unsent(&error),
            SourceEvent::Closed(None) if self.is_stream => self.end()?,
            SourceEvent::Closed(error) => {
                let why = error.map_or_else(|| "it has ended".to_owned(), |it| it.to_string());
                self.state = format!("the source is gone ({why}), waiting for it");
            }
            SourceEvent::Failed(error) if self.is_stream => return Err(error),
            SourceEvent::Failed(error) => self.state = format!("waiting for the source: {error:#}"),
        }
        Ok(())
    }

    /// Ends the recording.
    fn end(&mut self) -> anyhow::Result<()> {
        self.has_ended = true;
        self.state = "ended".to_owned();
        Ok(self.figures.finish()?)
    }

    /// Takes bytes until there is a complete window; from a finite source, until its end.
    fn take_window(
        &mut self,
        incoming: &Receiver<SourceEvent>,
        report: &Report,
    ) -> anyhow::Result<()> {
        while !self.has_ended {
            match incoming.recv() {
                Ok(SourceEvent::Failed(error)) => return Err(error),
                Ok(SourceEvent::Closed(Some(error))) => {
                    report.warn(&format!("the source is gone: {error}"));
                    self.end()?;
                }
                Ok(SourceEvent::Closed(None)) | Err(_) => self.end()?,
                Ok(SourceEvent::Warning(text)) => report.warn(&text),
                Ok(event) => self.handle(event)?,
            }
            if !self.is_stream && self.figures.picture().has_whole_window() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Shows it until the user has seen enough.
    fn show(
        &mut self,
        mut screen: Screen,
        incoming: &Receiver<SourceEvent>,
        stop: &StopFlag,
    ) -> anyhow::Result<()> {
        let (mut drawn, mut looked) = (None::<Instant>, (Instant::now(), 0));
        let mut is_over = false;
        while !stop.is_set() {
            let mut wait = WAIT;
            if !is_over {
                wait = Duration::ZERO;
                match incoming.recv_timeout(WAIT) {
                    Ok(event) => self.handle_live(event)?,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => is_over = true,
                }
            }
            while let Some(key) = screen.key(wait)? {
                match key.map_or(After::Stay, |key| self.view.key(key)) {
                    After::Stay => {}
                    After::Quit => return Ok(()),
                    After::Ask(text) => self.commands.ask(&text, None),
                    After::Toggle(group) => self.commands.toggle(group, self.figures.answers()),
                }
                (wait, drawn) = (Duration::ZERO, None);
            }
            self.commands.look(self.figures.answers());
            if self.view.is_paused != self.paused.is_some() {
                self.paused = self.view.is_paused.then(|| self.figures.picture().clone());
            }
            let (since, events) = looked;
            if since.elapsed() >= RATE_EVERY {
                let now = self.figures.picture().events();
                let new = now.saturating_sub(events) as f64 / since.elapsed().as_secs_f64();
                self.rate = (!self.has_ended).then_some(new);
                looked = (Instant::now(), now);
            }
            if drawn.is_none_or(|drawn| drawn.elapsed() >= EVERY) {
                screen.show(&self.scene())?;
                drawn = Some(Instant::now());
            }
        }
        Ok(())
    }

    /// As [`handle`](Self::handle); if bytes are found late not to be a recording, the screen shows that.
    fn handle_live(&mut self, event: SourceEvent) -> anyhow::Result<()> {
        let Err(error) = self.handle(event) else { return Ok(()) };
        match error.downcast::<ConvError>() {
            Ok(error) if !self.is_stream => {
                self.state = format!("it is not followed any more: {}", messages::error(&error).1);
                Ok(())
            }
            Ok(error) => Err(named(error)),
            Err(error) => Err(error),
        }
    }

    fn scene(&self) -> Scene<'_> {
        let picture = self.paused.as_ref().unwrap_or_else(|| self.figures.picture());
        let Self { name, view, state, rate, commands, .. } = self;
        Scene { name, picture, view, state, asked: &commands.message, rate: *rate }
    }

    /// The picture as text.
    fn text(&self) -> String {
        let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let area = Rect::new(0, 0, columns.unwrap_or(WIDTH).clamp(10, 400), MAX_LINES);
        let mut buf = Buffer::empty(area);
        draw(&self.scene(), area, &mut buf);
        text_of(&buf)
    }
}

/// Returns the lines of a screen, without blanks at their ends and blank lines at its end.
fn text_of(buf: &Buffer) -> String {
    let mut text = String::new();
    for y in buf.area.top()..buf.area.bottom() {
        let mut skip = 0_usize;
        for x in buf.area.left()..buf.area.right() {
            let Some(cell) = buf.cell((x, y)) else { continue };
            // A wide letter has the next cell too.
            if skip == 0 {
                text.push_str(cell.symbol());
                skip = ratatui_core::text::Span::raw(cell.symbol()).width();
            }
            skip = skip.saturating_sub(1);
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text.truncate(text.trim_end_matches('\n').len());
    text.push('\n');
    text
}
