//! Generations: a number of the target may belong to one object after another.
//!
//! A number is given out again when the target was reset, or by firmware that reuses numbers. Each object that had it is a
//! generation with its own entry, so that names and statistics of different objects stay separate. A new one begins where the
//! number is created again, where another kind or name proves it after a gap, and with every reset of the target.

use super::life::{Life, Runs};
use super::object::{
    EventGroup, EventGroupRef, Queue, QueueRef, StreamBuffer, StreamBufferRef, Task, TaskRef,
    Timer, TimerRef,
};
use super::table::{Ref, Table};
use super::world::World;

/// An object of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnyRef {
    Task(TaskRef),
    Queue(QueueRef),
    StreamBuffer(StreamBufferRef),
    EventGroup(EventGroupRef),
    Timer(TimerRef),
}

/// An object of the kernel that is looked up by a number.
pub(crate) trait Object: Sized {
    /// Whether it has a state that is reported when it ends, even if nothing is known of it.
    const HAS_STATE: bool;
    /// Returns an object with this number, without other facts.
    fn of(id: u32) -> Self;
    fn table(world: &World) -> &Table<u32, Self>;
    fn table_mut(world: &mut World) -> &mut Table<u32, Self>;
    fn id(&self) -> u32;
    fn life(&mut self) -> &mut Life;
    fn any(of: Ref<Self>) -> AnyRef;
    /// Takes over name, kind and role of the object that had its number before a reset: it is most likely the same object of
    /// the same firmware, unless the recording reports otherwise.
    fn inherit(&mut self, before: &Self, at: Ref<Self>);
}

macro_rules! objects {
    ($($Object:ident in $table:ident, state $has_state:literal, inherits $($field:ident),+ $(and follows $before:ident)?;)*) => {$(
        impl Object for $Object {
            const HAS_STATE: bool = $has_state;

            fn of(id: u32) -> Self {
                Self { id, ..Self::default() }
            }

            #[inline]
            fn table(world: &World) -> &Table<u32, Self> {
                &world.$table
            }

            #[inline]
            fn table_mut(world: &mut World) -> &mut Table<u32, Self> {
                &mut world.$table
            }

            fn id(&self) -> u32 {
                self.id
            }

            #[inline]
            fn life(&mut self) -> &mut Life {
                &mut self.life
            }

            fn any(of: Ref<Self>) -> AnyRef {
                AnyRef::$Object(of)
            }

            fn inherit(&mut self, before: &Self, at: Ref<Self>) {
                $(self.$field = before.$field.clone();)+
                $(self.$before = Some(at);)?
                let _ = at;
            }
        }
    )*};
}

objects! {
    Task in tasks, state true, inherits name, idle_of, is_timer and follows before;
    Queue in queues, state false, inherits name, kind;
    StreamBuffer in stream_buffers, state false, inherits name, kind;
    EventGroup in event_groups, state false, inherits name;
    Timer in timers, state false, inherits name;
}

impl World {
    /// Returns the object that has this number now, which is created if there is none.
    #[inline]
    pub(crate) fn object<T: Object>(&mut self, id: u32) -> Option<Ref<T>> {
        match T::table(self).find(id) {
            Some(known) => Some(known),
            None => self.register(id),
        }
    }

    #[cold]
    #[inline(never)]
    fn register<T: Object>(&mut self, id: u32) -> Option<Ref<T>> {
        let runs = self.runs;
        let table = T::table_mut(self);
        let mut new = T::of(id);
        new.life().run = runs.run;
        if let Some(old) = table.released(id)
            && let Some(before) = table.get_mut(old)
            && runs.has(before.life().named)
        {
            new.inherit(before, old);
            new.life().named = runs.starts;
        }
        if let Some(new) = table.insert(id, new) {
            return Some(new);
        }
        let old = table.revive(id)?;
        if let Some(object) = table.get_mut(old) {
            object.life().died_ns = None;
        }
        Some(old)
    }

    /// A new object has this number from now on.
    #[cold]
    pub(crate) fn renew<T: Object>(&mut self, id: u32) -> Option<Ref<T>> {
        let mut new = T::of(id);
        new.life().run = self.runs.run;
        T::table_mut(self).insert(id, new)
    }

    /// The target was reset: all objects end, and their numbers are given out again. Objects that were only named, at the last
    /// start if that `has_names` of the new run, belong to the new run.
    pub(crate) fn reset<T: Object>(&mut self, ns: i64, has_names: bool) {
        let Runs { starts, run, .. } = self.runs;
        let table = T::table_mut(self);
        let mut over = Vec::new();
        for (of, object) in table.iter_current_mut() {
            let life = object.life();
            if has_names && !life.used && life.named == starts {
                life.run = run;
                continue;
            }
            if life.used {
                life.died_ns.get_or_insert(ns);
            }
            over.push((of, object.id()));
        }
        for (of, id) in over {
            if table.find(id) == Some(of) {
                table.retire_key(id);
            }
        }
    }
}
