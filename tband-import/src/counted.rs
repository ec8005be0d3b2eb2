//! Numbers of things in messages.

use std::fmt::Display;

/// A number of things in words, such as "1 core" and "2 cores". `noun` is the word for one of them; that for several ends with an s
/// more.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn only_one_thing_is_singular() {
        let all = [0_u64, 1, 2, 21, 101].map(|count| counted(count, "name"));
        assert_eq!(all, ["0 names", "1 name", "2 names", "21 names", "101 names"]);
        assert_eq!(counted(-1_i64, "tick"), "-1 ticks");
    }
}
