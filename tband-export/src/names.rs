//! Names that are safe in files of other tools.

use std::collections::HashMap;

/// Maximum length of a name, in bytes, including its unique suffix.
const MAX_NAME: usize = 120;

/// Returns the first line of a text, at most `max` bytes.
pub fn shortened(text: &str, max: usize) -> &str {
    let mut end = text.len().min(max);
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or_default()
}

/// Returns a text as one word: letters and digits of any script, `_` and `-`; other characters become `_`.
pub fn word(text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let word: String = shortened(text, MAX_NAME).chars().map(plain).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

/// Names in use within one scope, and how often each was requested.
#[derive(Debug, Default)]
pub struct UsedNames(HashMap<String, u32>);

impl UsedNames {
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
    fn names_are_unique_words() {
        let mut taken = UsedNames::default();
        let names = ["a b", "a_b", "a.b", "a_b_2", "", "\u{1F980}$end", "\u{65E5}\u{672C}"];
        let names: Vec<_> = names.map(|name| taken.unique(word(name))).into();
        let unique = ["a_b", "a_b_2", "a_b_3", "a_b_2_2", "_", "__end", "\u{65E5}\u{672C}"];
        assert_eq!(names, unique);
        assert_eq!(word(&"\u{65E5}".repeat(100)).len(), MAX_NAME);
    }
}
