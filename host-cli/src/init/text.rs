//! A user's text file that is edited without changing any other byte: encoding, line endings, and the end of the last line stay.

use crate::syntax::steps;
use crate::syntax::text::{BOM, decode, encode};

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
    }
}
