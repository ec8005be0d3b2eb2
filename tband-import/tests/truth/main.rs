//! Imported recordings against independent logs of what happened: each switch, each task that becomes ready, each interrupt.
//!
//! The logs are of a second logger in the same program, with a call beside each trace macro of the kernel. Their times are those
//! of the same counter, and differ from the recorder's by a constant and by the time between the two hooks.

mod alike;
mod compare;
mod linux_made;
mod made;
mod percepio;
mod percepio_made;
#[path = "../support/mod.rs"]
mod support;
mod systemview;
mod systemview_made;
