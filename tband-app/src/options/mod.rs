//! Options: what users set, and what that means for the converter.

mod asked;
pub mod values;
mod wanted;
mod window;

pub use asked::{Asked, Named, OPTIONS};
pub use wanted::Wanted;
pub use window::{Ends, SPAN, Window};
