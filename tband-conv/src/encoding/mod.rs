//! How the bytes of an input are written down: as they are, as text, compressed; and where text has a recording in it.

mod base64;
mod gunzip;
mod hex;
mod markers;
pub mod notation;
mod text;
mod text_width;

pub use base64::Base64Reader;
pub use hex::HexReader;
