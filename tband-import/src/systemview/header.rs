//! The text in front of a file: lines that start with a semicolon.

/// Longest text that is read, in bytes.
const MAX_HEADER: usize = 16 * 1024;
/// Cores that a file can have.
const MAX_CORES: usize = 8;

/// What the text contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Program that wrote the file, and its version.
    pub version: Option<String>,
    pub author: Option<String>,
    pub title: Option<String>,
    /// The core is in the ids of packets.
    pub has_core_in_id: bool,
    /// Where the part of each core begins, in bytes after the text.
    pub offsets: Vec<u64>,
    /// Its last line is an empty one.
    pub(super) is_ended: bool,
}

/// What there is at the start of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum FileStart {
    /// A text of so many bytes.
    Header(Header, usize),
    /// No text.
    Nothing,
    /// Perhaps a text, whose end is missing.
    Short,
}

impl Header {
    /// Reads the text at the start of these bytes.
    pub fn read(bytes: &[u8], at_end: bool) -> FileStart {
        match bytes.first() {
            None if !at_end => return FileStart::Short,
            Some(b';') => {}
            _ => return FileStart::Nothing,
        }
        let (mut header, mut from) = (Self::default(), 0);
        loop {
            let rest = bytes.get(from..).unwrap_or_default();
            match rest.first() {
                None if !at_end && from < MAX_HEADER => return FileStart::Short,
                Some(b';') => {}
                // There may be an empty line.
                _ => {
                    let empty = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n"));
                    from += empty.map_or(0, |after| rest.len() - after.len());
                    return FileStart::Header(header, from);
                }
            }
            let Some(len) = memchr::memchr(b'\n', rest) else {
                let may_follow = !at_end && rest.len() < MAX_HEADER;
                return if may_follow { FileStart::Short } else { FileStart::Nothing };
            };
            header.line(rest.get(1..len).unwrap_or_default());
            from += len + 1;
            if from > MAX_HEADER {
                return FileStart::Nothing;
            }
        }
    }

    fn line(&mut self, line: &[u8]) {
        self.is_ended = line.trim_ascii().is_empty();
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        let (key, value) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let value = value.trim();
        let text = || (!value.is_empty()).then(|| value.to_owned());
        match key {
            "Version" => self.version = text(),
            "Author" => self.author = text(),
            "Title" => self.title = text(),
            "ESP_Extension" => self.has_core_in_id = true,
            "Offset" if self.offsets.len() < MAX_CORES => {
                let offset: Option<u64> =
                    value.split_ascii_whitespace().nth(1).and_then(|it| it.parse().ok());
                self.offsets.extend(offset);
            }
            _ => {}
        }
    }

    /// The file is one of SystemView.
    pub fn is_of_systemview(&self) -> bool {
        self.version.as_ref().is_some_and(|version| version.contains("SystemView"))
    }

    /// It is the whole text of a file of SystemView, with the line that ends it.
    pub fn is_full(&self) -> bool {
        self.is_of_systemview() && self.is_ended
    }

    /// Espressif's tool wrote it.
    pub fn is_of_espressif(&self) -> bool {
        self.author.as_ref().is_some_and(|author| author.contains("Espressif"))
    }
}
