//! A user's text file that is edited without changing any other byte: encoding, line endings, and the end of the last line stay.

/// The mark at the beginning of a text in UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// The lines of a file. Each character is one byte of the file, as in Latin-1, so any encoding that contains ASCII is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// It begins with the mark of UTF-8.
    has_mark: bool,
    /// With their endings, which the last one may lack.
    lines: Vec<String>,
}

impl Text {
    /// Reads a file's content; `None` if it is in UTF-16, or not a text.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.contains(&0) || bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return None;
        }
        let rest = bytes.strip_prefix(BOM);
        let lines = characters(rest.unwrap_or(bytes));
        let lines = lines.split_inclusive('\n').map(str::to_owned).collect();
        Some(Self { has_mark: rest.is_some(), lines })
    }

    /// Returns the file's content.
    pub fn bytes(&self) -> Vec<u8> {
        let mark = if self.has_mark { BOM } else { &[] };
        [mark, &bytes(&self.whole())].concat()
    }

    /// Returns all lines in one text, without the mark of UTF-8.
    pub fn whole(&self) -> String {
        self.lines.concat()
    }

    /// Returns the lines without their endings.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.lines.iter().map(|it| it.trim_end_matches(['\r', '\n']))
    }

    /// Returns the number of lines.
    pub const fn len(&self) -> usize {
        self.lines.len()
    }

    /// The ending of the lines near a line.
    fn ending(&self, at: usize) -> &'static str {
        let near = at.checked_sub(1).and_then(|it| self.lines.get(it)).or(self.lines.first());
        let is_open = |it: &&String| !it.ends_with('\n');
        // The last line may have none; then the line before it decides.
        let near = if near.is_some_and(|it| is_open(&it)) {
            at.checked_sub(2).and_then(|it| self.lines.get(it))
        } else {
            near
        };
        if near.is_some_and(|it| it.ends_with("\r\n")) { "\r\n" } else { "\n" }
    }

    /// Inserts lines before the line with this index, or at the end.
    pub fn insert(&mut self, at: usize, text: &str) {
        let at = at.min(self.lines.len());
        let ending = self.ending(at);
        let is_open =
            at == self.lines.len() && self.lines.last().is_some_and(|it| !it.ends_with('\n'));
        let mut added: Vec<String> =
            text.lines().map(|line| characters(line.as_bytes()) + ending).collect();
        if is_open {
            if let Some(last) = self.lines.last_mut() {
                last.push_str(ending);
            }
            if let Some(last) = added.last_mut() {
                last.truncate(last.len() - ending.len());
            }
        }
        self.lines.splice(at..at, added);
    }

    /// Changes a line, whose ending stays.
    pub fn replace(&mut self, at: usize, line: &str) {
        if let Some(old) = self.lines.get_mut(at) {
            let ending = old.get(old.trim_end_matches(['\r', '\n']).len()..).unwrap_or_default();
            *old = characters(line.as_bytes()) + ending;
        }
    }

    /// Removes a line.
    pub fn remove(&mut self, at: usize) {
        if at < self.lines.len() {
            self.lines.remove(at);
        }
    }
}

/// Returns the places in a text where an identifier is. A name that ends with `_` is the beginning of identifiers.
pub fn identifiers<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let is_inside = text.get(..*at).is_some_and(|it| it.ends_with(is_part));
        let is_longer = text.get(at + name.len()..).is_some_and(|it| it.starts_with(is_part));
        !is_inside && (!is_longer || name.ends_with('_'))
    })
}

/// Returns whether a text has an identifier, or one that begins with a name that ends with `_`.
pub fn has_identifier(text: &str, name: &str) -> bool {
    identifiers(text, name).next().is_some()
}

/// Each byte as a character.
pub fn characters(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// The bytes of such a text.
pub fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|it| u8::try_from(u32::from(it)).unwrap_or(b'?')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inserted(before: &[u8], at: usize, text: &str) -> Vec<u8> {
        let mut it = Text::of(before).unwrap();
        assert_eq!(it.bytes(), before);
        it.insert(at, text);
        it.bytes()
    }

    #[test]
    fn identifiers_are_whole() {
        for (text, name, expected) in [
            ("x tband_start_link()", "tband_start_", true),
            ("outband_start_link()", "tband_start_", false),
            ("OUTBAND TBANDX", "TBAND", false),
            ("${TBAND}", "TBAND", true),
        ] {
            assert_eq!(has_identifier(text, name), expected, "{text}");
        }
    }

    #[test]
    fn endings_and_other_bytes_stay() {
        assert_eq!(inserted(b"a\r\nb\r\n", 1, "x\ny"), b"a\r\nx\r\ny\r\nb\r\n");
        assert_eq!(inserted(b"a\nb", 2, "x\ny\n"), b"a\nb\nx\ny");
        assert_eq!(inserted(b"a\r\nb", 2, "x"), b"a\r\nb\r\nx");
        assert_eq!(inserted(b"", 0, "x"), b"x\n");
        assert_eq!(inserted(b"\xb5\xff\n", 0, "\u{b5}"), b"\xc2\xb5\n\xb5\xff\n");
        assert_eq!(inserted(b"\xef\xbb\xbfa\n", 0, "x"), b"\xef\xbb\xbfx\na\n");
        assert_eq!(Text::of(b"\xff\xfea\0"), None);
        let mut it = Text::of(b"a\r\nb").unwrap();
        it.replace(0, "x");
        it.replace(1, "y");
        it.replace(2, "z");
        assert_eq!(it.bytes(), b"x\r\ny");
        it.remove(0);
        it.remove(7);
        assert_eq!(it.bytes(), b"y");
    }
}
