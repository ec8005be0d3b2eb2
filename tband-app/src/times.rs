//! The times at which a recording was received, in a file beside it: `FILE.times`. `record --times` writes it, and alignment by
//! reception reads it.
//!
//! Each line has two numbers: how many bytes had been received, and when, in ns since 1970.

use std::path::{Path, PathBuf};

use tband_report::printable::printable;

/// The file beside a recording.
#[must_use]
pub fn path_for(recording: &Path) -> PathBuf {
    let mut name = recording.as_os_str().to_owned();
    name.push(".times");
    name.into()
}

/// The line of a time, without its end.
#[must_use]
pub fn line(bytes: u64, ns: u128) -> String {
    format!("{bytes} {ns}")
}

/// Returns the content of such a file, in the form for [`Input::with_received`](tband_conv::Input::with_received).
///
/// # Errors
/// The invalid line, and its text.
pub fn read(text: &str) -> Result<Vec<(u64, u64)>, String> {
    let mut received = Vec::new();
    let mut before = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let pair = line.split_once(' ');
        let pair = pair.and_then(|(end, ns)| Some((end.parse().ok()?, ns.parse().ok()?)));
        let Some((end, ns)) = pair.filter(|(end, _)| *end >= before) else {
            return Err(format!(
                "line {number} is '{}', not a number of bytes and a time in ns, as record --times writes them",
                printable(line)
            ));
        };
        before = end;
        received.push((end, ns));
    }
    Ok(received)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_inverts_writing() {
        let text = format!("{}\n{}\n", line(0, 5), line(7, 1 << 60));
        assert_eq!(read(&text), Ok(vec![(0, 5), (7, 1 << 60)]));
        assert_eq!(read(""), Ok(Vec::new()));
        assert_eq!(path_for(Path::new("a.bin")), Path::new("a.bin.times"));
        for wrong in ["1", "1 x", "-1 2", "2 1\n1 2", "1 2 3", "1 18446744073709551616"] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains("not a number of bytes and a time in ns"), "{error}");
        }
        assert!(read("1 2\n\u{1b}[1m").unwrap_err().starts_with("line 2 is '\\"));
    }
}
