//! Frameworks of active objects: QP with its trace QS, and RKH.

mod actor;
mod actors;
mod clock;
mod frame;
mod frames;
mod qs;
mod recognise;
mod rkh;

pub use qs::Qs;
pub use recognise::recognise;
pub use rkh::Rkh;
