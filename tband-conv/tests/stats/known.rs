//! The load in a trace where a part of the time was not recorded; `tband-report --test numbers` tests the numbers.

use tband_conv::{Input, Options};
use tband_recordings::{Engine, TempFile, cases, project, trace_of};

/// A counter has no value for unknown except an impossible one: -1.
#[test]
fn perfetto_shows_where_the_load_is_unknown() {
    let Some(engine) = Engine::find() else { return };
    for between in ["stopped and started again", "lost"] {
        let case = format!("two seconds, with 23 seconds between them that were {between}");
        let path = project::path("tband-report/tests/numbers/stats/known.txt");
        let recording = cases::recording(&path, &case);
        let (trace, ..) = trace_of(&[Input::from_bytes("r", &recording)], &Options::default());
        let file = TempFile::new("load_in_a_gap", &trace);
        let rest = "from counter join counter_track t on t.id = track_id \
                    where t.name = 'Load of core 0' and ts >= 1.1e9 and ts < 23.9e9 order by ts";
        assert!(engine.rows(&file.0, "value", rest).is_empty(), "{between}");
        let rest = "from counter join counter_track t on t.id = track_id \
                    where t.name = 'Load of core 0' order by ts";
        let rows =
            engine.rows(&file.0, "cast(ts / 1000000 as int) || ' ' || cast(value as int)", rest);
        assert_eq!(rows, ["0 99", "1000 -1", "24000 99"], "{between}");
    }
}
