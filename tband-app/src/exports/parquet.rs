//! Tables in Parquet files.

use super::{Export, OutputKind, Setting};

pub const EXPORT: Export = Export {
    name: "parquet",
    about: "a folder of tables, for DuckDB, Polars, Spark and others",
    ending: ".parquet",
    media_type: "application/vnd.apache.parquet",
    begins: b"",
    passes: 3,
    memory: 64 << 20,
    // Tables are compressed already.
    takes: &[Setting::Window, Setting::Parts],
    form: FORM,
};

#[cfg(not(feature = "parquet"))]
const FORM: OutputKind = OutputKind::Missing(WITHOUT_TABLES);

/// The message of a program that was built without tables.
#[cfg(not(feature = "parquet"))]
pub const WITHOUT_TABLES: &str = "this tband-cli was built without tables, whose packages take long to build; with \
                                  them: cargo install --locked --path host-cli --features parquet";

#[cfg(feature = "parquet")]
const FORM: OutputKind = OutputKind::SendFolder(|inputs, options, settings, create| {
    use tband_conv::Input;
    use tband_tables::{RecordingInfo, TableSchema, convert_to_tables};

    use super::ExportSummary;

    let names: Vec<&str> = inputs.iter().flat_map(Input::names).collect();
    let about = RecordingInfo { recording: names.join(" "), file: names.join(" "), bytes: None };
    let mut tables = 0;
    let mut create = |table: &'static TableSchema| {
        if table.only_on_request && !settings.parts {
            return Ok(None);
        }
        tables += 1;
        create(&format!("{}.parquet", table.name)).map(Some)
    };
    let summary = convert_to_tables(inputs, options, &about, &mut create)?;
    let events = tband_conv::counted(summary.events_of_window(), "event");
    let amount = format!("{events}, {}", tband_conv::counted(tables, "table"));
    Ok(ExportSummary { amount, details: Vec::new(), ..ExportSummary::of(summary) })
});
