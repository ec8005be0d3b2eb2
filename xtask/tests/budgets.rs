//! The converter keeps its budgets: instructions for each event, bytes of its output.

use std::process::Command;

use tband_programs::output;
use xtask::bench_exports;
use xtask::bench_host::{self, Bench, MAX_PACKET_BYTES, MAX_PERFETTO_BYTES, Wire};
use xtask::cost_page::CostPage;
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
        assert_eq!(
            cost.over(),
            [""; 0],
            "{wire:?}: instructions an event, and the most there may be"
        );
        let bytes = cost.perfetto_bytes;
        assert!(bytes <= MAX_PERFETTO_BYTES, "{wire:?}, Perfetto: {bytes:.1} bytes an event");
        cost
    });
    let [frames, packets] = costs;
    assert!(packets.bytes <= MAX_PACKET_BYTES, "{:.1} bytes an event", packets.bytes);

    let page = CostPage::read(&workspace_root()).unwrap();
    let measured = bench_host::table(&frames, &packets);
    println!("{}", measured.text);
    let written = page.table(measured.name).unwrap();
    if is_of_this_compiler(&page) {
        assert_are_the_same(cells(&measured.text), cells(written));
    }
}

/// Tables are written by another build of the program, and memory takes long to measure: `cargo xtask bench host` does
/// both.
#[test]
fn exports_keep_their_budgets() {
    if output(Command::new("valgrind").arg("--version")).is_err() {
        eprintln!("SKIPPED: no valgrind, the instruction budgets of exports are NOT checked");
        return;
    }
    let exports = Bench::new(&workspace_root()).unwrap().exports(false).unwrap();
    assert_eq!(exports.len(), 10);
    let over: Vec<_> = exports.iter().filter(|it| it.instructions > it.most).collect();
    assert!(over.is_empty(), "{over:?}");
    let page = CostPage::read(&workspace_root()).unwrap();
    if !is_of_this_compiler(&page) {
        return;
    }
    let measured = bench_exports::table(&exports);
    println!("{}", measured.text);
    let rows = page.table(measured.name).unwrap().lines();
    let without_memory = |row: &str| row.rsplit_once(" | ").unwrap_or_default().0.to_owned();
    let written: Vec<_> =
        rows.filter(|row| !row.contains("`parquet`")).map(without_memory).collect();
    let measured: Vec<_> = measured.text.lines().map(without_memory).collect();
    assert_are_the_same(cells(&measured.join("\n")), cells(&written.join("\n")));
}

/// Processor time depends on the machine: `cargo xtask bench host` measures it as well.
#[test]
fn importers_keep_their_budgets() {
    if output(Command::new("valgrind").arg("--version")).is_err() {
        eprintln!("SKIPPED: no valgrind, the instruction budgets of importers are NOT checked");
        return;
    }
    let root = workspace_root();
    let importers = Bench::new(&root).unwrap().importers(&root, false).unwrap();
    assert_eq!(importers.len(), 6);
    let over: Vec<_> = importers.iter().filter(|it| it.is_over()).collect();
    assert!(over.is_empty(), "{over:?}");
    importers.iter().for_each(|it| println!("{}: {}", it.name, it.line()));
}

/// Whether the page has the numbers of this compiler.
fn is_of_this_compiler(page: &CostPage) -> bool {
    let compilers = page.compilers().unwrap();
    let is_this = compilers.split(' ').nth(1) == Some(&rustc());
    if !is_this {
        eprintln!("SKIPPED: the page is for {compilers}, its table is not compared");
    }
    is_this
}

/// But for the C library, which takes other instructions on another CPU.
#[track_caller]
fn assert_are_the_same(measured: Vec<&str>, written: Vec<&str>) {
    assert_eq!(measured.len(), written.len(), "{measured:?} {written:?}");
    for (measured, written) in measured.iter().zip(&written) {
        let same = match (measured.parse::<f64>(), written.parse::<f64>()) {
            (Ok(measured), Ok(written)) => {
                (measured - written).abs() <= f64::max(2.0, written * 0.02)
            }
            _ => measured == written,
        };
        assert!(same, "{measured}, not {written}: `cargo xtask bench host --docs` writes the page");
    }
}

fn cells(table: &str) -> Vec<&str> {
    table.lines().flat_map(|line| line.split('|').map(str::trim)).collect()
}

/// Version of the compiler, without its last number.
fn rustc() -> String {
    let printed = output(Command::new("rustc").arg("--version")).unwrap().stdout;
    let printed = String::from_utf8(printed).unwrap();
    let version = printed.split(' ').nth(1).unwrap();
    version.rsplit_once('.').unwrap().0.to_owned()
}
