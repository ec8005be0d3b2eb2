//! All exports: none fails, none converts inputs that others reject, and JSON output is valid.

use std::io::{self, Cursor};

use tband_app::exports::{EXPORTS, Export, OutputKind, Setting, Settings};
use tband_conv::ConvError;
use tband_tables::{Cell, RecordingInfo, Rows, convert_to_rows};

use crate::setup::Setup;

/// Exports to all of them.
///
/// # Panics
/// If something does not hold.
pub fn run(setup: &Setup, recording: &[u8]) {
    let tables = to_tables(setup, recording);
    for export in EXPORTS {
        if let OutputKind::Missing(_) = export.form {
            assert!(!cfg!(feature = "parquet") && export.name == "parquet", "{}", export.name);
            continue;
        }
        assert_eq!(export_to(export, setup, recording), tables, "{}, and tables", export.name);
    }
}

/// A receiver that discards rows.
struct DiscardingReceiver;

impl Rows for DiscardingReceiver {
    fn row(&mut self, _: &[Cell<'_>]) -> io::Result<()> {
        Ok(())
    }

    fn close(self) -> io::Result<()> {
        Ok(())
    }
}

/// Converts to rows of tables; writing them needs the feature `parquet`.
fn to_tables(setup: &Setup, recording: &[u8]) -> bool {
    let inputs = setup.inputs(recording);
    let mut create = |_: &_| Ok(Some(DiscardingReceiver));
    is_written(&convert_to_rows(&inputs, &setup.options, &RecordingInfo::default(), &mut create))
}

/// Whether it could be converted.
fn export_to(export: &Export, setup: &Setup, recording: &[u8]) -> bool {
    let (inputs, options) = (setup.inputs(recording), &mut setup.options.clone());
    if !export.can_take(Setting::Window) {
        (options.from, options.to) = (None, None);
    }
    let settings = Settings::default();
    let mut out = Vec::new();
    let made = match export.form {
        OutputKind::Stream(write) => write(&inputs, options, &settings, &mut out),
        OutputKind::File(write) => write(&inputs, options, &settings, &mut Cursor::new(&mut out)),
        OutputKind::Folder(write) => {
            write(&inputs, options, &settings, &mut |_| Ok(Box::new(io::sink())))
        }
        OutputKind::SendFolder(write) => {
            write(&inputs, options, &settings, &mut |_| Ok(Box::new(io::sink())))
        }
        OutputKind::Missing(how) => panic!("{}: {how}", export.name),
    };
    let is_written = is_written(&made);
    if is_written
        && export.media_type == "application/json"
        && let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(&out)
    {
        panic!("{}: {error}: {}", export.name, String::from_utf8_lossy(&out));
    }
    assert!(!is_written || out.starts_with(export.begins), "{}", export.name);
    is_written
}

fn is_written<T>(made: &Result<T, ConvError>) -> bool {
    match made {
        Ok(_) => true,
        Err(ConvError::Write(error)) => panic!("nothing is written that could fail: {error}"),
        Err(_) => false,
    }
}
