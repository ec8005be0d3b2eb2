//! Compares two groups of recordings, A and B. The unit is the recording: each figure has one value per recording, because the
//! activations of one recording depend on each other.
//!
//! [`compare`] turns figures into rows with sizes, tests and verdicts. [`output`] writes them as text, JSON and Markdown.

mod adjust;
mod compare;
mod figure;
mod mann_whitney;
mod occurrence;
pub mod output;
mod shift;

pub use adjust::benjamini_hochberg;
pub use compare::{
    Comparison, Criteria, MIN_RECORDINGS, Row, Size, UnpairedSubject, Verdict, compare,
};
pub use figure::{Direction, Figure, Role};
pub use mann_whitney::{MannWhitney, mann_whitney};
pub use occurrence::fisher_exact;
pub use shift::{Shift, hodges_lehmann};
