//! `examples/sensor-pipeline`, which `cargo xtask demo` runs: its mistakes are found, each once and by name.

use std::path::Path;

use tband_conv::sinks::Stats;
use tband_report::highlights::{Highlight, highlights};
use tband_tests::archive;
use tempfile::TempDir;
use xtask::demo::{Backend, Format, record_pipeline, to_perfetto};
use xtask::workspace_root;

/// The findings that do not depend on the load of this machine: ticks of the POSIX port come late then, and by the kernel's ticks
/// a period may be missed.
fn mistakes(stats: &Stats) -> Vec<Highlight> {
    let mut found = highlights(stats);
    found.retain(|it| !["late-ticks", "missed-period"].contains(&it.id));
    found
}

fn check(how: (Backend, Format), library: Option<&Path>) {
    let root = workspace_root();
    let out = TempDir::new().expect("a temporary folder");
    let build = root.join("target/test-pipeline").join(crate::name(how));
    let trace = record_pipeline(&root, &build, out.path(), how, library, false)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let stats = to_perfetto(&trace, &out.path().join("trace.pftrace"))
        .unwrap_or_else(|error| panic!("{error:#}"));
    let found = mistakes(&stats);
    let [inversion, stack, load] = &found[..] else { panic!("three are to be found: {found:?}") };
    assert_eq!(
        [inversion.title, stack.title, load.title],
        ["priority inversion", "stack low", "load"]
    );
    assert!(inversion.means.starts_with("control (priority 5) waited "), "{inversion:?}");
    assert!(inversion.means.contains(" for bus, held by logger (priority 1); "), "{inversion:?}");
    assert_eq!(stats.inversions().map(|it| it.count).sum::<u64>(), 1);
    assert_eq!(stack.means, "logger has 72 bytes of its stack left, at the least");
    assert!(load.means.starts_with("core 0 is busy "), "{load:?}");
    println!("{}", load.means);
}

#[test]
fn the_pipeline_streams_its_mistakes() {
    // As users have it: cargo builds the library.
    check((Backend::Streaming, Format::Packets), None);
}

#[test]
fn a_snapshot_has_the_pipelines_mistakes() {
    for format in [Format::Packets, Format::Frames] {
        check((Backend::Snapshot, format), Some(archive()));
    }
}

#[test]
fn the_mended_pipeline_has_no_inversion() {
    let root = workspace_root();
    let out = TempDir::new().expect("a temporary folder");
    let build = root.join("target/test-pipeline/mended");
    let how = (Backend::Streaming, Format::Packets);
    let trace = record_pipeline(&root, &build, out.path(), how, Some(archive()), true)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let stats = to_perfetto(&trace, &out.path().join("trace.pftrace"))
        .unwrap_or_else(|error| panic!("{error:#}"));
    let found = mistakes(&stats);
    let titles: Vec<_> = found.iter().map(|it| it.title).collect();
    assert_eq!(titles, ["stack low", "load"], "{found:?}");
}
