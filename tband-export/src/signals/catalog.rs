//! All signals of a recording, with their names.

use std::collections::HashMap;

use tband_conv::model::{MarkerRef, World};
use tband_conv::tracks::{Owner, Track, TrackGroup};

use super::source::Source;
use crate::names::UsedNames;

/// Where a signal is found: its scopes, from the outermost, and its name.
#[derive(Clone, Debug, Default)]
pub struct Path {
    pub scopes: Vec<String>,
    pub name: String,
}

/// All signals, by number from 0 on.
#[derive(Debug, Default)]
pub struct Catalog {
    sources: Vec<Source>,
    /// One more than the number of each signal, by its place; 0 for none.
    places: Vec<Vec<u32>>,
    paths: Vec<Path>,
    order: Vec<u32>,
    /// How often the timer counts is not known: times are ticks.
    pub are_times_ticks: bool,
}

impl Catalog {
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    pub fn source(&self, signal: u32) -> Option<Source> {
        self.sources.get(signal as usize).copied()
    }

    /// The signals with their paths, those of one scope one after another.
    pub fn signals(&self) -> impl Iterator<Item = (u32, Source, &Path)> {
        self.order.iter().filter_map(|signal| {
            let path = self.paths.get(*signal as usize)?;
            Some((*signal, self.source(*signal)?, path))
        })
    }

    #[inline(always)]
    pub(super) fn find(&self, source: Source) -> Option<u32> {
        let (table, at) = source.place();
        let signal = self.places.get(table)?.get(at)?.checked_sub(1)?;
        debug_assert!(
            self.source(signal).is_some_and(|it| is_same_kind(it, source)),
            "{source:?} has the place of another signal: is the number of its kind unique?"
        );
        Some(signal)
    }

    /// The number of a signal, which is new if it was not there.
    pub(super) fn add(&mut self, source: Source) -> u32 {
        if let Some(known) = self.find(source) {
            return known;
        }
        let signal = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        self.sources.push(source);
        self.put(source, signal.saturating_add(1));
        signal
    }

    /// A value marker has numbers that are not integers, so all of its values get double precision. Returns the number of its
    /// signal, if it has one.
    pub(super) fn make_real(&mut self, marker: MarkerRef) -> Option<u32> {
        let (integer, real) = (Source::Track(Track::Value(marker)), Source::Real(marker));
        let signal = self.find(integer)?;
        *self.sources.get_mut(signal as usize)? = real;
        self.put(integer, 0);
        self.put(real, signal.saturating_add(1));
        Some(signal)
    }

    /// Returns the signals that can be open, and are closed before their first report.
    pub fn closed(&self) -> impl Iterator<Item = u32> {
        let can_be_open = |source| {
            use Track::{Callback, Isr, Marker, Sleep};
            matches!(source, Source::Track(Isr(..) | Sleep(_) | Callback(_) | Marker(_)))
        };
        self.signals().filter(move |it| can_be_open(it.1)).map(|it| it.0)
    }

    /// One more than the number of a signal, or 0, at its place.
    fn put(&mut self, source: Source, number: u32) {
        let (table, at) = source.place();
        if self.places.len() <= table {
            self.places.resize_with(table + 1, Vec::new);
        }
        if let Some(table) = self.places.get_mut(table) {
            if table.len() <= at {
                table.resize(at + 1, 0);
            }
            if let Some(place) = table.get_mut(at) {
                *place = number;
            }
        }
    }

    /// Names all signals; `clean` makes names valid.
    pub(super) fn name_all(&mut self, world: &World, clean: fn(&str) -> String) {
        let mut named = Names { world, clean, scopes: HashMap::new(), objects: HashMap::new() };
        let keyed: Vec<_> = self.sources.iter().map(|source| named.path(*source)).collect();
        let mut order: Vec<u32> = (0..).take(keyed.len()).collect();
        let key = |signal: &u32| keyed.get(*signal as usize).map(|it| (it.0, it.1.scopes.clone()));
        order.sort_by_cached_key(key);
        self.order = order;
        self.paths = keyed.into_iter().map(|(_, path)| path).collect();
    }
}

/// Whether both are of the same object and kind; a class that is damage shares the place of another one.
fn is_same_kind(one: Source, other: Source) -> bool {
    (one.owner(), one.word()) == (other.owner(), other.word())
}

/// An object, as far as names go: of one kind, by its index.
type Object = (TrackGroup, usize);

struct Names<'w> {
    world: &'w World,
    clean: fn(&str) -> String,
    scopes: HashMap<TrackGroup, UsedNames>,
    objects: HashMap<Object, String>,
}

impl Names<'_> {
    fn path(&mut self, source: Source) -> (TrackGroup, Path) {
        let (owner, mut name) = (source.owner(), source.name().into_owned());
        let group = owner.group(self.world);
        let object = self.unique((group, owner.index()), owner);
        let scopes = match (group, owner) {
            (TrackGroup::Core(core), Owner::Isr(..)) => {
                let suffix = if matches!(source, Source::IsrActs(..)) { "_acts" } else { "" };
                name = format!("{object}{suffix}");
                vec![format!("core_{core}"), "interrupts".to_owned()]
            }
            (TrackGroup::Core(core), _) => vec![format!("core_{core}")],
            _ => {
                let scope = group.title().to_lowercase().replace(' ', "_");
                let object = owner.label(self.world).map(|_| object);
                [Some(scope), object].into_iter().flatten().collect()
            }
        };
        (group, Path { scopes, name })
    }

    /// The name of an object, which no other one of its group has; that of a task-local marker follows the name of its task.
    fn unique(&mut self, object: Object, owner: Owner) -> String {
        let Some(label) = owner.label(self.world) else { return String::new() };
        if let Some(known) = self.objects.get(&object) {
            return known.clone();
        }
        let label = match owner.task_of_marker(self.world) {
            Some(task) => format!("{} {label}", self.world.task_name(task)),
            None => label.to_string(),
        };
        let name = self.scopes.entry(object.0).or_default().unique((self.clean)(&label));
        self.objects.insert(object, name.clone());
        name
    }
}
