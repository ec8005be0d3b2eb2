//! Tables: many recordings in one folder of them, and questions to them.

#[cfg(feature = "query")]
pub mod fill;
pub mod ingest;
pub mod query;
#[cfg(feature = "query")]
pub mod rows;
