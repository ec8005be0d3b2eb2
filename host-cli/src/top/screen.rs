//! The terminal while `top` has it: as it was before once this is dropped, also if the program panics.

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::{Context, bail};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEvent};

use super::draw::{Scene, draw};

/// A screen of its own, and keys one by one.
pub struct Screen(DefaultTerminal);

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// There is none.
    pub fn new() -> anyhow::Result<Self> {
        if !io::stdout().is_terminal() {
            bail!("top needs a terminal; --once prints one screen as text");
        }
        // Its hook for panics gives the terminal back before the message is printed.
        let terminal = ratatui::try_init();
        if terminal.is_err() {
            let _ = ratatui::try_restore();
        }
        Ok(Self(
            terminal.context("this terminal cannot show it; --once prints one screen as text")?,
        ))
    }

    /// Shows a picture.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn show(&mut self, scene: &Scene<'_>) -> io::Result<()> {
        self.0.draw(|frame| draw(scene, frame.area(), frame.buffer_mut())).map(drop)
    }

    /// The next key, if there is one in this time. `Some(None)`: something else happened, such as a new size.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn key(wait: Duration) -> io::Result<Option<Option<KeyEvent>>> {
        if !event::poll(wait)? {
            return Ok(None);
        }
        Ok(Some(match event::read()? {
            Event::Key(key) => Some(key),
            _ => None,
        }))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.0.show_cursor();
        let _ = ratatui::try_restore();
    }
}
