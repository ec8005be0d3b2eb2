//! How wide text may get, so that it fits where it is, whatever font the reader has.

/// Widest that a letter of 11 px is, in tenths of a unit: in DejaVu Sans, which is wider than what browsers
/// usually have as the system's font.
const fn width_of_letter(letter: char) -> i64 {
    match letter {
        ' ' | '\'' | ',' | '.' | ':' | ';' | 'I' | 'i' | 'j' | 'l' | '|' => 38,
        '!' | '(' | ')' | '-' | '/' | 'J' | '[' | '\\' | ']' | 'f' | 'r' | 't' => 46,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | '"' | '*' | '_' | '`' => 66,
        'a'..='u' | '0'..='9' | '$' | '?' | '{' | '}' if letter != 'm' => 71,
        'A'..='Z' | '&' if letter != 'M' && letter != 'W' => 88,
        '#' | '+' | '<' | '=' | '>' | '^' | '~' | 'w' => 93,
        _ => 112,
    }
}

/// Widest that a text is, in tenths of a unit.
pub fn width_of(text: &str) -> i64 {
    text.chars().map(width_of_letter).sum()
}

/// As much of a text as fits into so many tenths of a unit; nothing if that says nothing.
pub fn fitting(text: &str, room: i64) -> String {
    if width_of(text) <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut left = room - width_of_letter('…');
    for letter in text.chars() {
        left -= width_of_letter(letter);
        if left < 0 {
            break;
        }
        short.push(letter);
    }
    if short.chars().count() < 3 {
        return String::new();
    }
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Advances of DejaVu Sans, in thousandths of its size.
    const ADVANCES: [(char, i64); 24] = [
        (' ', 318),
        ('"', 460),
        ('#', 838),
        ('(', 390),
        ('+', 838),
        ('-', 361),
        ('0', 636),
        ('@', 1000),
        ('A', 684),
        ('I', 295),
        ('M', 863),
        ('O', 787),
        ('W', 989),
        ('_', 500),
        ('a', 613),
        ('b', 635),
        ('i', 278),
        ('m', 974),
        ('r', 411),
        ('t', 392),
        ('w', 818),
        ('µ', 636),
        ('…', 1000),
        ('n', 634),
    ];

    #[test]
    fn no_letter_is_wider() {
        for (letter, thousandths) in ADVANCES {
            assert!(width_of_letter(letter) * 1000 >= thousandths * 110, "{letter}");
        }
    }

    #[test]
    fn what_is_shortened_fits() {
        for text in ["semaphore wake_high (data)", "WWWWWWWW", "mmmm", "iiiiiiiiiiii", "ä…", ""]
        {
            for room in -10..900 {
                let short = fitting(text, room);
                assert!(short.is_empty() || width_of(&short) <= room, "{short} in {room}");
                assert!(short == text || short.is_empty() || short.ends_with('…'), "{short}");
            }
            assert_eq!(fitting(text, width_of(text)), text);
        }
        assert_eq!(fitting("semaphore", 365), "sem…");
        assert_eq!(fitting("semaphore", 360), "");
    }
}
