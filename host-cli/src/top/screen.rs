//! The terminal while `top` uses it: it is restored once this is dropped, also if the program panics.
//!
//! Keys are read in a separate thread: a read of keys from a closed terminal never returns, at full load, so nothing may depend
//! on it.

use std::io::{self, IsTerminal, Stdout, stdout};
use std::panic;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::event::{self, Event, KeyEvent};
use ratatui_crossterm::crossterm::execute;
use ratatui_crossterm::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::draw::{Scene, draw};

/// Keys that wait, at most.
const MOST: usize = 64;

/// A separate screen, and keys one by one.
pub struct Screen {
    /// Present as long as this value.
    terminal: Option<Terminal<CrosstermBackend<Stdout>>>,
    keys: Receiver<io::Result<Option<KeyEvent>>>,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// There is none.
    pub fn new() -> anyhow::Result<Self> {
        if !stdout().is_terminal() {
            bail!("top needs a terminal; --once prints one screen as text");
        }
        let terminal = take();
        if terminal.is_err() {
            let _ = give_back();
        }
        let terminal =
            terminal.context("this terminal cannot show it; --once prints one screen as text")?;
        let (give, keys) = sync_channel(MOST);
        let screen = Self { terminal: Some(terminal), keys };
        let reads = move || {
            loop {
                let read = event::read().map(|event| match event {
                    Event::Key(key) => Some(key),
                    _ => None,
                });
                let is_over = read.is_err();
                if give.send(read).is_err() || is_over {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("keys".to_owned()).spawn(reads);
        thread.context("cannot start a thread")?;
        Ok(screen)
    }

    /// Shows a picture.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn show(&mut self, scene: &Scene<'_>) -> anyhow::Result<()> {
        let terminal = self.terminal.as_mut().context(GONE)?;
        let drawn = terminal.draw(|frame| draw(scene, frame.area(), frame.buffer_mut()));
        drawn.map(drop).context(GONE)
    }

    /// Returns the next key, if there is one in this time. `Some(None)`: another event, such as a new size.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn key(&self, wait: Duration) -> anyhow::Result<Option<Option<KeyEvent>>> {
        match self.keys.recv_timeout(wait) {
            Ok(read) => read.map(Some).context(GONE),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => bail!(GONE),
        }
    }
}

const GONE: &str = "the terminal is gone";

impl Drop for Screen {
    fn drop(&mut self) {
        if let Some(mut terminal) = self.terminal.take()
            && terminal.show_cursor().is_err()
        {
            // Dropping it would print an error that cannot be read, and fail.
            std::mem::forget(terminal);
        }
        let _ = give_back();
    }
}

/// Switches to single keys and a separate screen. A panic restores the terminal before its message is printed.
fn take() -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    let prints = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        let _ = give_back();
        prints(panicked);
    }));
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen)?;
    Terminal::new(CrosstermBackend::new(stdout()))
}

/// The mode first, since that works also where nothing can be written any more.
fn give_back() -> io::Result<()> {
    disable_raw_mode()?;
    execute!(stdout(), LeaveAlternateScreen)
}
