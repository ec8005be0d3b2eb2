//! The converter keeps its budgets: instructions for each event, bytes of its output.

use std::process::Command;

use tband_programs::output;
use xtask::bench_host::{Bench, MAX_PACKET_BYTES, MAX_PERFETTO_BYTES, Wire};
use xtask::workspace_root;

#[test]
fn the_converter_keeps_its_budgets() {
    if output(Command::new("valgrind").arg("--version")).is_err() {
        eprintln!("SKIPPED: no valgrind, the instruction budgets are NOT checked");
        return;
    }
    let bench = Bench::new(&workspace_root()).unwrap();
    let costs = [Wire::Frames, Wire::Packets].map(|wire| {
        let cost = bench.per_event(wire).unwrap();
        for ((what, count), (_, budget)) in cost.instructions.iter().zip(wire.budgets()) {
            assert!(
                count <= budget,
                "{wire:?}, {what}: {count} instructions an event, budget {budget}"
            );
        }
        let bytes = cost.perfetto_bytes;
        assert!(bytes <= MAX_PERFETTO_BYTES, "{wire:?}, Perfetto: {bytes:.1} bytes an event");
        cost
    });
    let [_, packets] = costs;
    assert!(packets.bytes <= MAX_PACKET_BYTES, "{:.1} bytes an event", packets.bytes);
}
