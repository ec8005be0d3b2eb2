//! The queries in the guide for Perfetto's tables give the documented results for a recording of Tonbandgerät.

use std::path::Path;

use tband_conv::model::Flows;
use tband_conv::sinks::{Perfetto, PerfettoWithActivations, RawEvents};
use tband_conv::{Input, Options, convert};
use tband_recordings::{Engine, TempFile, vector};

/// Queries in tables, between backticks, and those that are indented.
fn queries(guide: &str) -> Vec<String> {
    let in_tables = guide
        .lines()
        .filter(|line| line.starts_with('|'))
        .flat_map(|line| line.split('`').filter(|part| part.starts_with("select ")))
        .map(str::to_owned);
    let mut all: Vec<String> = in_tables.collect();
    let mut open = false;
    for line in guide.lines() {
        match line.strip_prefix("    ") {
            Some(line) if line.starts_with("select ") => {
                all.push(line.to_owned());
                open = true;
            }
            Some(line) if open => {
                let query = all.last_mut().unwrap();
                query.push(' ');
                query.push_str(line.trim());
            }
            _ => open = false,
        }
    }
    all
}

#[test]
fn queries_of_the_guide_find_something() {
    let Some(engine) = Engine::find() else { return };
    let bytes = vector("freertos_sim.bin");
    // It has no losses.
    let lost = tband_recordings::Recording(bytes)
        .at(1 << 40, tband_format::Event::DroppedEvtCnt { cnt: 3 });
    let mut options = Options::default();
    let events = RawEvents::new(Perfetto::new(Vec::new()));
    let mut sink = PerfettoWithActivations::new(events, options.flows);
    options.flows = Flows::All;
    convert(&[Input::from_bytes("r", &lost.0)], &options, &mut sink).unwrap();
    let trace = TempFile::new("guide.pftrace", &sink.into_inner().into_trace().into_inner());
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/guide");
    for (page, least) in [("start/tonbandgeraet.md", 5), ("viewing/perfetto.md", 3)] {
        let guide = std::fs::read_to_string(docs.join(page)).unwrap();
        let queries = queries(&guide);
        assert!(queries.len() >= least, "{page}: {queries:?}");
        let count = |query: &String| format!("select (select count(*) from ({query})) as n");
        let counts: Vec<_> = queries.iter().map(count).collect();
        let found = engine.rows(&trace.0, "n", &format!("from ({})", counts.join(" union all ")));
        assert_eq!(found.len(), queries.len());
        for (query, found) in queries.iter().zip(found) {
            assert_ne!(found, "0", "{page}: {query}");
        }
    }
}
