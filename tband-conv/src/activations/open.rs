//! An activation that has not ended: its current path and the sums so far.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::sync::Arc;

use super::activation::{Activation, PartKind, Path, PathSegment, Reason, Release, Subject};
use super::{ActivationSink, Occupant};
use crate::model::{Waker, World};

/// Paths that are distinguished in one activation; the time of further ones is summed by kind.
const MAX_PATHS: usize = 256;

/// A path that many activations may share, with its hash: paths are compared at each switch.
#[derive(Clone, Debug)]
pub struct SharedPath {
    path: Arc<Path>,
    hash: u64,
}

impl SharedPath {
    pub fn new(path: Path) -> Self {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        Self { path: Arc::new(path), hash: hasher.finish() }
    }
}

impl PartialEq for SharedPath {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && (Arc::ptr_eq(&self.path, &other.path) || self.path == other.path)
    }
}

/// An activation that has not ended.
#[derive(Debug)]
pub struct OpenActivation {
    pub done: Activation,
    /// The path since `since`.
    path: SharedPath,
    /// The hashes of the paths in the split, in their order, each with its place there.
    hashes: Vec<(u32, u16)>,
    since: i64,
    /// The object that the activation waited for has been taken once.
    pub has_taken: bool,
    /// It began with a take without a wait, at its ready time; the cause may be reported after the take.
    pub is_fresh: bool,
    /// Events are missing in it.
    pub is_cut: bool,
}

impl OpenActivation {
    /// An activation that becomes ready at `ns`.
    pub fn new(subject: Subject, number: u64, ns: i64, core: u32, release: Release) -> Self {
        let done = Activation {
            subject,
            number,
            release,
            woken_by: Waker::Other,
            core,
            released_ns: ns,
            ready_ns: ns,
            started_ns: None,
            ended_ns: ns,
            split: Vec::new(),
            others: [0; PartKind::COUNT],
            inverted_ns: 0,
            resumes: 0,
            merged: 1,
            priority: None,
            begin_seen: true,
            end_seen: true,
        };
        Self {
            done,
            path: SharedPath::new(Path::of(Reason::Unknown)),
            hashes: Vec::new(),
            since: ns,
            has_taken: false,
            is_fresh: false,
            is_cut: false,
        }
    }

    /// From `from` on, this is the path.
    pub fn advance(
        &mut self,
        out: &mut dyn ActivationSink,
        world: &World,
        from: i64,
        path: &SharedPath,
    ) -> io::Result<()> {
        if self.path != *path {
            self.flush(out, world, from)?;
            self.path = path.clone();
        }
        Ok(())
    }

    /// Ends the part with the present path at `ns`.
    fn flush(&mut self, out: &mut dyn ActivationSink, world: &World, ns: i64) -> io::Result<()> {
        let length = ns.saturating_sub(self.since);
        if length <= 0 {
            return Ok(());
        }
        let begin_ns = std::mem::replace(&mut self.since, ns);
        self.add(length);
        let Activation { subject, number, .. } = self.done;
        out.part(
            world,
            &PathSegment { subject, number, begin_ns, end_ns: ns, path: &self.path.path },
        )
    }

    fn add(&mut self, length: i64) {
        let Self { done, path: SharedPath { path, hash }, hashes, .. } = self;
        if path.is_inverted {
            done.inverted_ns = done.inverted_ns.saturating_add(length);
        }
        // The upper half distinguishes them well enough to find one among so few.
        let key = (*hash >> 32) as u32;
        let first = hashes.partition_point(|(it, _)| *it < key);
        let alike = hashes.iter().skip(first).take_while(|(it, _)| *it == key);
        let mut places = alike.map(|(_, place)| usize::from(*place));
        let is_it = |place: &usize| done.split.get(*place).is_some_and(|(it, _)| it == path);
        let place = places.find(is_it);
        if let Some((_, ns)) = place.and_then(|place| done.split.get_mut(place)) {
            *ns = ns.saturating_add(length);
        } else if done.split.len() < MAX_PATHS {
            // Below `MAX_PATHS`.
            hashes.insert(first, (key, done.split.len() as u16));
            done.split.push((Arc::clone(path), length));
        } else {
            let others = &mut done.others[path.kind() as usize];
            *others = others.saturating_add(length);
        }
    }

    /// The cause that it serves came at `ns`, before the task was ready: until then the task was busy with the previous one, or the
    /// timer task was.
    pub fn release_earlier(
        &mut self,
        out: &mut dyn ActivationSink,
        world: &World,
        ns: i64,
    ) -> io::Result<()> {
        let ready = self.done.ready_ns;
        if ns >= ready || self.since != ready || self.done.released_ns != ready {
            return Ok(());
        }
        let backlog = SharedPath::new(Path::of(Reason::Backlog));
        let path = std::mem::replace(&mut self.path, backlog);
        self.done.released_ns = ns;
        self.since = ns;
        self.flush(out, world, ready)?;
        self.path = path;
        Ok(())
    }

    /// The wait for room ends now, and this task or interrupt made the room.
    pub fn name_taker(&mut self, taker: Occupant) {
        let mut path = Path::clone(&self.path.path);
        if let Reason::Room(_, by) | Reason::BufferRoom(_, by) = &mut path.reason {
            by.get_or_insert(taker);
            self.path = SharedPath::new(path);
        }
    }

    /// It ends at `ns`.
    pub fn end(
        mut self,
        out: &mut dyn ActivationSink,
        world: &World,
        ns: i64,
        is_seen: bool,
    ) -> io::Result<()> {
        self.flush(out, world, ns)?;
        self.done.ended_ns = self.since.max(ns);
        self.done.end_seen = is_seen && !self.is_cut;
        out.activation(world, &self.done)
    }
}
