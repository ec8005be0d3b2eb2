//! Texts of files in UTF-8 or in another encoding that contains ASCII, and identifiers in them.

/// The mark at the beginning of a text in UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Bytes of a file that are not UTF-8 are characters from here on, in a private area: this one and the byte's value.
const PRIVATE: u32 = 0x10_ff00;

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
    fn other_encodings_are_shown() {
        assert_eq!(shown(&decode(b"\xc3\xa4\xff")), "\u{e4}\u{fffd}");
    }
}
