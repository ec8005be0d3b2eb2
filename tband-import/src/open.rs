//! Which importer reads a format.

use crate::flux::Flux;
use crate::format::InputFormat;
use crate::importer::Importer;
use crate::linux::LinuxText;
use crate::percepio::TraceRecorder;
use crate::qp::{Qs, Rkh};
use crate::systemview::{SystemView, Table};

/// The importer of a format; its events belong to `core` unless the recording names another core. `None`: the format has no
/// importer, or it is tband's own.
#[must_use]
pub fn open(format: InputFormat, core: u32) -> Option<Box<dyn Importer>> {
    let systemview = |table| Some(Box::new(SystemView::new(core, table)) as Box<dyn Importer>);
    match format {
        InputFormat::SystemView => systemview(None),
        InputFormat::SystemViewEsp => systemview(Some(Table::Esp)),
        InputFormat::SystemViewV10 => systemview(Some(Table::V10)),
        InputFormat::SystemViewV11 => systemview(Some(Table::V11)),
        InputFormat::Qs => Some(Box::new(Qs::new(core))),
        InputFormat::Rkh => Some(Box::new(Rkh::new(core))),
        InputFormat::Flux => Some(Box::new(Flux::new(core))),
        InputFormat::Ftrace => Some(Box::new(LinuxText::new(core))),
        InputFormat::TraceRecorder => Some(Box::new(TraceRecorder::new(core))),
        InputFormat::Auto | InputFormat::Tband | InputFormat::Ctf => None,
    }
}
