//! Tables of recordings, read back: each row of a hand-made one, sums over random ones against the timeline's facts, and
//! folders of many recordings.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use proptest::prelude::*;
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_recordings::facts::Facts;
use tband_recordings::inputs::{random, vectors};
use tband_recordings::random::config;
use tband_recordings::{cases, str, two_tasks};
use tband_tables::{
    AddResult, ColumnKind, Dataset, Origin, RecordingInfo, TABLES, convert_to_tables,
};
use tempfile::TempDir;

/// A row by its columns, without NULLs.
type Row = BTreeMap<String, String>;

fn read(path: &Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    let columns = |row: parquet::record::Row| {
        let text = |field: &Field| match field {
            Field::Null => None,
            Field::Long(value) => Some(value.to_string()),
            Field::Double(value) => Some(value.to_string()),
            Field::Bool(value) => Some(value.to_string()),
            Field::Str(value) => Some(value.clone()),
            other => panic!("{other:?}"),
        };
        row.get_column_iter().filter_map(|(name, it)| Some((name.clone(), text(it)?))).collect()
    };
    rows.map(|row| columns(row.unwrap())).collect()
}

/// All tables of a recording, by name.
fn tables(inputs: &[Input<'_>], options: &Options) -> BTreeMap<&'static str, Vec<Row>> {
    let folder = tempfile::tempdir().unwrap();
    let path = |table: &str| folder.path().join(table);
    let about = RecordingInfo { recording: "r".into(), file: "r.bin".into(), bytes: Some(7) };
    let summary = convert_to_tables(inputs, options, &about, &mut |table| {
        Ok(Some(Box::new(BufWriter::new(File::create(path(table.name))?))))
    })
    .unwrap();
    let tables: BTreeMap<_, _> =
        TABLES.iter().map(|table| (table.name, read(&path(table.name)))).collect();
    assert_eq!(tables["recordings"].len(), 1);
    assert_eq!(tables["recordings"][0]["events"], summary.events_of_window().to_string());
    for (table, row) in
        tables.iter().flat_map(|(name, rows)| rows.iter().map(move |row| (name, row)))
    {
        assert_eq!(row["recording"], "r", "{table}");
    }
    tables
}

fn number(row: &Row, column: &str) -> i64 {
    row[column].parse().unwrap()
}

/// Columns of each row as a text.
fn format_columns(rows: &[Row], columns: &[impl AsRef<str>]) -> Vec<String> {
    let cell = |row: &Row, column: &str| row.get(column).map_or("-", String::as_str).to_owned();
    rows.iter()
        .map(|row| columns.iter().map(|it| cell(row, it.as_ref())).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn tables_of_cases() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/tables.txt");
    cases::check(Path::new(path), |_, case, section| {
        let tables = tables(&case.inputs(), &Options::default());
        Some(format_columns(&tables[&*section.kind], &section.words))
    });
}

/// Nanoseconds in each state, by the sink of facts.
fn facts(inputs: &[Input<'_>], options: &Options) -> (BTreeMap<String, i64>, i64) {
    let mut facts = Facts::default();
    convert(inputs, options, &mut facts).unwrap();
    let (mut states, mut interrupts) = (BTreeMap::new(), 0);
    for (of, all) in facts.slices {
        for (from, to, value) in all {
            if of.starts_with("state of") && value != "Deleted" {
                let end = value.find(|c: char| !c.is_alphabetic()).unwrap_or(value.len());
                *states.entry(value[..end].to_lowercase()).or_insert(0) += to - from;
            } else if of.starts_with("isrs of") {
                interrupts += (to - from) * value.split(" > ").count() as i64;
            }
        }
    }
    (states, interrupts)
}

fn check(inputs: &[Input<'_>], options: &Options) {
    let tables = tables(inputs, options);
    let time = |row: &Row| {
        let time = number(row, "end_ns") - number(row, "begin_ns");
        assert!(time >= 0, "{row:?}");
        time
    };
    let mut states = BTreeMap::new();
    for row in tables["states"].iter().filter(|row| time(row) > 0) {
        *states.entry(row["state"].clone()).or_insert(0) += time(row);
    }
    let interrupts = tables["interrupts"].iter().map(time).sum::<i64>();
    assert_eq!((states, interrupts), facts(inputs, options));
    let blocked = tables["states"].iter().filter(|row| row["state"] == "blocked").count();
    assert_eq!(tables["waits"].len(), blocked);
    assert!(tables["waits"].iter().all(|row| time(row) >= 0));
    for row in &tables["events"] {
        let fields: serde_json::Value = serde_json::from_str(&row["fields"]).unwrap();
        assert!(fields.is_object(), "{row:?}");
    }
}

#[test]
fn recordings_of_another_implementation_are_their_facts() {
    vectors(|inputs| check(inputs, &Options::default()));
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn random_recordings_are_their_facts(recording in random(|_| true)) {
        recording.check(check);
    }
}

/// Groups of rows end and begin, texts are as many as rows.
#[test]
fn a_table_of_many_groups_has_each_row_once() {
    let mut recording = two_tasks();
    for turn in 0..50_000_u64 {
        let text = format!("turn {turn}");
        recording = recording.at(turn, Event::Evtmarker { evtmarker_id: 1, msg: str(&text) });
    }
    let tables = tables(&[Input::from_bytes("r", &recording.0)], &Options::default());
    assert_eq!(tables["markers"].len(), 50_000);
    for (turn, row) in tables["markers"].iter().enumerate() {
        assert_eq!(
            (row["begin_ns"].clone(), row["text"].clone()),
            ((turn * 10).to_string(), format!("turn {turn}"))
        );
    }
}

/// The page of the book has each column but the first, in order, with its kind.
#[test]
fn the_page_has_every_column() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/reference/tables.md");
    let page = fs::read_to_string(page).unwrap();
    for table in TABLES {
        let section = page.split(&format!("\n## `{}`\n", table.name)).nth(1);
        let section = section.unwrap_or_else(|| panic!("no section {}", table.name));
        let section = section.split("\n##").next().unwrap();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
        let found: Vec<_> = rows
            .map(|row| row.split('|').take(2).map(str::trim).collect::<Vec<_>>().join(" "))
            .collect();
        let (first, others) = table.columns.split_first().unwrap();
        assert!(first.name == "recording" && !first.optional, "{}", table.name);
        let expected: Vec<_> = others
            .iter()
            .map(|column| {
                let kind = match column.kind {
                    ColumnKind::Int | ColumnKind::Time => "INT64",
                    ColumnKind::Name | ColumnKind::Text => "text",
                    ColumnKind::Flag => "BOOLEAN",
                    ColumnKind::Real => "DOUBLE",
                };
                let optional = if column.optional { "?" } else { "" };
                format!("{}` {kind}{optional}", column.name)
            })
            .collect();
        assert_eq!(found, expected, "{}", table.name);
    }
}

/// A folder of recordings, and files to add.
struct Fleet(TempDir);

impl Fleet {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("fleet")
    }

    fn open(&self) -> Dataset {
        Dataset::open(&self.folder()).unwrap()
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn add(&self, dataset: &Dataset, file: &Path, device: &str) -> anyhow::Result<AddResult> {
        let origin = Origin::of(file, device, Some("2026-11-24")).unwrap();
        let bytes = fs::read(file).unwrap();
        dataset.add(file, &origin, (&[Input::from_bytes("r", &bytes)], &Options::default()))
    }

    /// Rows of a table, of all recordings.
    fn rows(&self, table: &str) -> Vec<Row> {
        self.files(table).iter().flat_map(|path| read(path)).collect()
    }

    fn files(&self, table: &str) -> Vec<PathBuf> {
        let (mut files, mut folders) = (Vec::new(), vec![self.folder().join(table)]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort();
        files
    }

    /// Returns the number of entries in the folder that readers skip.
    fn hidden(&self) -> usize {
        let names = fs::read_dir(self.folder()).unwrap().map(|it| it.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().starts_with('.')).count()
    }
}

fn switches(count: u64) -> Vec<u8> {
    let turns = (1..=count).map(|turn| (turn, 1 + (turn % 2) as u32));
    turns.fold(two_tasks(), |all, (ts, task_id)| all.at(ts, Event::TaskSwitchedIn { task_id })).0
}

#[test]
fn a_recording_is_added_once_under_any_name() {
    let fleet = Fleet::new();
    let [one, copy] = ["one.bin", "copy.bin"].map(|name| fleet.file(name, &switches(10)));
    let other = fleet.file("other.bin", &switches(11));
    let dataset = fleet.open();
    assert!(matches!(fleet.add(&dataset, &one, "a/b").unwrap(), AddResult::New(_)));
    let dataset = fleet.open();
    assert_eq!(dataset.len(), 1);
    assert!(matches!(fleet.add(&dataset, &copy, "c").unwrap(), AddResult::Known));
    assert!(matches!(fleet.add(&dataset, &other, "c").unwrap(), AddResult::New(_)));
    assert_eq!(fleet.open().len(), 2);
    assert_eq!(
        format_columns(&fleet.rows("recordings"), &["file", "events"]),
        ["one.bin 13", "other.bin 14"]
    );
    let place =
        fleet.files("events")[0].strip_prefix(fleet.folder()).unwrap().display().to_string();
    assert!(place.starts_with("events/device=a%2Fb/date=2026-11-24/"), "{place}");
    assert_eq!(fleet.hidden(), 0);
}

/// The program ended after some tables had their file, at each place.
#[test]
fn replaces_files_of_a_crashed_process() {
    for kept in 0..TABLES.len() {
        let fleet = Fleet::new();
        let file = fleet.file("r.bin", &switches(10));
        fleet.add(&fleet.open(), &file, "d").unwrap();
        assert!(fleet.files("parts").is_empty(), "only on request");
        for table in &TABLES[kept..] {
            fleet.files(table.name).iter().for_each(|path| fs::remove_file(path).unwrap());
        }
        fs::create_dir(fleet.folder().join(".tband-ingest-left")).unwrap();
        let dataset = fleet.open();
        assert!(dataset.is_empty(), "after {kept} tables");
        assert!(matches!(fleet.add(&dataset, &file, "d").unwrap(), AddResult::New(_)));
        assert_eq!(fleet.rows("recordings").len(), 1);
        assert_eq!(fleet.rows("events").len(), 13);
    }
}

#[test]
fn an_unreadable_recording_leaves_no_files() {
    let fleet = Fleet::new();
    let file = fleet.file("no.bin", b"PK\x03\x04 an archive");
    let error = format!("{:#}", fleet.add(&fleet.open(), &file, "d").unwrap_err());
    assert!(error.contains("no.bin"), "{error}");
    assert_eq!((fleet.hidden(), fleet.files("events").len()), (0, 0));
    fs::create_dir_all(fleet.0.path().join("photos/2026")).unwrap();
    let error = format!("{:#}", Dataset::open(&fleet.0.path().join("photos")).unwrap_err());
    assert!(error.contains("“2026”, which is not a table"), "{error}");
    let error = format!("{:#}", Origin::of(&file, "d", Some("24.11.2026")).unwrap_err());
    assert!(error.contains("“24.11.2026” is not a day"), "{error}");
}

#[test]
fn several_threads_add_at_a_time() {
    let fleet = Fleet::new();
    let files: Vec<_> = (1..=12).map(|n| fleet.file(&format!("{n}.bin"), &switches(n))).collect();
    let dataset = fleet.open();
    std::thread::scope(|scope| {
        for half in files.chunks(4) {
            let (fleet, dataset) = (&fleet, &dataset);
            scope.spawn(move || {
                half.iter().for_each(|file| drop(fleet.add(dataset, file, "d").unwrap()))
            });
        }
    });
    assert_eq!(fleet.open().len(), 12);
    assert_eq!(fleet.rows("events").len(), (1..=12).sum::<usize>() + 3 * 12);
}
