//! The recorder's budgets on a Cortex-M4F: instructions, bytes, flash, RAM, stack. Counted in QEMU, so
//! the numbers do not depend on the machine; `cargo xtask bench target` prints the same tables.

use xtask::bench_target::{Figure, class_costs, class_table, compilers, measure};
use xtask::cost_page::CostPage;
use xtask::workspace_root;

#[test]
fn every_figure_is_within_its_budget_and_on_its_page() {
    let report = measure(&workspace_root()).unwrap_or_else(|error| panic!("{error:#}"));
    // The whole table would hide the reason in a long log.
    let over = report.over_budget();
    assert!(over.is_empty(), "over budget: {over}");
    // A bracket round nothing, or a run that measured nothing, must not pass for a fast recorder.
    let measured = |figure: &Figure| figure.value > 0.0 || figure.budget == 0.0;
    let unmeasured = report.all().find(|figure| !measured(figure));
    assert!(unmeasured.is_none(), "nothing measured: {unmeasured:?}");
    for pair in report.growth.windows(2) {
        assert!(pair[0].bytes <= pair[1].bytes && pair[0].instructions <= pair[1].instructions);
    }
    let page = CostPage::read(&workspace_root()).unwrap_or_else(|error| panic!("{error:#}"));
    let (named, here) = (page.compilers().unwrap(), compilers().unwrap());
    if named != here {
        eprintln!(
            "SKIPPED: the tables of the page are for {named}, which is not compared with {here}"
        );
        return;
    }
    let classes = class_table(&class_costs(&workspace_root()).unwrap());
    let tables = [report.tables(), vec![classes]].concat();
    page.ensure_has(&tables).unwrap_or_else(|error| panic!("{error:#}"));
}
