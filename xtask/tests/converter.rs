//! Properties of the converter, on recordings of simulated targets.

use tband_conv::{Input, Options, Summary, convert, sinks::TimelineText};
use xtask::generate::{self, split, stream};

fn recording(options: &generate::Options) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream(options, &mut bytes).unwrap();
    bytes
}

fn text(inputs: &[Input<'_>], options: &Options) -> (Vec<String>, Summary) {
    let mut sink = TimelineText::new(Vec::new());
    let summary = convert(inputs, options, &mut sink).unwrap();
    let text = String::from_utf8(sink.into_inner()).unwrap();
    (text.lines().map(str::to_owned).collect(), summary)
}

/// One stream with the events of all cores, and one file a core, tell the same.
#[test]
fn split_and_merged_recordings_are_one() {
    for seed in 1..6 {
        let options =
            generate::Options { size: 60_000, cores: 3, seed, loss_every: 0, ..Default::default() };
        let merged = recording(&options);
        let files = split(&options);
        let (mut whole, summary) = text(&[Input::from_bytes("m", &merged)], &Options::default());
        assert!(summary.diagnostics.is_clean());
        let inputs: Vec<_> = (0..)
            .zip(&files)
            .map(|(core, bytes)| Input::from_bytes(format!("{core}"), bytes).on_core(core))
            .collect();
        let (mut parts, _) = text(&inputs, &Options::default());
        // What happens at the same time on several cores has no order.
        whole.sort();
        parts.sort();
        assert!(whole == parts, "seed {seed}");
    }
}

/// A core that is silent for long neither stalls the others nor loses their events, and files may end
/// at different times.
#[test]
fn silent_cores_and_short_files_lose_nothing() {
    let options =
        generate::Options { size: 400_000, cores: 2, seed: 3, loss_every: 0, ..Default::default() };
    let files = split(&options);
    let half = files[1].len() / 2;
    let cut = half + files[1][half..].iter().position(|byte| *byte == 0).unwrap() + 1;
    // All of core 0 between the two halves of core 1, in one stream.
    let core = |id: u8| if id == 0 { vec![1, 1, 1, 1, 0] } else { vec![1, 1, 2, id, 0] };
    let stream =
        [&core(1), &files[1][..cut], &core(0), &files[0], &core(1), &files[1][cut..]].concat();
    let apart = [Input::from_bytes("0", &files[0]), Input::from_bytes("1", &files[1]).on_core(1)];
    let (mut expected, expected_summary) = text(&apart, &Options::default());
    expected.sort();
    let mut options = Options::default();
    for window in [None, Some(20_000)] {
        options.window = window;
        let (mut lines, summary) = text(&[Input::from_bytes("s", &stream)], &options);
        // The three core_id events.
        assert_eq!(summary.events, expected_summary.events + 3, "{window:?}");
        lines.sort();
        if window.is_none() {
            assert!(lines == expected);
        }
    }
    // Of different lengths.
    let short =
        [Input::from_bytes("0", &files[0]), Input::from_bytes("1", &files[1][..cut]).on_core(1)];
    let (lines, summary) = text(&short, &Options::default());
    assert!(summary.diagnostics.is_clean());
    let of_core_0 =
        |lines: &[String]| lines.iter().filter(|line| line[13..].starts_with("0 ")).count();
    assert_eq!(of_core_0(&lines), of_core_0(&expected));
}

/// Browsers run it. `cargo xtask lint` asks the same.
#[test]
fn it_compiles_to_webassembly() {
    xtask::lint::web(&xtask::workspace_root()).unwrap_or_else(|error| panic!("{error:#}"));
}
