//! Output that comes after data which is known later: it waits in a temporary file without a name.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use tempfile::SpooledTempFile;

use crate::text::TextWriter;

/// Maximum number of bytes that need no file.
const IN_MEMORY: usize = 1 << 16;

/// A temporary file without a name, in memory as long as it is small. Its errors are marked as its own: callers add the name of
/// the output.
#[derive(Debug)]
pub struct Spool {
    file: SpooledTempFile,
    folder: PathBuf,
}

impl Default for Spool {
    fn default() -> Self {
        Self::new_in(tempfile::env::temp_dir())
    }
}

impl Spool {
    fn new_in(folder: PathBuf) -> Self {
        Self { file: SpooledTempFile::new_in(IN_MEMORY, &folder), folder }
    }

    /// Writes the content from here on.
    ///
    /// # Errors
    /// It cannot be read, or written.
    pub fn append_to(&mut self, out: &mut impl Write) -> io::Result<()> {
        let mut block = vec![0; IN_MEMORY];
        loop {
            match self.read(&mut block)? {
                0 => return Ok(()),
                len => out.write_all(block.get(..len).unwrap_or_default())?,
            }
        }
    }

    fn explain<T>(&self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| {
            let text = format!(
                "a temporary file in {} cannot be used: {error}; make room there, or name another folder in TMPDIR (Windows: \
                 TMP)",
                self.folder.display()
            );
            io::Error::new(error.kind(), text)
        })
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        self.explain(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        self.explain(flushed)
    }
}

impl Read for Spool {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes);
        self.explain(read)
    }
}

impl Seek for Spool {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = self.file.seek(to);
        self.explain(at)
    }
}

/// Text that waits.
pub type SpooledText = TextWriter<Spool>;

/// Nothing waits yet.
pub fn waiting() -> SpooledText {
    TextWriter::new(Spool::default())
}

/// Writes the waiting output.
///
/// # Errors
/// The output cannot be written, or the file could not hold all of it.
pub fn append(waiting: SpooledText, out: &mut impl Write) -> io::Result<()> {
    let mut file = waiting.into_inner()?;
    file.rewind()?;
    file.append_to(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spooled_data_is_unchanged_with_and_without_a_file() {
        for lines in [0, 1, 100_000] {
            let (mut text, mut all) = (waiting(), String::new());
            for number in 0..lines {
                text.line().number(number).text("\n");
                text.end().unwrap();
                all += &format!("{number}\n");
            }
            let mut out = Vec::new();
            append(text, &mut out).unwrap();
            assert_eq!(str::from_utf8(&out).unwrap(), all);
        }
    }

    #[test]
    fn an_error_names_the_temporary_file() {
        let folder = std::env::temp_dir().join("tband-there-is-no-such-folder");
        let mut text = TextWriter::new(Spool::new_in(folder.clone()));
        let failed = (0..IN_MEMORY).find_map(|number| {
            text.line().number(number).text("\n");
            text.end().err()
        });
        let failed = failed.expect("no folder");
        assert_eq!(failed.kind(), io::ErrorKind::NotFound);
        let message = failed.to_string();
        assert!(
            message.contains(&*folder.to_string_lossy()) && message.contains("TMPDIR"),
            "{message}"
        );
    }
}
