//! Questions and their answers, against the rows that tables have; the transcripts of `tband-cli` have answers and mistakes.

use tband_conv::{Input, Options};
use tband_format::Event;
use tband_query::{Layout, Query, QueryError};
use tband_recordings::{frame, str, two_tasks};
use tband_tables::RecordingInfo;

fn about() -> RecordingInfo {
    RecordingInfo { recording: "r".into(), file: "r.bin".into(), bytes: None }
}

fn answer(query: &mut Query, layout: Layout) -> Result<String, QueryError> {
    let mut out = Vec::new();
    let rows = query.ask(layout, &mut out)?;
    let text = String::from_utf8(out).unwrap();
    let head = usize::from(layout == Layout::Csv) + 2 * usize::from(layout == Layout::Text);
    assert_eq!(text.lines().count(), rows as usize + head, "{text}");
    Ok(text)
}

fn markers() -> Vec<u8> {
    let mut recording = two_tasks().at(1, Event::TaskSwitchedIn { task_id: 1 });
    for (at, val) in [(2, 5), (3, -7), (4, i64::MAX), (5, i64::MIN), (6, 5)] {
        recording = recording.at(at, Event::Valmarker { valmarker_id: 6, val });
    }
    recording.at(7, Event::Evtmarker { evtmarker_id: 5, msg: str("a text") }).0
}

#[test]
fn a_query_stops_on_request() {
    let without_end =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
    let mut query = Query::prepare(without_end).unwrap();
    let mut looks = 0;
    let is_over = move || {
        looks += 1;
        looks > 3
    };
    query.stop_when(is_over).unwrap();
    let answer = answer(&mut query, Layout::Text);
    assert!(
        matches!(&answer, Err(QueryError::Engine(text)) if text == "interrupted"),
        "{answer:?}"
    );
}

/// Several recordings have their rows beside each other.
#[test]
fn the_recording_column_distinguishes_recordings() {
    let mut query = Query::prepare("SELECT recording, count(*) FROM events GROUP BY 1").unwrap();
    let more = [markers(), frame(80, Event::Valmarker { valmarker_id: 6, val: 1 })].concat();
    for (name, bytes) in [("one", markers()), ("two", more)] {
        let about = RecordingInfo { recording: name.into(), ..RecordingInfo::default() };
        query.add(&[Input::from_bytes(name, &bytes)], &Options::default(), &about).unwrap();
    }
    let text = answer(&mut query, Layout::Csv).unwrap();
    let counts: Vec<u64> =
        text.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(counts[1], counts[0] + 1, "{text}");
}

#[cfg(feature = "parquet")]
mod stored {
    use std::fs::{self, File};
    use std::path::Path;

    use proptest::prelude::*;
    use tband_recordings::inputs::{random, vectors};
    use tband_recordings::random::config;
    use tband_tables::{Dataset, Origin, TABLES, TableSchema, convert_to_tables};

    use super::*;

    fn of_folder(sql: &str, folder: &Path) -> String {
        let mut query = Query::prepare(sql).unwrap();
        query.add_folder(folder).unwrap();
        answer(&mut query, Layout::Json).unwrap()
    }

    /// Compares every row of every table, both ways.
    fn same_rows(inputs: &[Input<'_>], options: &Options) {
        let folder = tempfile::tempdir().unwrap();
        let mut create = |table: &'static TableSchema| {
            let path = folder.path().join(format!("{}.parquet", table.name));
            Ok(Some(Box::new(File::create(path)?) as tband_tables::BoxFile))
        };
        let written = convert_to_tables(inputs, options, &about(), &mut create);
        let mut rows = 0;
        for table in TABLES {
            let sql = format!("SELECT * FROM {} ORDER BY rowid", table.name);
            let mut query = Query::prepare(&sql).unwrap();
            let added = query.add(inputs, options, &about());
            assert_eq!(added.is_ok(), written.is_ok());
            if written.is_err() {
                return;
            }
            let direct = answer(&mut query, Layout::Json).unwrap();
            assert_eq!(of_folder(&sql, folder.path()), direct, "{}", table.name);
            let one = table.columns[table.columns.len() - 1].name;
            let sql = format!("SELECT {one} FROM {} ORDER BY rowid", table.name);
            assert_eq!(of_folder(&sql, folder.path()).lines().count(), direct.lines().count());
            rows += direct.lines().count();
        }
        assert!(rows > 0);
    }

    #[test]
    fn tables_give_the_rows_that_recordings_give() {
        vectors(|inputs| same_rows(inputs, &Options::default()));
    }

    proptest! {
        #![proptest_config(config(12))]
        #[test]
        fn of_random_recordings_too(recording in random(|_| true)) {
            recording.check(same_rows);
        }
    }

    #[test]
    fn a_folder_of_many_has_devices_and_days_and_whole_recordings_only() {
        let folder = tempfile::tempdir().unwrap();
        let fleet = folder.path().join("fleet");
        for (index, device) in ["pump 7", "valve/ü", ""].iter().enumerate() {
            let more = frame(80 + index as u64, Event::Valmarker { valmarker_id: 6, val: 1 });
            let bytes = [markers(), more].concat();
            let file = folder.path().join(format!("{index}.bin"));
            fs::write(&file, &bytes).unwrap();
            // Earlier versions took a device without a name.
            let (device, date) = (device.to_string(), "2026-11-24".to_owned());
            let origin = Origin { device, date };
            let dataset = Dataset::open(&fleet).unwrap();
            let inputs = [Input::from_bytes("r", &bytes)];
            dataset.add(&file, &origin, (&inputs, &Options::default())).unwrap();
        }
        let sql = "SELECT device, date, count(*) AS n FROM events JOIN recordings USING (recording, device, date) \
                   WHERE file != '2.bin' GROUP BY 1, 2 ORDER BY 1";
        let rows = of_folder(sql, &fleet);
        let rows: Vec<_> = rows.lines().collect();
        assert_eq!(rows.len(), 2);
        assert!(
            rows[0].starts_with("{\"device\":\"pump 7\",\"date\":\"2026-11-24\",\"n\":"),
            "{rows:?}"
        );
        assert!(rows[1].starts_with("{\"device\":\"valve/ü\","), "{rows:?}");
        let devices = "SELECT DISTINCT device FROM events ORDER BY device";
        assert_eq!(of_folder(devices, &fleet).lines().next(), Some("{\"device\":null}"));
        // One whose adding has ended in the middle.
        let recordings = fleet.join("recordings/device=pump%207");
        fs::remove_dir_all(recordings).unwrap();
        assert!(!of_folder(devices, &fleet).contains("pump"));
        // A path without tables gives an error.
        let query = Query::prepare(devices).unwrap();
        let error = query.add_folder(folder.path()).unwrap_err().to_string();
        assert!(error.contains("has no tables of recordings"), "{error}");
        let broken = fleet.join("events/device=valve%2F%C3%BC/date=2026-11-24");
        let broken = fs::read_dir(broken).unwrap().next().unwrap().unwrap().path();
        let whole = fs::read(&broken).unwrap();
        for bytes in [&b"PAR1"[..], &whole[..whole.len() / 2], b""] {
            fs::write(&broken, bytes).unwrap();
            let error = Query::prepare(devices).unwrap().add_folder(&fleet).unwrap_err();
            assert!(format!("{error:#}").contains(".parquet"), "{error:#}");
        }
    }
}
