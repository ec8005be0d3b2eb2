//! Tables: many recordings in one folder of them, and questions to them.

pub mod ingest;
pub mod query;
