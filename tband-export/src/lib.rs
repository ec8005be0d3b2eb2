//! Recordings as files of other tools: waveforms for GTKWave and Surfer ([`convert_to_vcd`], [`convert_to_fst`]), traces
//! for impulse ([`convert_to_flux`]), frames for QSPY ([`convert_to_qs`]), and the time of tasks and interrupts for speedscope ([`convert_to_speedscope`])
//! and for viewers of Chrome's trace events ([`convert_to_chrome`]), and activations for timing tools ([`convert_to_btf`]).
//!
//! Each reads its inputs again and again, as [`convert()`](tband_conv::convert()) does, and writes a stream, so memory grows
//! with the number of objects on the target, not with the length of the recording. Times are in nanoseconds of the
//! target's clock; where its frequency is not known they are ticks, and the file contains that. The window of the options applies. No input makes them panic.

mod btf;
mod by_id;
mod chrome;
mod decimal;
mod delimited_number;
mod flux;
mod fst;
mod line;
mod names;
mod qs;
mod signals;
mod speedscope;
mod spool;
mod stacks;
mod text;
mod vcd;

pub use btf::convert_to_btf;
pub use chrome::convert_to_chrome;
pub use flux::{Compression, FluxOptions, FluxVersion, convert_to_flux};
pub use fst::convert_to_fst;
pub use qs::convert_to_qs;
pub use speedscope::convert_to_speedscope;
pub use spool::Spool;
pub use vcd::convert_to_vcd;

/// Text in files where the timer's frequency is unknown.
const TICKS: &str = "times are ticks of a timer of unknown frequency, each shown as 1 ns";

/// Returns the text about the program that writes files, and the unit of their times unless it is nanoseconds.
fn exporter(are_times_ticks: bool) -> String {
    let program = concat!("tband ", env!("CARGO_PKG_VERSION"));
    if are_times_ticks { format!("{program}; {TICKS}") } else { program.to_owned() }
}

/// Returns the options for formats without arrows: computing flows would be useless.
fn without_flows(options: &tband_conv::Options) -> tband_conv::Options {
    let mut options = options.clone();
    options.flows = tband_conv::model::Flows::None;
    options
}
