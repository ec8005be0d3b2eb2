//! The text of a `.dic` file, which may be in front of the frames.

use super::dictionary::Dictionary;
use super::sizes::{Sizes, USUAL};

/// Longest line, in bytes.
const MAX_LINE: usize = 512;

/// What a text contains.
#[derive(Clone, Debug, Default)]
pub struct Preamble {
    pub dictionary: Dictionary,
    /// The sizes, if the text has them, and the version.
    pub sizes: Option<Sizes>,
    pub version: Option<u32>,
    section: Section,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    #[default]
    None,
    Objects,
    Functions,
    Signals,
    Records,
    Enumerations,
}

/// A file begins with such a text.
pub fn is_text(bytes: &[u8]) -> bool {
    let head = bytes.get(..MAX_LINE).unwrap_or(bytes);
    let begins = head.starts_with(b"-") || head.starts_with(b"Obj-Dic:");
    begins && memchr::memmem::find(head, b"-Dic:").is_some()
}

impl Preamble {
    /// Takes the next line. Returns its length; 0 if it is none of the text, and `None` if more bytes are needed.
    pub fn line(&mut self, bytes: &[u8], at_end: bool) -> Option<usize> {
        let near = bytes.get(..MAX_LINE).unwrap_or(bytes);
        let Some(end) = memchr::memchr(b'\n', near) else {
            let is_all = at_end || bytes.len() >= MAX_LINE;
            return is_all.then_some(0);
        };
        let Some(line) = near.get(..end).and_then(|line| std::str::from_utf8(line).ok()) else {
            return Some(0);
        };
        let line = line.trim();
        Some(if self.take(line).is_some() { end + 1 } else { 0 })
    }

    fn take(&mut self, line: &str) -> Option<()> {
        if line.is_empty() || line == "***" {
            return Some(());
        }
        if let Some(option) = line.strip_prefix('-') {
            return self.option(option);
        }
        let section = match line {
            "Obj-Dic:" => Section::Objects,
            "Fun-Dic:" => Section::Functions,
            "Sig-Dic:" => Section::Signals,
            "Usr-Dic:" => Section::Records,
            "Msc-Dic:" | "Enum-Dic:" | "Enu-Dic:" => Section::Enumerations,
            _ => return self.entry(line),
        };
        self.section = section;
        Some(())
    }

    fn option(&mut self, option: &str) -> Option<()> {
        let letter = option.chars().next().filter(char::is_ascii_alphabetic)?;
        let number = || option.get(1..)?.parse::<u8>().ok();
        let mut sizes = self.sizes.unwrap_or(USUAL);
        let place = match letter {
            'T' => &mut sizes.time,
            'O' => &mut sizes.object,
            'F' => &mut sizes.function,
            'S' => &mut sizes.signal,
            'E' => &mut sizes.event,
            'Q' => &mut sizes.queue,
            'P' => &mut sizes.pool,
            'B' => &mut sizes.block,
            'C' => &mut sizes.time_event,
            'v' => {
                self.version = option.get(1..).and_then(|text| text.parse().ok());
                return Some(());
            }
            _ => return Some(()),
        };
        *place = number().filter(|size| matches!(size, 1 | 2 | 4 | 8))?;
        self.sizes = Some(sizes);
        Some(())
    }

    fn entry(&mut self, line: &str) -> Option<()> {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = |text: &str| match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        let key = number(first)?;
        // The size of addresses, alone in a line.
        if rest.is_empty() {
            return Some(());
        }
        let dictionary = &mut self.dictionary;
        match self.section {
            Section::Objects => dictionary.add_object(key, rest.as_bytes()),
            Section::Functions => dictionary.add_function(key, rest.as_bytes()),
            Section::Records => dictionary.add_record(u8::try_from(key).ok()?, rest.as_bytes()),
            Section::Signals => {
                let (object, name) = rest.split_once(' ')?;
                dictionary.add_signal(key, number(object)?, name.as_bytes());
            }
            Section::Enumerations => {
                let (group, name) = rest.split_once(' ')?;
                let (value, group) = (u8::try_from(key).ok()?, u8::try_from(number(group)?).ok()?);
                dictionary.add_enumeration(group, value, name.as_bytes());
            }
            Section::None => return None,
        }
        Some(())
    }
}
