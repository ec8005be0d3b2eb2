//! Files, streams and folders: how they are read, written, compressed, and what an interruption leaves of them.

pub mod folder;
pub mod gzip;
pub mod input;
pub mod interrupt;
pub mod numbered;
pub mod output;
pub mod progress;
pub mod times;
