//! What comes after something that is known later: it waits in a temporary file, which has no name.

use std::io::{self, Read as _, Seek as _, Write};

use tempfile::SpooledTempFile;

use crate::text::Text;

/// So many bytes need no file.
const IN_MEMORY: usize = 1 << 16;

/// Text that waits.
pub type Waiting = Text<SpooledTempFile>;

/// Nothing waits yet.
pub fn waiting() -> Waiting {
    Text::new(SpooledTempFile::new(IN_MEMORY))
}

/// Writes what has waited.
///
/// # Errors
/// It cannot be written, or there was no room for the file.
pub fn append(mut waiting: Waiting, out: &mut impl Write) -> io::Result<()> {
    let file = waiting.finish()?;
    file.rewind()?;
    let mut block = vec![0; IN_MEMORY];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(()),
            len => out.write_all(block.get(..len).unwrap_or_default())?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_waited_comes_as_it_was_with_and_without_a_file() {
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
}
