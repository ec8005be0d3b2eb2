//! Names that are safe in files of other tools.

use std::collections::HashMap;

/// Bytes that a name has at most, with what makes it unique.
const MAX_NAME: usize = 120;

/// A text without what ends it elsewhere: of one line, at most `max` bytes.
pub fn shortened(text: &str, max: usize) -> &str {
    let mut end = text.len().min(max);
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or_default()
}

/// A text as one word: letters and digits of any script, `_` and `-`; all else becomes `_`.
pub fn word(text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let word: String = shortened(text, MAX_NAME).chars().map(plain).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

/// Names that are there already, within one scope, and how often each was asked for.
#[derive(Debug, Default)]
pub struct Taken(HashMap<String, u32>);

impl Taken {
    /// This name, or one like it that is not taken yet.
    pub fn unique(&mut self, name: String) -> String {
        let Some(mut number) = self.0.get(&name).copied() else {
            self.0.insert(name.clone(), 1);
            return name;
        };
        loop {
            number = number.saturating_add(1);
            let unique = format!("{name}_{number}");
            if !self.0.contains_key(&unique) {
                self.0.insert(name, number);
                self.0.insert(unique.clone(), 1);
                return unique;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_their_own() {
        let mut taken = Taken::default();
        let names = ["a b", "a_b", "a.b", "a_b_2", "", "\u{1F980}$end", "\u{65E5}\u{672C}"];
        let names: Vec<_> = names.map(|name| taken.unique(word(name))).into();
        let unique = ["a_b", "a_b_2", "a_b_3", "a_b_2_2", "_", "__end", "\u{65E5}\u{672C}"];
        assert_eq!(names, unique);
        assert_eq!(word(&"\u{65E5}".repeat(100)).len(), MAX_NAME);
    }
}
