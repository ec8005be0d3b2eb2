//! `top`: what a target does, on a terminal, while it comes or of a file.

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

use anyhow::Context;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use tband_app::live::{Answers, Figures, Picture};
use tband_conv::{ConvError, Format, Input};
use tband_report::messages;

use crate::args::sources::{Way, way_of};
use crate::args::{TopArgs, wrong_usage};
use crate::asking::Commands;
use crate::failed::named;
use crate::joint::{SOURCE_GAP, packets};
use crate::output::print;
use crate::record::pump::{self, Said};
use crate::record::source::Stop;
use crate::record::{kinds, memory};
use crate::report::Report;
use crate::{Outcome, interrupt};
use draw::{Scene, draw};
use screen::Screen;
use view::{After, View};

/// How long it waits for bytes before it looks at the keys, and for keys where no bytes come any more.
const WAIT: Duration = Duration::from_millis(50);
/// Between two pictures.
const EVERY: Duration = Duration::from_millis(100);
/// Between two looks at the rate.
const RATE_EVERY: Duration = Duration::from_secs(1);
/// Bytes of a file that are read at once.
const BLOCK: usize = 64 * 1024;
/// Size of a text where it goes to no terminal: letters, and lines at most.
const WIDTH: u16 = 120;
const MAX_LINES: u16 = 500;

pub fn run(args: &TopArgs, report: &Report) -> anyhow::Result<Outcome> {
    let is_file = Path::new(&args.source).is_file();
    if args.follow && !is_file {
        wrong_usage("top", "--follow is for a file");
    }
    let is_finished = is_file && !args.follow;
    let stop = Stop::default();
    let mut to_send = None;
    let (name, is_stream, said) = if is_finished {
        if args.of_target.is_of_memory() || args.of_target.elf.is_some() {
            wrong_usage(
                "top",
                "--elf, --chip, --no-halt and --tick-rate are for a target, not for a file",
            );
        }
        (args.source.clone(), true, read(&args.source)?)
    } else {
        if args.of_target.elf.is_some() && !memory::is_one(&args.source) {
            wrong_usage("top", "--elf is for a source that reads memory: probe:, gdb: or ram:");
        }
        let text = if is_file { format!("file:{}", args.source) } else { args.source.clone() };
        let source = kinds::named(&text, &args.of_target)?;
        let (name, is_stream) = (source.name(), !source.can_return());
        let (sender, sent) = channel();
        // What is asked is for a user at the screen.
        to_send = Some(sender).filter(|_| way_of(&text) != Way::None && !args.once);
        let said = pump::start(source, !args.once, &stop, sent);
        let said = said.context("cannot start a thread")?;
        (name, is_stream, said)
    };
    let commands = Commands::new(to_send, args.of_target.elf.clone());
    let mut session = Session::new(args, name, is_stream, commands);
    if !args.once {
        let screen = Screen::new()?;
        let pressed = stop.clone();
        interrupt::calls(move || pressed.set());
        let shown = session.show(screen, &said, &stop);
        stop.set();
        interrupt::ends_the_program();
        return shown.map(|()| Outcome::Clean);
    }
    session.take_window(&said, report)?;
    stop.set();
    print(session.text().as_bytes())?;
    Ok(Outcome::of(session.figures.picture().missing() == (0, 0)))
}

/// Reads a file, however it is written down, beside what is done with its bytes.
fn read(path: &str) -> anyhow::Result<Receiver<Said>> {
    let (say, said) = sync_channel(4);
    File::open(path).with_context(|| format!("cannot read {path}"))?;
    let path = path.to_owned();
    let reads = move || {
        if let Err(error) = read_all(&path, &say) {
            let _ = say.send(Said::Failed(error));
        }
    };
    thread::Builder::new().name("file".to_owned()).spawn(reads).context("cannot start a thread")?;
    Ok(said)
}

fn read_all(path: &str, say: &SyncSender<Said>) -> anyhow::Result<()> {
    let owned = path.to_owned();
    let input = Input::new(path, move || Ok(Box::new(File::open(&owned)?)));
    let input = input.in_format(Format::Auto);
    let mut bytes = input.open().map_err(named)?;
    let mut buf = vec![0; BLOCK];
    loop {
        let len = bytes.read(&mut buf).with_context(|| format!("cannot read {path}"))?;
        let said = match len {
            0 => Said::Closed(None),
            _ => Said::Came(buf.get(..len).unwrap_or_default().to_vec(), SystemTime::now()),
        };
        // Nobody wants more.
        if say.send(said).is_err() || len == 0 {
            return Ok(());
        }
    }
}

/// A recording that is looked at.
struct Session {
    name: String,
    figures: Figures,
    view: View,
    commands: Commands,
    /// What there was when it was paused.
    paused: Option<Picture>,
    /// What is wrong with the source, or whether it has ended.
    state: String,
    is_stream: bool,
    has_ended: bool,
    has_packets: bool,
    rate: Option<f64>,
}

impl Session {
    fn new(args: &TopArgs, name: String, is_stream: bool, commands: Commands) -> Self {
        let answers = if commands.can_ask() { Answers::heard() } else { Answers::default() };
        let view = View { sort: args.sort, filter: args.filter.clone(), ..View::default() };
        Self {
            figures: Figures::new(&name, args.window, answers),
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

    /// Something was heard of the source.
    ///
    /// # Errors
    /// It is no recording, or the source cannot be read.
    fn hears(&mut self, said: Said) -> anyhow::Result<()> {
        match said {
            Said::Opened => self.commands.connects(true),
            Said::Closed(_) | Said::Failed(_) => self.commands.connects(false),
            Said::Came(..) | Said::Level(_) | Said::Warning(_) | Said::Unsent(_) => {}
        }
        match said {
            Said::Opened if self.figures.picture().events() > 0 => {
                self.state.clear();
                if !self.has_packets {
                    self.figures.feed(SOURCE_GAP)?;
                }
            }
            Said::Opened => self.state = format!("nothing came from {} yet", self.name),
            Said::Came(bytes, _) => {
                self.state.clear();
                self.has_packets = self.has_packets || packets(&bytes).next().is_some();
                self.figures.feed(&bytes)?;
            }
            Said::Level(_) => {}
            Said::Warning(text) => self.state = text,
            Said::Unsent(error) => self.commands.unsent(&error),
            Said::Closed(None) if self.is_stream => self.end()?,
            Said::Closed(error) => {
                let why = error.map_or_else(|| "it has ended".to_owned(), |it| it.to_string());
                self.state = format!("the source is gone ({why}), waiting for it");
            }
            Said::Failed(error) if self.is_stream => return Err(error),
            Said::Failed(error) => self.state = format!("waiting for the source: {error:#}"),
        }
        Ok(())
    }

    /// There is no more.
    fn end(&mut self) -> anyhow::Result<()> {
        self.has_ended = true;
        self.state = "ended".to_owned();
        Ok(self.figures.finish()?)
    }

    /// Takes what comes until there is a whole window; of what ends, until its end.
    fn take_window(&mut self, said: &Receiver<Said>, report: &Report) -> anyhow::Result<()> {
        while !self.has_ended {
            match said.recv() {
                Ok(Said::Failed(error)) => return Err(error),
                Ok(Said::Closed(Some(error))) => {
                    report.warn(&format!("the source is gone: {error}"));
                    self.end()?;
                }
                Ok(Said::Closed(None)) | Err(_) => self.end()?,
                Ok(Said::Warning(text)) => report.warn(&text),
                Ok(said) => self.hears(said)?,
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
        said: &Receiver<Said>,
        stop: &Stop,
    ) -> anyhow::Result<()> {
        let (mut drawn, mut looked) = (None::<Instant>, (Instant::now(), 0));
        let mut is_over = false;
        while !stop.is_set() {
            let mut wait = WAIT;
            if !is_over {
                wait = Duration::ZERO;
                match said.recv_timeout(WAIT) {
                    Ok(said) => self.hears_live(said)?,
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

    /// As [`hears`](Self::hears); what comes late and is no recording is said on the screen.
    fn hears_live(&mut self, said: Said) -> anyhow::Result<()> {
        let Err(error) = self.hears(said) else { return Ok(()) };
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
        Scene { name, picture, view, state, asked: &commands.said, rate: *rate }
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

/// The lines of a picture, without what is blank at their ends and its own.
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
