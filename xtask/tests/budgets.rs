//! The converter keeps its budgets: instructions for each event, bytes of its output.

use std::process::Command;

use tband_programs::output;
use xtask::bench_host::{Bench, MAX_INSTRUCTIONS, MAX_PERFETTO_BYTES};
use xtask::workspace_root;

#[test]
fn the_converter_keeps_its_budgets() {
    if output(Command::new("valgrind").arg("--version")).is_err() {
        eprintln!("SKIPPED: no valgrind, the instruction budgets are NOT checked");
        return;
    }
    let bench = Bench::new(&workspace_root()).unwrap();
    let (counts, bytes) = bench.per_event().unwrap();
    for ((what, count), (_, budget)) in counts.iter().zip(MAX_INSTRUCTIONS) {
        assert!(*count <= budget, "{what}: {count} instructions an event, budget {budget}");
    }
    assert!(bytes <= MAX_PERFETTO_BYTES, "Perfetto: {bytes:.1} bytes an event");
}
