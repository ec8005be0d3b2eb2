//! Tables of recordings, questions to them, and rules.

#[cfg(feature = "query")]
mod assert;
#[cfg(feature = "query")]
mod diff;
#[cfg(feature = "parquet")]
mod ingest;
#[cfg(feature = "query")]
mod query;
#[path = "../support/mod.rs"]
mod support;
