//! Tables of recordings, and questions to them.

#[cfg(feature = "parquet")]
mod ingest;
#[cfg(feature = "query")]
mod query;
#[path = "../support/mod.rs"]
mod support;
