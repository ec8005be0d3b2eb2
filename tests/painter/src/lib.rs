//! An oracle for the activations that `tband-conv` finds.
//!
//! A simulated kernel with tasks, locks, queues, notifications, interrupts and up to three cores runs in small integer times
//! and records events. At each instant it *paints* one label for each task and each open interrupt into an array. It has
//! neither intervals nor a sweep over events, so the oracle shares no method with the code that it checks. The converter reads
//! the recording; each activation, each instant of each part, each sum and each hold of a lock must be equal.

pub mod canvas;
pub mod compare;
pub mod kernel;
mod lossy;
mod paint;
mod program;
pub mod random;
pub mod reported;
pub mod system;
pub mod trace;

pub use compare::Figures;
use kernel::Kernel;
use random::Random;
use system::Plan;
use trace::Losses;

/// The program of a seed after it has run, and the events that its recording lacks: none, for even seeds and for programs of
/// several cores. Frames report the losses of a core with its next event, when those of other cores have been judged without.
fn run(seed: u64) -> (Kernel, Option<Losses>) {
    let mut random = Random::new(seed);
    let plan = Plan::random(&mut random);
    let mut kernel = Kernel::new(plan, random);
    kernel.run();
    let mut random = Random::new(!seed);
    let losses =
        (seed % 2 == 1 && kernel.cores.len() == 1).then(|| Losses::random(&kernel, &mut random));
    (kernel, losses)
}

/// Simulates the program of a seed and compares.
///
/// # Errors
/// The first difference, in words.
pub fn check(seed: u64) -> Result<Figures, String> {
    let (kernel, losses) = run(seed);
    let recording = trace::recording(&kernel, &losses.clone().unwrap_or_default());
    let compared = match reported::find(&recording) {
        Ok(all) if losses.is_some() => lossy::compare(&kernel, &all),
        Ok(all) => compare::compare(&kernel, &all),
        Err(error) => Err(format!("the converter refuses the recording: {error}")),
    };
    compared.map_err(|it| format!("seed {seed}, {} cores: {it}", kernel.cores.len()))
}

/// The program of a seed and its events, one a line; those that are missing in the recording are marked.
#[must_use]
pub fn describe(seed: u64) -> String {
    let (kernel, losses) = run(seed);
    let losses = losses.unwrap_or_default();
    let mut text = format!("{:#?}\n", kernel.plan);
    for (place, (core, at, event)) in kernel.log.iter().enumerate() {
        let mark = if losses.has(place) { " MISSING" } else { "" };
        text += &format!("{at:5} core {core} {event:?}{mark}\n");
    }
    text
}
