//! Words of a line, which are separated by spaces and have texts in quotes.

/// Returns the words of a line without their quotes.
///
/// # Errors
/// A quote is not closed, or an escape is unknown.
pub(super) fn words(line: &str) -> Result<Vec<Vec<u8>>, String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<Vec<u8>>, false);
    let mut bytes = line.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            b' ' if !is_quoted => words.extend(word.take()),
            b'\\' if is_quoted => word.get_or_insert_default().push(escaped(&mut bytes)?),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    if is_quoted { Err("a quote is not closed".to_owned()) } else { Ok(words) }
}

/// The byte after a backslash, as [`u8::escape_ascii`] writes it.
fn escaped(bytes: &mut impl Iterator<Item = u8>) -> Result<u8, String> {
    match bytes.next() {
        Some(b'n') => Ok(b'\n'),
        Some(b'r') => Ok(b'\r'),
        Some(b't') => Ok(b'\t'),
        Some(byte @ (b'"' | b'\'' | b'\\')) => Ok(byte),
        Some(b'x') => {
            let digits: String = bytes.take(2).map(char::from).collect();
            u8::from_str_radix(&digits, 16).map_err(|error| format!("\\x{digits}: {error}"))
        }
        other => Err(format!("unknown escape {:?}", other.map(char::from))),
    }
}
