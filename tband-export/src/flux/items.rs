//! Scopes and signals as numbered items.

use std::collections::HashMap;

use tband_conv::tracks::{Content, Owner};
use tband_flux::encoding::entry::{self, NamedItem};
use tband_flux::encoding::sample;

use crate::signals::{Catalog, Shape, Source, Step};

/// The scope of all that belongs to no core.
const TARGET: &str = "target";

/// An item of a signal.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub id: u32,
    /// Which of the groups it is opened with.
    pub group: usize,
    pub shape: Shape,
}

/// All items.
#[derive(Debug, Default)]
pub struct Items {
    /// The item of each signal, by number.
    pub signals: Vec<Option<Item>>,
    /// Where each signal is, as relations name it.
    pub paths: Vec<String>,
    /// The items that are opened and closed: a scope for each core, and one for everything else.
    pub groups: Vec<u32>,
    /// The group of each core.
    pub cores: HashMap<u32, usize>,
    /// The greatest number of an item.
    pub count: u32,
    /// The entries that define them.
    pub entries: Vec<Vec<u8>>,
}

impl Items {
    pub fn of(catalog: &Catalog) -> Self {
        let mut items = Self {
            signals: vec![None; catalog.len()],
            paths: vec![String::new(); catalog.len()],
            ..Self::default()
        };
        let mut open: Vec<(u32, String)> = Vec::new();
        let mut group = 0;
        let mut target = None;
        for step in catalog.tree() {
            match step {
                Step::Scope(name) => {
                    if open.is_empty() {
                        let is_core = name.starts_with("core_");
                        group = match target {
                            Some(known) if !is_core => known,
                            _ => {
                                let named = if is_core { name } else { TARGET };
                                let id = items.scope(0, named);
                                items.groups.push(id);
                                items.groups.len().saturating_sub(1)
                            }
                        };
                        let id = items.groups.get(group).copied().unwrap_or(0);
                        let path = if is_core { name } else { TARGET };
                        open.push((id, format!("\\{path}")));
                        if !is_core {
                            target = Some(group);
                            let id = items.scope(id, name);
                            open.push((id, format!("\\{TARGET}\\{name}")));
                        }
                        continue;
                    }
                    let (parent, path) = open.last().cloned().unwrap_or_default();
                    let id = items.scope(parent, name);
                    open.push((id, format!("{path}\\{name}")));
                }
                Step::Up => {
                    open.pop();
                    // That which was put around it ends too.
                    if open.len() == 1 && Some(group) == target {
                        open.pop();
                    }
                }
                Step::Signal(signal, source, name) => {
                    let (parent, path) = open.last().cloned().unwrap_or_default();
                    let path = format!("{path}\\{name}");
                    let id = items.signal(parent, name, source);
                    let item = Item { id, group, shape: source.shape() };
                    if let Some(place) = items.paths.get_mut(signal as usize) {
                        *place = path;
                    }
                    if let Owner::Core(core) | Owner::Isr(core, _) = source.owner() {
                        items.cores.insert(core, group);
                    }
                    if let Some(place) = items.signals.get_mut(signal as usize) {
                        *place = Some(item);
                    }
                }
            }
        }
        items
    }

    /// The next number, and where the item is.
    fn next<'t>(&mut self, parent: u32, name: &'t str) -> (u32, NamedItem<'t>) {
        self.count = self.count.saturating_add(1);
        (self.count, NamedItem { parent, name: name.as_bytes(), about: b"" })
    }

    fn scope(&mut self, parent: u32, name: &str) -> u32 {
        let (id, named) = self.next(parent, name);
        let mut entry = Vec::new();
        entry::scope(&mut entry, id, &named);
        self.entries.push(entry);
        id
    }

    fn signal(&mut self, parent: u32, name: &str, source: Source) -> u32 {
        let (id, named) = self.next(parent, name);
        let (kind, descriptor) = match (source, source.shape()) {
            (Source::Track(track), _) if track.content() == Content::Bits => {
                (sample::INTEGER, "default<df=Hex>")
            }
            (_, Shape::State) => (sample::EVENT, "gantt<>"),
            (_, Shape::Moment) => (sample::EVENT, ""),
            (_, Shape::Text) => (sample::TEXT, ""),
            (_, Shape::Real) => (sample::FLOAT, ""),
            (_, Shape::Bit | Shape::Unsigned(_) | Shape::Signed) => (sample::INTEGER, ""),
        };
        let mut entry = Vec::new();
        entry::signal(&mut entry, id, &named, kind, descriptor.as_bytes());
        self.entries.push(entry);
        id
    }
}
