//! Questions and their answers: by hand, against the rows that tables have, and mistakes.

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

/// Runs a query on a recording.
fn run_query(sql: &str, bytes: &[u8], layout: Layout) -> Result<String, QueryError> {
    let mut query = Query::prepare(sql)?;
    query.add(&[Input::from_bytes("r", bytes)], &Options::default(), &about()).unwrap();
    answer(&mut query, layout)
}

fn markers() -> Vec<u8> {
    let mut recording = two_tasks().at(1, Event::TaskSwitchedIn { task_id: 1 });
    for (at, val) in [(2, 5), (3, -7), (4, i64::MAX), (5, i64::MIN), (6, 5)] {
        recording = recording.at(at, Event::Valmarker { valmarker_id: 6, val });
    }
    let text = "say \"a\", \u{1b}[2J\u{9b}ä";
    recording.at(7, Event::Evtmarker { evtmarker_id: 5, msg: str(text) }).0
}

#[test]
fn integers_have_all_their_digits() {
    let sql = "SELECT ns, value, median(value) OVER () IS NULL AS x FROM levels";
    assert!(run_query(sql, &markers(), Layout::Csv).is_err(), "it is not a function of windows");
    let sql = "SELECT ns, value FROM levels WHERE object_kind = 'value marker'";
    let rows = "20,5\n30,-7\n40,9223372036854775807\n50,-9223372036854775808\n60,5\n";
    assert_eq!(run_query(sql, &markers(), Layout::Csv).unwrap(), format!("ns,value\n{rows}"));
    let sql = "SELECT median(value) AS m, percentile(value, 0) AS low, percentile(value, 100) AS high, \
               quantile_disc(value, 0.4) AS q, median(value + 0.5) AS r, median(NULL) AS none FROM levels \
               WHERE object_kind = 'value marker' AND abs(value / 2) < 4";
    let row = "{\"m\":5,\"low\":-7,\"high\":5,\"q\":5,\"r\":5.5,\"none\":null}\n";
    assert_eq!(run_query(sql, &markers(), Layout::Json).unwrap(), row);
}

/// As in dumps and numbers; the engine has no NaN.
#[test]
fn infinities_are_texts_in_json() {
    let counters = tband_recordings::records::counters().0;
    let sql = "SELECT real FROM levels WHERE object = 'odd' ORDER BY ns";
    let rows = "{\"real\":-0.10000000149011612}\n{\"real\":null}\n{\"real\":\"inf\"}\n";
    assert_eq!(run_query(sql, &counters, Layout::Json).unwrap(), rows);
    let rows = "real\n-0.10000000149011612\n\ninf\n";
    assert_eq!(run_query(sql, &counters, Layout::Csv).unwrap(), rows);
    let sql = "SELECT -9e999 AS low";
    assert_eq!(run_query(sql, &counters, Layout::Json).unwrap(), "{\"low\":\"-inf\"}\n");
}

#[test]
fn texts_are_complete_and_contain_no_control_characters() {
    let sql = "SELECT text, NULL AS none, '' AS empty, '=1' AS formula, is_span, x'00ff' AS bytes FROM markers";
    let row = "{\"text\":\"say \\\"a\\\", \\u001b[2J\\u009bä\",\"none\":null,\"empty\":\"\",\"formula\":\"=1\",\
               \"is_span\":false,\"bytes\":\"00ff\"}\n";
    assert_eq!(run_query(sql, &markers(), Layout::Json).unwrap(), row);
    let row = "\"say \"\"a\"\", \\u{1b}[2J\\u{9b}ä\",,\"\",'=1,false,00ff\n";
    let head = "text,none,empty,formula,is_span,bytes\n";
    assert_eq!(run_query(sql, &markers(), Layout::Csv).unwrap(), format!("{head}{row}"));
    let text = "\
text                       none  empty  formula  is_span  bytes
-------------------------  ----  -----  -------  -------  -----
say \"a\", \\u{1b}[2J\\u{9b}ä  NULL         =1       false    00ff
";
    assert_eq!(run_query(sql, &markers(), Layout::Text).unwrap(), text);
    // Numbers are aligned to the right, and lines have no trailing blanks.
    let sql = "SELECT 1 AS n, 'a' AS t UNION ALL SELECT 100, ''";
    let text = "  n  t\n---  -\n  1  a\n100\n";
    assert_eq!(run_query(sql, &markers(), Layout::Text).unwrap(), text);
    assert_eq!(run_query("SELECT ns FROM losses", &markers(), Layout::Json).unwrap(), "");
    assert_eq!(run_query("SELECT ns FROM losses", &markers(), Layout::Csv).unwrap(), "ns\n");
}

#[test]
fn mistakes_are_found_before_anything_is_read() {
    let mistake = |sql: &str| match Query::prepare(sql) {
        Err(QueryError::Mistake(mistake)) => mistake,
        other => panic!("{sql}: {other:?}"),
    };
    let found = mistake("SELECT ns,\n\tnz\u{1b} FROM events");
    assert!(found.text.contains("unrecognized token"), "{found:?}");
    let found = mistake("SELECT ns,\n\tnz FROM events");
    assert_eq!(found.place, Some([" nz FROM events".into(), " ^".into()]));
    for text in
        ["no such column: nz; did you mean ns?", "columns of events: recording, ns,", "date"]
    {
        assert!(found.text.contains(text), "{found}");
    }
    let found = mistake("SELECT ns FROM event");
    assert_eq!(found.place, Some(["SELECT ns FROM event".into(), "               ^".into()]));
    assert!(found.text.contains("did you mean events? tables: events, states,"), "{found}");
    let found = mistake("SELECT medan(ns) FROM events");
    assert!(found.text.contains("did you mean median?"), "{found}");
    // A name in double quotes is not a text.
    assert!(mistake("SELECT \"nz\" FROM events").text.starts_with("no such column"));
    assert!(mistake("SELECT ns FROM events; SELECT 1").text.contains("more than one statement"));
    assert!(mistake("SELECT ? FROM events").text.contains("parameters"));
    let found = run_query("SELECT 1 AS a, 2 AS a", &markers(), Layout::Json).unwrap_err();
    assert!(found.to_string().contains("two columns are called a"), "{found}");
}

#[test]
fn queries_are_read_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new");
    let file = file.display();
    for sql in [
        format!("ATTACH '{file}' AS other"),
        format!("VACUUM INTO '{file}'"),
        "CREATE TABLE t (a)".to_owned(),
        "CREATE TEMP TABLE t (a)".to_owned(),
        "INSERT INTO events (ns) VALUES (1)".to_owned(),
        "DELETE FROM events".to_owned(),
        "UPDATE events SET ns = 1".to_owned(),
        "DROP TABLE events".to_owned(),
        "PRAGMA temp_store_directory = '/'".to_owned(),
        "PRAGMA hard_heap_limit = 0".to_owned(),
        "BEGIN".to_owned(),
        "COMMIT".to_owned(),
        String::new(),
        "-- nothing".to_owned(),
    ] {
        match Query::prepare(&sql) {
            Err(QueryError::Mistake(mistake)) => {
                assert!(mistake.text.contains("reads the tables"), "{sql}: {mistake}");
            }
            other => panic!("{sql}: {other:?}"),
        }
    }
    let loads = run_query("SELECT load_extension('x')", &markers(), Layout::Csv);
    assert!(loads.unwrap_err().to_string().contains("reads the tables"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn unsupported_statements_are_errors() {
    for (sql, text) in [
        ("SELECT sum(9223372036854775807) FROM events", "integer overflow"),
        ("SELECT percentile(ns, 101) FROM events", "0 to 100"),
        ("SELECT percentile(ns, NULL) FROM events", "0 to 100"),
        ("SELECT median(event) FROM events", "of numbers"),
        ("SELECT median(CASE ns WHEN 20 THEN 1.0 ELSE 1 END) FROM events", "mixed"),
        ("SELECT hex(zeroblob(900000000))", "too big"),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99) \
             SELECT group_concat(zeroblob(900000)) FROM n",
            "too big",
        ),
    ] {
        let error = run_query(sql, &markers(), Layout::Csv).unwrap_err();
        assert!(matches!(error, QueryError::Engine(_)), "{sql}: {error:?}");
        assert!(error.to_string().contains(text), "{sql}: {error}");
    }
}

/// Tables that are not read, and columns that are not, cost nothing and change nothing.
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

#[test]
fn only_what_is_named_is_filled() {
    let counts =
        "SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM states) AS states";
    let all = "SELECT count(ns) AS n, count(fields) AS fields FROM events";
    let of_one = run_query(counts, &markers(), Layout::Json).unwrap();
    let of_all = run_query(all, &markers(), Layout::Json).unwrap();
    let number = |text: &str| -> u64 {
        let (_, after) = text.split_once("\":").unwrap();
        after.split(',').next().unwrap().parse().unwrap()
    };
    assert!(number(&of_one) > 6 && number(&of_one) == number(&of_all), "{of_one} {of_all}");
}

/// Columns that tables are joined by are filled, too.
#[test]
fn joins_find_their_columns() {
    let count = |sql: &str| run_query(sql, &markers(), Layout::Csv).unwrap();
    let all = count("SELECT count(*) AS n FROM events");
    for join in [
        "JOIN recordings USING (recording)",
        "JOIN recordings ON recordings.recording = events.recording",
        "JOIN recordings r ON r.\"recording\" IS [events].[RECORDING]",
    ] {
        assert_eq!(count(&format!("SELECT count(*) AS n FROM events {join}")), all, "{join}");
    }
    let joined =
        count("SELECT count(*) AS n FROM levels a NATURAL JOIN levels b WHERE a.by IS NULL");
    assert_eq!(joined, "n\n0\n", "NULL does not equal NULL, and the device is unknown");
    let joined = "SELECT count(*) AS n FROM (SELECT recording, ns FROM events) NATURAL JOIN (SELECT ns FROM events)";
    assert_ne!(count(joined), "n\n0\n");
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
