//! Formats of records, parsed at compile time.

/// Most arguments of a record.
const MOST: usize = 8;
/// The last byte of an interned format, before its NUL.
const END: u8 = 3;
/// Letters of the types of integers of 8 to 64 bits, and of sizes.
const SIGNED: [u8; 5] = [b'b', b'h', b'i', b'q', SIZES[0]];
const UNSIGNED: [u8; 5] = [b'B', b'H', b'I', b'Q', SIZES[1]];
const SIZES: [u8; 2] = if size_of::<usize>() > 4 { [b'q', b'Q'] } else { [b'i', b'I'] };

/// The length in front of a conversion: how wide its argument is.
#[derive(Clone, Copy)]
enum Length {
    Byte,
    Short,
    Usual,
    Long,
    Size,
}

/// The arguments that a format has.
pub struct Shape {
    letters: [u8; MOST],
    count: usize,
}

impl Shape {
    /// Returns the shape of a format with this many arguments. Evaluated at compile time, where its
    /// panics are errors.
    #[must_use]
    pub const fn of(format: &str, arguments: usize) -> Self {
        match Self::parse(format) {
            Ok(shape) if shape.count < arguments => {
                panic!("the record has more arguments than its format has conversions")
            }
            Ok(shape) if shape.count > arguments => {
                panic!("the record has fewer arguments than its format has conversions")
            }
            Ok(shape) => shape,
            Err(mistake) => panic!("{}", mistake),
        }
    }

    /// Returns the letter of an argument's type; 0 if there is no such argument.
    #[must_use]
    pub const fn letter(&self, index: usize) -> u8 {
        if index < self.count { self.letters[index] } else { 0 }
    }

    /// Returns the size in bytes of the interned format: the letters, a mark, the format, its end and a
    /// NUL.
    #[must_use]
    pub const fn len(&self, format: &str) -> usize {
        self.count + 1 + format.len() + 2
    }

    const fn parse(format: &str) -> Result<Self, &'static str> {
        let bytes = format.as_bytes();
        let mut shape = Self { letters: [0; MOST], count: 0 };
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            at += 1;
            if byte == 0 || byte == END {
                return Err("a format of a record has a byte 0 or 3");
            }
            if byte == b'%' {
                at = match shape.conversion(bytes, at) {
                    Ok(at) => at,
                    Err(mistake) => return Err(mistake),
                };
            }
        }
        Ok(shape)
    }

    /// Reads a conversion after its `%`; where it ends.
    const fn conversion(&mut self, bytes: &[u8], mut at: usize) -> Result<usize, &'static str> {
        let start = at;
        while matches!(byte_at(bytes, at), b'-' | b'+' | b' ' | b'#' | b'0') {
            at += 1;
        }
        at = match self.number(bytes, at) {
            Ok(at) => at,
            Err(mistake) => return Err(mistake),
        };
        if byte_at(bytes, at) == b'.' {
            at = match self.number(bytes, at + 1) {
                Ok(at) => at,
                Err(mistake) => return Err(mistake),
            };
        }
        let (length, taken) = match (byte_at(bytes, at), byte_at(bytes, at + 1)) {
            (b'h', b'h') => (Length::Byte, 2),
            (b'h', _) => (Length::Short, 1),
            (b'l', b'l') => (Length::Long, 2),
            (b'z', _) => (Length::Size, 1),
            (b'l' | b'j' | b't' | b'L' | b'q', _) => {
                return Err(
                    "lengths of conversions are hh, h, ll and z: the others depend on C's compiler",
                );
            }
            _ => (Length::Usual, 0),
        };
        at += taken;
        let letter = match (byte_at(bytes, at), length) {
            (b'd' | b'i', length) => SIGNED[length as usize],
            (b'u' | b'x' | b'X' | b'o', length) => UNSIGNED[length as usize],
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A', Length::Usual) => b'd',
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A', Length::Short) => b'f',
            (b'c', Length::Usual) => b'c',
            (b's', Length::Usual) => b's',
            (b'p', Length::Usual) => b'P',
            (b'p', Length::Byte) => b'm',
            (b'%', Length::Usual) if at == start => return Ok(at + 1),
            (0, _) => return Err("a format of a record ends within a conversion"),
            _ => return Err("a format of a record has a conversion that there is not"),
        };
        match self.add(letter) {
            Ok(()) => Ok(at + 1),
            Err(mistake) => Err(mistake),
        }
    }

    /// Skips digits, or `*`, which takes an argument; returns the position after them.
    const fn number(&mut self, bytes: &[u8], mut at: usize) -> Result<usize, &'static str> {
        if byte_at(bytes, at) == b'*' {
            return match self.add(b'i') {
                Ok(()) => Ok(at + 1),
                Err(mistake) => Err(mistake),
            };
        }
        while byte_at(bytes, at).is_ascii_digit() {
            at += 1;
        }
        Ok(at)
    }

    const fn add(&mut self, letter: u8) -> Result<(), &'static str> {
        if self.count == MOST {
            return Err("a record has at most eight arguments");
        }
        self.letters[self.count] = letter;
        self.count += 1;
        Ok(())
    }
}

/// Returns a byte, 0 after the last one.
const fn byte_at(bytes: &[u8], at: usize) -> u8 {
    if at < bytes.len() { bytes[at] } else { 0 }
}

/// Returns the format in the form that the host expects: the letters of the arguments, the kind of the
/// record, the text and its end.
#[must_use]
pub const fn interned<const LEN: usize>(format: &str, mark: u8, shape: &Shape) -> [u8; LEN] {
    let mut text = [0; LEN];
    let mut at = 0;
    while at < shape.count {
        text[at] = shape.letters[at];
        at += 1;
    }
    text[at] = mark;
    let bytes = format.as_bytes();
    let mut from = 0;
    while from < bytes.len() {
        text[at + 1 + from] = bytes[from];
        from += 1;
    }
    text[at + 1 + from] = END;
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(format: &str) -> Result<std::string::String, &'static str> {
        let shape = Shape::parse(format)?;
        Ok(shape.letters[..shape.count].iter().map(|letter| char::from(*letter)).collect())
    }

    #[test]
    fn conversions_say_what_their_arguments_are() {
        for (format, expected) in [
            ("", ""),
            ("100%% of %d", "i"),
            ("%hhd%hi%i%lld", "bhiq"),
            ("%hhu%hx%X%llo", "BHIQ"),
            ("%zu %zd", if size_of::<usize>() == 8 { "Qq" } else { "Ii" }),
            ("%c%s%p%hhp", "csPm"),
            ("%f%.2e%+10G%#a", "dddd"),
            ("%hf%.*hg", "fif"),
            ("%-*.*s|%08.3f", "iisd"),
            ("%d%d%d%d%d%d%d%d", "iiiiiiii"),
            ("ä%uö", "I"),
        ] {
            assert_eq!(letters(format).as_deref(), Ok(expected), "{format}");
        }
    }

    #[test]
    fn mistakes_are_found() {
        for (format, message) in [
            ("%", "ends within"),
            ("%5.", "ends within"),
            ("%ll", "ends within"),
            ("%n", "that there is not"),
            ("%S", "that there is not"),
            ("%5%", "that there is not"),
            ("%hs", "that there is not"),
            ("%llf", "that there is not"),
            ("%ld", "hh, h, ll and z"),
            ("%ls", "hh, h, ll and z"),
            ("%Lf", "hh, h, ll and z"),
            ("a\0b", "a byte 0 or 3"),
            ("%d\x03", "a byte 0 or 3"),
            ("%d%d%d%d%d%d%d%d%d", "at most eight"),
            ("%d%d%d%d%d%d%d%*d", "at most eight"),
        ] {
            let mistake = letters(format).expect_err(format);
            assert!(mistake.contains(message), "{format:?}: {mistake}");
        }
    }

    #[test]
    fn formats_are_interned_as_by_c() {
        const SHAPE: Shape = Shape::of("a %d %s", 2);
        let text: [u8; SHAPE.len("a %d %s")] = interned("a %d %s", b'[', &SHAPE);
        assert_eq!(&text, b"is[a %d %s\x03\0");
    }
}
