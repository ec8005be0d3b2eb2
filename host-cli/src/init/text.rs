//! A user's text file that is edited without changing any other byte: encoding, line endings, and the end of the last line stay.

use crate::syntax::steps;

/// The mark at the beginning of a text in UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Bytes of a file that are not UTF-8 are characters from here on, in a private area: this one and the byte's value.
const PRIVATE: u32 = 0x10_ff00;

/// The lines of a file, decoded by [`decode`]. A file in another encoding that contains ASCII is kept, too.
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
        let text = decode(rest.unwrap_or(bytes));
        let lines = text.split_inclusive('\n').map(str::to_owned).collect();
        Some(Self { has_mark: rest.is_some(), lines })
    }

    /// Returns the file's content.
    pub fn bytes(&self) -> Vec<u8> {
        let mark = if self.has_mark { BOM } else { &[] };
        [mark, &encode(&self.whole())].concat()
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
        self.insert_all(vec![(at, text.to_owned())]);
    }

    /// Inserts texts before the lines with these indices, or at the end. Texts with the same index stay in their order.
    pub fn insert_all(&mut self, mut texts: Vec<(usize, String)>) {
        let count = self.lines.len();
        texts.retain(|it| !it.1.is_empty());
        texts.sort_by_key(|it| it.0.min(count));
        let is_open = self.lines.last().is_some_and(|it| !it.ends_with('\n'));
        let mut texts = texts
            .into_iter()
            .map(|(at, text)| (at.min(count), self.ending(at.min(count)), text))
            .collect::<Vec<_>>()
            .into_iter()
            .peekable();
        let mut old = std::mem::take(&mut self.lines).into_iter();
        for at in 0..=count {
            while let Some((_, ending, text)) = texts.next_if(|it| it.0 == at) {
                if let Some(last) = self.lines.last_mut().filter(|it| !it.ends_with('\n')) {
                    last.push_str(ending);
                }
                self.lines.extend(text.lines().map(|line| format!("{line}{ending}")));
                if at == count && is_open && texts.peek().is_none() {
                    self.open_end(ending);
                }
            }
            self.lines.extend(old.next());
        }
        steps::count(self.lines.len());
    }

    /// Takes the ending off the last line.
    fn open_end(&mut self, ending: &str) {
        if let Some(last) = self.lines.last_mut() {
            last.truncate(last.len() - ending.len());
        }
    }

    /// Changes a line, whose ending stays.
    pub fn replace(&mut self, at: usize, line: &str) {
        if let Some(old) = self.lines.get_mut(at) {
            let ending = old.get(old.trim_end_matches(['\r', '\n']).len()..).unwrap_or_default();
            *old = format!("{line}{ending}");
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

/// Returns the text of a file in UTF-8, or in another encoding that contains ASCII. [`encode`] returns the same bytes.
pub fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for it in chunk.valid().chars() {
            if private_byte(it).is_none() {
                text.push(it);
                continue;
            }
            // Characters of the private area are bytes, too.
            let mut bytes = [0; 4];
            text.extend(it.encode_utf8(&mut bytes).bytes().filter_map(private));
        }
        text.extend(chunk.invalid().iter().copied().filter_map(private));
    }
    text
}

/// Returns the bytes of a text that [`decode`] returned, with other text in UTF-8.
pub fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for it in text.chars() {
        match private_byte(it) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend(it.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    bytes
}

/// Returns a decoded text for messages: bytes that are not UTF-8 are replaced.
pub fn shown(text: &str) -> String {
    let letter = |it: char| private_byte(it).map_or(it, |_| char::REPLACEMENT_CHARACTER);
    text.chars().map(letter).collect()
}

/// The character of a byte that is not ASCII.
fn private(byte: u8) -> Option<char> {
    char::from_u32(PRIVATE + u32::from(byte))
}

/// The byte of such a character.
fn private_byte(letter: char) -> Option<u8> {
    let byte = u32::from(letter).checked_sub(PRIVATE)?;
    u8::try_from(byte).ok().filter(|it| !it.is_ascii())
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
        assert_eq!(inserted(b"a", 1, ""), b"a");
        let mut it = Text::of(b"a\r\nb").unwrap();
        it.insert_all(vec![(2, "y".to_owned()), (0, "x".to_owned()), (9, "z".to_owned())]);
        assert_eq!(it.bytes(), b"x\r\na\r\nb\r\ny\r\nz");
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

    #[test]
    fn a_line_that_is_inserted_again_has_the_same_bytes() {
        // Latin-1, GBK, UTF-8 with a space that trim() takes off in Latin-1, all bytes, and the private area.
        let all: Vec<u8> = (1..=255).filter(|it| *it != b'\n' && *it != b'\r').collect();
        for line in [
            &b"gr\xf6\xdfe \xa0"[..],
            b"\xc4\xe3\xba\xc3",
            b"\xc3\xa0\xc3\x85",
            "größe 你好 \u{10ffff}\u{10ff80}".as_bytes(),
            b"\xf4\x8f\xbf",
            &all,
        ] {
            let before = [BOM, line, b"\r\n"].concat();
            let mut it = Text::of(&before).unwrap();
            let text = it.lines().next().unwrap().to_owned();
            it.insert(0, &text);
            it.insert_all(vec![(1, text.clone())]);
            it.replace(0, &text);
            assert_eq!(it.bytes(), [BOM, &[line, b"\r\n"].concat().repeat(3)].concat());
            assert_eq!(encode(&decode(line)), line);
        }
        assert_eq!(shown(&decode(b"\xc3\xa4\xff")), "\u{e4}\u{fffd}");
    }
}
