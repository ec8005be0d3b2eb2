//! The recorder's budgets on a Cortex-M4F: instructions, bytes, flash, RAM, stack. Counted in QEMU, so
//! the numbers do not depend on the machine; `cargo xtask bench target` prints the same tables.

use xtask::bench_target::{Figure, measure};
use xtask::workspace_root;

#[test]
fn every_figure_is_within_its_budget() {
    let report = measure(&workspace_root()).unwrap_or_else(|error| panic!("{error:#}"));
    println!("{}", report.table());
    let over: Vec<_> = report
        .figures
        .iter()
        .chain(&report.packets)
        .chain(&report.metadata)
        .chain(report.cores.iter().flat_map(|core| &core.figures))
        .filter(|figure| !figure.is_within_budget())
        .map(|figure| format!("{}: {} of {}", figure.name, figure.value, figure.budget))
        .collect();
    assert!(over.is_empty(), "over budget: {over:#?}\n{}", report.table());
    // A bracket round nothing, or a run that measured nothing, must not pass for a fast recorder.
    let measured = |figure: &Figure| figure.value > 0.0 || figure.budget == 0.0;
    assert!(
        (report.figures.iter())
            .chain(&report.packets)
            .chain(&report.metadata)
            .chain(report.cores.iter().flat_map(|core| &core.figures))
            .all(measured),
        "{}",
        report.table()
    );
    for pair in report.growth.windows(2) {
        assert!(pair[0].bytes <= pair[1].bytes && pair[0].instructions <= pair[1].instructions);
    }
}
