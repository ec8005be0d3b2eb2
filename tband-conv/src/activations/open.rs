//! An activation that has not ended: its current path and the sums so far.

use std::io;

use super::activation::{Activation, Part, PartKind, Path, Reason, Release, Subject};
use super::{ActivationSink, Occupant};
use crate::model::{Waker, World};

/// Paths that are distinguished in one activation; the time of further ones is summed by kind.
const MAX_PATHS: usize = 256;

/// An activation that has not ended.
#[derive(Debug)]
pub struct Open {
    pub done: Activation,
    /// The path since `since`.
    path: Path,
    since: i64,
    /// The object that the activation waited for has been taken once.
    pub has_taken: bool,
    /// It began with a take without a wait, at its ready time; the cause may be reported after the take.
    pub is_fresh: bool,
    /// Events are missing in it.
    pub is_cut: bool,
}

impl Open {
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
        let path = Path::of(Reason::Unknown);
        Self { done, path, since: ns, has_taken: false, is_fresh: false, is_cut: false }
    }

    /// Time passed to `ns` with this path. `path` gets the previous one for reuse.
    pub fn advance(
        &mut self,
        out: &mut dyn ActivationSink,
        world: &World,
        (from, path): (i64, &mut Path),
    ) -> io::Result<()> {
        if self.path == *path {
            return Ok(());
        }
        self.flush(out, world, from)?;
        std::mem::swap(&mut self.path, path);
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
        out.part(world, &Part { subject, number, begin_ns, end_ns: ns, path: &self.path })
    }

    fn add(&mut self, length: i64) {
        let done = &mut self.done;
        if self.path.is_inverted {
            done.inverted_ns = done.inverted_ns.saturating_add(length);
        }
        if let Some((_, ns)) = done.split.iter_mut().find(|(path, _)| *path == self.path) {
            *ns = ns.saturating_add(length);
        } else if done.split.len() < MAX_PATHS {
            done.split.push((self.path.clone(), length));
        } else {
            let others = &mut done.others[self.path.kind() as usize];
            *others = others.saturating_add(length);
        }
    }

    /// The cause that it serves came at `ns`, before the task was ready: until then the task was busy with the previous one.
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
        let path = std::mem::replace(&mut self.path, Path::of(Reason::Backlog));
        self.done.released_ns = ns;
        self.since = ns;
        self.flush(out, world, ready)?;
        self.path = path;
        Ok(())
    }

    /// The wait for room ends now, and this task or interrupt made the room.
    pub fn name_taker(&mut self, taker: Occupant) {
        let (Reason::Room(_, by) | Reason::BufferRoom(_, by)) = &mut self.path.reason else {
            return;
        };
        by.get_or_insert(taker);
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
