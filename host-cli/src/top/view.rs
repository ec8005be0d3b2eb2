//! The user's choice of the display, and the keys for it.

use ratatui_crossterm::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::args::Sort;

/// Rows that a page key scrolls.
const PAGE: usize = 10;
/// Letters of a filter, or of a command.
const MOST: usize = 64;

/// The settings of the display.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The sort order of tasks.
    pub sort: Sort,
    /// Part of the names that are shown.
    pub filter: String,
    /// The filter is being typed.
    pub types: bool,
    /// The command that is being typed.
    pub command: Option<String>,
    /// The picture does not change.
    pub is_paused: bool,
    /// The keys are shown.
    pub helps: bool,
    /// Tasks that are above the first one that is shown.
    pub above: usize,
}

/// The effect of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum After {
    /// It continues.
    Stay,
    /// It ends.
    Quit,
    /// Sends this command to the target, in the syntax of `tband-cli command`.
    Ask(String),
    /// Events of this group are recorded, or not any more: a place in the list of groups.
    Toggle(usize),
}

impl View {
    /// A name has the filter in it, whatever its case.
    pub fn has(&self, name: &str) -> bool {
        self.filter.is_empty() || name.to_lowercase().contains(&self.filter.to_lowercase())
    }

    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent) -> After {
        if key.kind == KeyEventKind::Release {
            return After::Stay;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            let ends = matches!(key.code, KeyCode::Char('c'));
            return if ends { After::Quit } else { After::Stay };
        }
        if self.types {
            self.types(key.code);
            return After::Stay;
        }
        if let Some(command) = self.command.take() {
            return self.commands(command, key.code);
        }
        match key.code {
            KeyCode::Char('q') => return After::Quit,
            KeyCode::Char('p' | ' ') => self.is_paused = !self.is_paused,
            KeyCode::Char('s') => self.sort = self.sort.next(),
            KeyCode::Char('f' | '/') => self.types = true,
            KeyCode::Char('?' | 'h') => self.helps = !self.helps,
            KeyCode::Char(':') => self.command = Some(String::new()),
            KeyCode::Char('R') => return After::Ask("start".to_owned()),
            KeyCode::Char('S') => return After::Ask("stop".to_owned()),
            KeyCode::Char('N') => return After::Ask("names".to_owned()),
            KeyCode::Char(digit @ '1'..='9') => {
                let place = digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok());
                return After::Toggle(place.unwrap_or(1) - 1);
            }
            KeyCode::Esc => (self.helps, self.filter) = (false, String::new()),
            KeyCode::Up => self.above = self.above.saturating_sub(1),
            KeyCode::Down => self.above = self.above.saturating_add(1),
            KeyCode::PageUp => self.above = self.above.saturating_sub(PAGE),
            KeyCode::PageDown => self.above = self.above.saturating_add(PAGE),
            KeyCode::Home => self.above = 0,
            _ => {}
        }
        After::Stay
    }

    /// A key of the command that is typed.
    fn commands(&mut self, mut command: String, code: KeyCode) -> After {
        match code {
            KeyCode::Enter if command.trim().is_empty() => return After::Stay,
            KeyCode::Enter => return After::Ask(command),
            KeyCode::Esc => return After::Stay,
            KeyCode::Backspace => {
                command.pop();
            }
            KeyCode::Char(letter) if command.chars().count() < MOST => command.push(letter),
            _ => {}
        }
        self.command = Some(command);
        After::Stay
    }

    /// A key of the filter.
    fn types(&mut self, code: KeyCode) {
        match code {
            KeyCode::Enter => self.types = false,
            KeyCode::Esc => (self.types, self.filter) = (false, String::new()),
            KeyCode::Backspace => {
                self.filter.pop();
            }
            KeyCode::Char(letter) if self.filter.chars().count() < MOST => self.filter.push(letter),
            _ => {}
        }
        self.above = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(view: &mut View, codes: &[KeyCode]) -> After {
        let mut after = After::Stay;
        for code in codes {
            after = view.key(KeyEvent::new(*code, KeyModifiers::NONE));
        }
        after
    }

    #[test]
    fn keys_act_as_in_the_help() {
        use KeyCode::{Backspace, Char, Down, Enter, Esc, PageUp};
        let mut view = View::default();
        assert_eq!(press(&mut view, &[Char('p'), Char('s'), Char('?'), Down, Down]), After::Stay);
        assert!(view.is_paused && view.helps);
        assert_eq!((view.sort, view.above), (Sort::Prio, 2));
        press(&mut view, &[PageUp, Char('?'), Char(' ')]);
        assert!(!view.is_paused && !view.helps);
        assert_eq!(view.above, 0);
        // A q in a filter is a letter.
        press(&mut view, &[Char('/'), Char('q'), Char('x'), Backspace, Enter]);
        assert_eq!(view.filter, "q");
        assert!(view.has("IRQ") && !view.has("idle"));
        press(&mut view, &[Esc]);
        assert!(view.has("idle"));
        assert_eq!(press(&mut view, &[Char('q')]), After::Quit);
        // Commands. A digit, and a q, in one is a letter.
        let ask = |text: &str| After::Ask(text.to_owned());
        assert_eq!(press(&mut view, &[Char(':'), Char('q'), Char('1'), Enter]), ask("q1"));
        assert_eq!(press(&mut view, &[Char(':'), Char('q'), Esc]), After::Stay);
        assert_eq!(press(&mut view, &[Char(':'), Char(' '), Enter]), After::Stay);
        assert_eq!(view.command, None);
        for (key, text) in [('R', "start"), ('S', "stop"), ('N', "names")] {
            assert_eq!(press(&mut view, &[Char(key)]), ask(text));
        }
        assert_eq!(press(&mut view, &[Char('2')]), After::Toggle(1));
        let control = KeyEvent::new(Char('c'), KeyModifiers::CONTROL);
        view.types = true;
        assert_eq!(view.key(control), After::Quit);
    }
}
