//! Clock, frequency and order: recordings of one and of several timers, cores, inputs and starts.

mod align;
mod boards;
mod boots;
mod clock;
mod frequency;
mod halts;
mod initial;
mod long_sleeps;
mod merged;
mod pace;
mod restarts;
mod set_up;
mod several_cores;
mod ties;
