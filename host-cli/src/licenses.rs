//! `licenses`: the notices that the licences of packages in this program require.

use crate::Outcome;
use crate::output::print;

/// As `cargo xtask licenses` writes them.
const NOTICES: &str = include_str!("../NOTICES.txt");

/// Prints them.
pub fn run() -> anyhow::Result<Outcome> {
    print(NOTICES.as_bytes())?;
    Ok(Outcome::Clean)
}
