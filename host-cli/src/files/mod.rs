//! Files, streams and folders: reading, writing, compression, and the effect of an interruption.

pub mod folder;
pub mod gzip;
pub mod input;
pub mod interrupt;
pub mod numbered;
pub mod output;
pub mod progress;
pub mod settings;
pub mod times;
pub mod walk;
pub mod zipped;
