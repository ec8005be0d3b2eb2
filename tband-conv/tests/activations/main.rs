//! Activations of tasks, interrupts and software timers: their times and the split of each.

mod corners;
mod locks;
mod releases;
mod set_up;
mod states;
mod timer_task;
