//! The tokens of a preprocessor's line.

use crate::syntax::quoted_len;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Name(String),
    Number(i64),
    Punctuator(&'static str),
    /// With its quotation marks.
    Text(String),
    /// A value that is not known here, for example of a macro that a compiler's option may define.
    Unsure,
    /// None of an expression of integers.
    Other,
}

impl Token {
    pub fn is(&self, punctuator: &str) -> bool {
        matches!(self, Self::Punctuator(it) if *it == punctuator)
    }
}

/// Longer ones come before their beginnings.
const PUNCTUATORS: [&str; 33] = [
    "...", "##", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "(", ")", "+", "-", "*", "/", "%",
    "<", ">", "!", "~", "&", "|", "^", "?", ":", ",", "#", "=", "{", "}", ";", ".",
];

fn is_part_of_name(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}

/// Returns the tokens of a line without comments.
pub fn tokens(line: &str) -> Vec<Token> {
    let (mut found, mut rest) = (Vec::new(), line.trim_start());
    while let Some(first) = rest.chars().next() {
        let (token, len) = if first.is_ascii_digit() {
            let len = rest.find(|it| !is_part_of_name(it)).unwrap_or(rest.len());
            (rest.get(..len).and_then(number).map_or(Token::Other, Token::Number), len)
        } else if is_part_of_name(first) {
            let len = rest.find(|it| !is_part_of_name(it)).unwrap_or(rest.len());
            (Token::Name(rest.get(..len).unwrap_or_default().to_owned()), len)
        } else if first == '"' || first == '\'' {
            let len = quoted_len(rest, false);
            let text = rest.get(..len).unwrap_or_default();
            let letter = text.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
            match letter.map(str::as_bytes) {
                Some([letter]) => (Token::Number(i64::from(*letter)), len),
                _ => (Token::Text(text.to_owned()), len),
            }
        } else if let Some(it) = PUNCTUATORS.iter().find(|it| rest.starts_with(**it)) {
            (Token::Punctuator(it), it.len())
        } else {
            (Token::Other, first.len_utf8())
        };
        found.push(token);
        rest = rest.get(len..).unwrap_or_default().trim_start();
    }
    found
}

/// Returns the value of `10UL`, `0x1F`, `017` or `0b11`.
fn number(text: &str) -> Option<i64> {
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let prefixed =
        |small: &str, large: &str| text.strip_prefix(small).or_else(|| text.strip_prefix(large));
    let (digits, radix) = match (prefixed("0x", "0X"), prefixed("0b", "0B")) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) => (digits, 2),
        (None, None) if text.len() > 1 && text.starts_with('0') => (text.get(1..)?, 8),
        (None, None) => (text, 10),
    };
    u64::from_str_radix(digits, radix).ok().map(u64::cast_signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_suffixes_and_bases() {
        for (text, value) in
            [("0", 0), ("10UL", 10), ("0x1fU", 31), ("017", 15), ("00", 0), ("0b11", 3)]
        {
            assert_eq!(tokens(text), [Token::Number(value)], "{text}");
        }
        assert_eq!(tokens("1.5e3").first(), Some(&Token::Number(1)));
        assert_eq!(tokens("12monkeys"), [Token::Other]);
        assert_eq!(tokens("99999999999999999999"), [Token::Other]);
    }

    #[test]
    fn any_text_has_tokens() {
        let name = |it: &str| Token::Name(it.to_owned());
        assert_eq!(tokens(" a<=b "), [name("a"), Token::Punctuator("<="), name("b")]);
        assert_eq!(tokens("\"a\\\"b\" x"), [Token::Text("\"a\\\"b\"".to_owned()), name("x")]);
        for odd in ["\"", "'", "\"\\", "\u{e9}", "@`$", "\\"] {
            assert_eq!(tokens(odd).len(), odd.chars().count().min(tokens(odd).len()), "{odd}");
        }
    }
}
