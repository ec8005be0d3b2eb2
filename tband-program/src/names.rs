//! Names of symbols as their language writes them.

/// Returns `app::LEVEL` for Rust, without its hash, and `Board::level` for C++; names of C stay unchanged.
#[must_use]
pub fn as_written(symbol: &str) -> String {
    addr2line::demangle_auto(symbol.into(), None).into_owned()
}

#[cfg(test)]
mod tests {
    use super::as_written;

    #[test]
    fn of_each_language() {
        for (symbol, written) in [
            ("level", "level"),
            ("_Z5level", "level"),
            ("_ZN5Board5levelE", "Board::level"),
            ("_ZN3app5LEVEL17h0123456789abcdefE", "app::LEVEL"),
            ("_RNvCs1234_3app5LEVEL", "app::LEVEL"),
            ("_ZN", "_ZN"),
        ] {
            assert_eq!(as_written(symbol), written);
        }
    }
}
