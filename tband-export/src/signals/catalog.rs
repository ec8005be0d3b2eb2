//! All signals of a recording, with their names.

use std::collections::HashMap;

use tband_conv::timeline::{Label, MarkerRef, Scope, World};

use super::source::{SignalGroup, Source};
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

    #[inline]
    pub(super) fn find(&self, source: Source) -> Option<u32> {
        let (table, at) = source.place();
        self.places.get(table)?.get(at)?.checked_sub(1)
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
        let (integer, real) = (Source::Value(marker), Source::Real(marker));
        let signal = self.find(integer)?;
        *self.sources.get_mut(signal as usize)? = real;
        self.put(integer, 0);
        self.put(real, signal.saturating_add(1));
        Some(signal)
    }

    /// Returns the signals that can be open, and are closed before their first report.
    pub fn closed(&self) -> impl Iterator<Item = u32> {
        let can_be_open = |source| {
            matches!(
                source,
                Source::Isr(..) | Source::Sleep(_) | Source::Callback(_) | Source::Open(_)
            )
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

/// An object, as far as names go: of one kind, by its index.
type Object = (SignalGroup, usize);

struct Names<'w> {
    world: &'w World,
    clean: fn(&str) -> String,
    scopes: HashMap<SignalGroup, UsedNames>,
    objects: HashMap<Object, String>,
}

impl Names<'_> {
    fn path(&mut self, source: Source) -> (SignalGroup, Path) {
        let world = self.world;
        let of_core = |core: u32, name: &str| {
            let scopes = vec![format!("core_{core}")];
            (SignalGroup::Core(core), Path { scopes, name: name.to_owned() })
        };
        let queue = |queue| match world.queues.get(queue) {
            Some(queue) if queue.is_mutex() => SignalGroup::Mutexes,
            Some(queue) if queue.is_semaphore() => SignalGroup::Semaphores,
            _ => SignalGroup::Queues,
        };
        let (kind, index, label, name) = match source {
            Source::Running(core) => return of_core(core, "running"),
            Source::Sleep(core) => return of_core(core, "sleep"),
            Source::Isr(core, isr) => {
                return self.isr(core, isr.index(), world.isr_name(isr, core), "");
            }
            Source::IsrActs(core, isr) => {
                return self.isr(core, isr.index(), world.isr_name(isr, core), "_acts");
            }
            Source::State(task) => {
                (SignalGroup::Tasks, task.index(), world.task_name(task), "state")
            }
            Source::Priority(task) => {
                (SignalGroup::Tasks, task.index(), world.task_name(task), "priority")
            }
            Source::Stack(task) => {
                (SignalGroup::Tasks, task.index(), world.task_name(task), "stack_high_water_mark")
            }
            Source::Acts(task) => (SignalGroup::Tasks, task.index(), world.task_name(task), "acts"),
            Source::Notification(task, index) => {
                let name = format!("notification_{index}");
                let object = (SignalGroup::Tasks, task.index());
                return self.object(object, &world.task_name(task).to_string(), &name);
            }
            Source::Level(it) => (queue(it), it.index(), world.queue_name(it), "level"),
            Source::Holder(it) => (queue(it), it.index(), world.queue_name(it), "holder"),
            Source::Depth(it) => (queue(it), it.index(), world.queue_name(it), "depth"),
            Source::Bytes(it) => {
                (SignalGroup::StreamBuffers, it.index(), world.stream_buffer_name(it), "bytes")
            }
            Source::Bits(it) => {
                (SignalGroup::EventGroups, it.index(), world.event_group_name(it), "bits")
            }
            Source::Active(it) => (SignalGroup::Timers, it.index(), world.timer_name(it), "active"),
            Source::Callback(it) => {
                (SignalGroup::Timers, it.index(), world.timer_name(it), "callback")
            }
            Source::Fired(it) | Source::Text(it) | Source::Open(it) => {
                let of = world.markers.get(it).map(|marker| marker.scope);
                let label = self.of_task(of, &world.marker_name(it));
                let name = match source {
                    Source::Fired(_) => "fired",
                    Source::Text(_) => "text",
                    _ => "open",
                };
                return self.object((SignalGroup::Markers, it.index()), &label, name);
            }
            Source::Value(it) | Source::Real(it) => {
                let of = world.values.get(it).map(|value| value.scope);
                let label = self.of_task(of, &world.value_name(it));
                return self.object((SignalGroup::Values, it.index()), &label, "value");
            }
            Source::HeapFree => return self.plain(SignalGroup::Kernel, "kernel", "heap_free"),
            Source::HeapUsed => return self.plain(SignalGroup::Kernel, "kernel", "heap_in_use"),
            Source::Ticks => return self.plain(SignalGroup::Kernel, "kernel", "ticks"),
            Source::Finding => return self.plain(SignalGroup::Recording, "recording", "findings"),
        };
        self.object((kind, index), &label.to_string(), name)
    }

    /// A marker's name, with that of the task that it belongs to.
    fn of_task(&self, scope: Option<Scope>, label: &Label<'_>) -> String {
        match scope {
            Some(Scope::Task(task)) => format!("{} {label}", self.world.task_name(task)),
            _ => label.to_string(),
        }
    }

    #[expect(clippy::unused_self, reason = "one of several ways to make a path")]
    fn plain(&self, kind: SignalGroup, scope: &str, name: &str) -> (SignalGroup, Path) {
        (kind, Path { scopes: vec![scope.to_owned()], name: name.to_owned() })
    }

    fn isr(
        &mut self,
        core: u32,
        isr: usize,
        label: Label<'_>,
        suffix: &str,
    ) -> (SignalGroup, Path) {
        let name = self.unique((SignalGroup::Core(core), isr), &label.to_string());
        let scopes = vec![format!("core_{core}"), "interrupts".to_owned()];
        (SignalGroup::Core(core), Path { scopes, name: format!("{name}{suffix}") })
    }

    fn object(&mut self, object: Object, label: &str, name: &str) -> (SignalGroup, Path) {
        let scope = match object.0 {
            SignalGroup::Tasks => "tasks",
            SignalGroup::Queues => "queues",
            SignalGroup::Semaphores => "semaphores",
            SignalGroup::Mutexes => "mutexes",
            SignalGroup::StreamBuffers => "stream_buffers",
            SignalGroup::EventGroups => "event_groups",
            SignalGroup::Timers => "timers",
            SignalGroup::Markers => "event_markers",
            SignalGroup::Values => "value_markers",
            SignalGroup::Core(_) | SignalGroup::Kernel | SignalGroup::Recording => "others",
        };
        let scopes = vec![scope.to_owned(), self.unique(object, label)];
        (object.0, Path { scopes, name: name.to_owned() })
    }

    fn unique(&mut self, object: Object, label: &str) -> String {
        if let Some(known) = self.objects.get(&object) {
            return known.clone();
        }
        let name = self.scopes.entry(object.0).or_default().unique((self.clean)(label));
        self.objects.insert(object, name.clone());
        name
    }
}
