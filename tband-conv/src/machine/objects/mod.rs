//! Operations on the kernel's objects, and the tasks that wait for them.

pub(in crate::machine) mod call;
pub(in crate::machine) mod event_group;
pub(in crate::machine) mod mutex;
pub(in crate::machine) mod notify;
pub(in crate::machine) mod queue;
pub(in crate::machine) mod stream_buffer;
pub(in crate::machine) mod timer;
pub(in crate::machine) mod wait;
