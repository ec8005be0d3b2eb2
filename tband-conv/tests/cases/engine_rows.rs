//! Rows of queries by Perfetto's own engine.

use std::cell::RefCell;

use tband_conv::sinks::{Interrupts, Perfetto};
use tband_conv::{Options, convert};
use tband_recordings::cases::{Case, CaseFile, Section};
use tband_recordings::{Engine, TempFile, agrees};

/// A trace, and what its queries gave: their names and rows.
#[derive(Default)]
struct Answers {
    trace: String,
    rows: Vec<(String, String)>,
}

thread_local! {
    /// One run of the engine answers all queries of a trace, since each takes its time.
    static LAST: RefCell<Answers> = RefCell::default();
}

/// Returns the rows of the query that a section names; `None` without the engine. The engine also checks what every trace must
/// fulfil.
pub fn rows(file: &CaseFile, case: &Case, options: &Options, section: &Section) -> Option<String> {
    let engine = Engine::find()?;
    let chosen = ["interrupts", "flows"].map(|name| section.value(name));
    let interrupts = match chosen[0] {
        None => Interrupts::Cpu,
        Some("rows") => Interrupts::Rows,
        Some(other) => panic!("{}: unknown interrupts {other}", case.name),
    };
    LAST.with_borrow_mut(|last| {
        let trace =
            format!("{}-{chosen:?}", case.name).replace(|it: char| !it.is_alphanumeric(), "-");
        if last.trace != trace {
            let queries: Vec<_> = case
                .sections
                .iter()
                .filter(|it| it.kind == "perfetto")
                .filter(|it| ["interrupts", "flows"].map(|name| it.value(name)) == chosen)
                .map(|it| query(file, it))
                .collect();
            let mut sink = Perfetto::new(Vec::new()).with_interrupts(interrupts);
            convert(&case.inputs(), options, &mut sink).unwrap();
            let written = TempFile::new(&format!("case-{trace}.pftrace"), &sink.into_inner());
            *last = Answers { trace, rows: engine.check(&written.0, &queries) };
        }
        let (name, ..) = query(file, section);
        let rows = last.rows.iter().filter(|row| row.0 == name);
        Some(rows.map(|(_, text)| format!("{text}\n")).collect())
    })
}

/// Checks by the engine that times on cores and levels of queues in the trace are those of the timeline; `None` without it.
pub fn agree(case: &Case, options: &Options) -> Option<String> {
    let name = format!("agrees-{}", case.name.replace(' ', "-"));
    agrees::check(&Engine::find()?, &name, &case.inputs(), options, &[]);
    Some(String::new())
}

/// Name, column and rest of a section's query.
fn query<'f>(file: &'f CaseFile, section: &'f Section) -> (&'f str, &'f str, &'f str) {
    let name = section.words.first().expect("the name of a query");
    let (column, rest) = file.queries.get(name).unwrap_or_else(|| panic!("no query {name}"));
    (name, column, rest)
}
