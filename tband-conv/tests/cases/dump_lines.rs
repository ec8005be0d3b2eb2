//! Lines of dumps, with single spaces between the columns.

use tband_conv::Input;
use tband_conv::clock::moment::Moment;
use tband_conv::dump::{DumpFormat, DumpOptions, ObjectSelector, dump};
use tband_recordings::cases::{Case, Section};

/// Returns the lines of a dump: in JSON after the word `json`, merged with an empty one after `merged`, of what the other words
/// choose.
pub fn lines(case: &Case, section: &Section) -> String {
    let number = |name: &str| section.value(name).map(|it| it.parse().unwrap());
    let object = |name: &str| {
        section.value(name).map(|it| match it.parse() {
            Ok(id) => ObjectSelector::Id(id),
            Err(_) => ObjectSelector::Name(it.to_owned()),
        })
    };
    let has = |name: &str| section.words.iter().any(|word| word == name);
    let wanted = DumpOptions {
        task: object("task"),
        queue: object("queue"),
        core: section.value("core").map(|it| it.parse().unwrap()),
        from: number("from_ns").map(Moment::Ns),
        to: number("to_ns").map(Moment::Ns),
        tick_rate: section.value("tick_rate").map(|it| it.parse().unwrap()),
        limit: number("limit"),
        events: section.value("event").map(str::to_owned).into_iter().collect(),
        ..DumpOptions::of(if has("json") { DumpFormat::Json } else { DumpFormat::Text })
    };
    let (mut inputs, mut out) = (case.inputs(), Vec::new());
    if has("merged") && inputs.len() == 1 {
        inputs.push(Input::from_bytes("empty", b"").on_core(1));
    }
    dump(&inputs, wanted, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let spaced = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    text.lines().map(spaced).collect()
}
