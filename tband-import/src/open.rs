//! Which importer reads a format.

use crate::format::InputFormat;
use crate::importer::Importer;
use crate::linux::Text;
use crate::systemview::{SystemView, Table};

/// The importer of a format, whose events belong to `core` unless the recording names another core. `None`: there is no importer
/// for it, or the format is tband's own.
#[must_use]
pub fn open(format: InputFormat, core: u32) -> Option<Box<dyn Importer>> {
    let systemview = |table| Some(Box::new(SystemView::new(core, table)) as Box<dyn Importer>);
    match format {
        InputFormat::SystemView => systemview(None),
        InputFormat::SystemViewEsp => systemview(Some(Table::Esp)),
        InputFormat::SystemViewV10 => systemview(Some(Table::V10)),
        InputFormat::SystemViewV11 => systemview(Some(Table::V11)),
        InputFormat::Ftrace => Some(Box::new(Text::new(core))),
        InputFormat::Auto
        | InputFormat::Tband
        | InputFormat::TraceRecorder
        | InputFormat::Qs
        | InputFormat::Rkh
        | InputFormat::Ctf
        | InputFormat::Flux => None,
    }
}
