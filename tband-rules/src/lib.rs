//! Rules for recordings: deadlines, jitter, load, stacks and order, as a file in TOML. Each rule is compiled to one SELECT over
//! the tables of `tband-tables`; its rows are judged, and the results are written for people, CI servers and pull requests.
//!
//! The crate opens no files, contains no engine and compiles to WebAssembly. No text makes it panic.

mod baseline;
mod bound;
mod error;
mod event;
mod judge;
mod learn;
mod metric;
pub mod output;
mod read;
mod rule;
mod sql;

pub use baseline::{BASELINE_VERSION, Baseline, BaselineError};
pub use error::Mistake;
pub use judge::{Coverage, Finding, RuleResult, Verdict, judge};
pub use learn::{LEARNED, Observations, learn};
pub use read::{VERSION, read};
pub use rule::{Check, Rule, Rules};
pub use sql::{COVERAGE, MetricQuery, NamedSubject, Statement, compile, measure, pattern};
