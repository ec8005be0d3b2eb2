//! The painted data: one label per instant of each task and each interrupt, and the begins and ends of activations.

/// The object that a task works for, or the cause that releases it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// The end of a delay.
    Delay,
    /// An item of this queue.
    Queue(usize),
    /// A notification.
    Notification,
    /// Its creation, or a resume.
    Ready,
    /// The time limit of a wait passed.
    TimeOut,
}

impl Object {
    /// The word for an activation that it releases.
    #[must_use]
    pub const fn release(self) -> &'static str {
        match self {
            Self::Delay => "tick",
            Self::Queue(_) => "item",
            Self::Notification => "notify",
            Self::Ready => "ready",
            Self::TimeOut => "timeout",
        }
    }
}

/// An activation of a task. Times are ticks of the timestamps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaintedActivation {
    /// From 1.
    pub number: u64,
    /// Time of the cause that it serves.
    pub released: i64,
    /// When the task became ready, or took the cause.
    pub ready: i64,
    /// When it first had a core.
    pub started: Option<i64>,
    /// When it ended.
    pub ended: i64,
    /// The core on which it started.
    pub core: Option<usize>,
    /// Its priority then.
    pub priority: Option<u32>,
    /// It ended within the recording.
    pub end_seen: bool,
    /// How often the task got a core again.
    pub resumes: u32,
    /// How many causes it serves.
    pub merged: u32,
    /// What released it.
    pub object: Object,
    /// Who caused it, by name.
    pub by: Option<String>,
    has_taken: bool,
}

/// The activations and labels of a task.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    /// One label for each instant so far.
    pub labels: Vec<String>,
    /// In these instants a less urgent task delayed it through a lock.
    pub inverted: Vec<bool>,
    /// Activations that have ended.
    pub done: Vec<PaintedActivation>,
    open: Option<PaintedActivation>,
    count: u64,
}

impl Canvas {
    /// An activation is open.
    #[must_use]
    pub const fn is_active(&self) -> bool {
        self.open.is_some()
    }

    /// An activation begins.
    pub fn begin(&mut self, released: i64, ready: i64, object: Object, by: Option<&str>) {
        self.count += 1;
        self.open = Some(PaintedActivation {
            number: self.count,
            released,
            ready,
            started: None,
            ended: ready,
            core: None,
            priority: None,
            end_seen: true,
            resumes: 0,
            merged: 1,
            object,
            by: by.map(str::to_owned),
            has_taken: false,
        });
    }

    /// The task gets a core.
    pub fn start(&mut self, now: i64, core: usize, priority: u32) {
        let Some(open) = &mut self.open else { return };
        if open.started.is_some() {
            open.resumes += 1;
        } else {
            (open.started, open.core, open.priority) = (Some(now), Some(core), Some(priority));
        }
    }

    /// The task takes an object. Returns false if its activation has already taken one of this object.
    pub fn takes(&mut self, object: Object, merged: u32) -> bool {
        let Some(open) = &mut self.open else { return true };
        if open.object != object {
            return true;
        }
        if !open.has_taken {
            (open.has_taken, open.merged) = (true, merged);
            return true;
        }
        false
    }

    /// The task gives up: the wait that released the activation has timed out, unless another task or an interrupt woke it.
    pub fn expire_wait(&mut self, object: Object) {
        if let Some(open) = &mut self.open
            && open.object == object
            && open.by.is_none()
            && !open.has_taken
        {
            open.object = Object::TimeOut;
        }
    }

    /// The activation ends, if there is one.
    pub fn end(&mut self, now: i64, end_seen: bool) {
        if let Some(mut open) = self.open.take() {
            (open.ended, open.end_seen) = (now, end_seen);
            self.done.push(open);
        }
    }

    /// A wait for room ends, and this task or interrupt made the room: it takes the whole wait.
    pub fn name_taker(&mut self, now: i64, by: &str) {
        let now = usize::try_from(now).unwrap_or(0);
        for label in self.labels[..now].iter_mut().rev().take_while(|it| it.starts_with("room in"))
        {
            label.push_str(" by ");
            label.push_str(by);
        }
    }

    /// The labels of an activation, from its release to its end.
    #[must_use]
    pub fn of(&self, activation: &PaintedActivation) -> Vec<&str> {
        let labels = (activation.released..activation.ended).map(|at| {
            if at < activation.ready {
                "backlog"
            } else {
                &self.labels[usize::try_from(at).unwrap_or(0)]
            }
        });
        labels.collect()
    }

    /// How many instants of an activation are inverted.
    #[must_use]
    pub fn inverted(&self, activation: &PaintedActivation) -> i64 {
        let at = |at: i64| usize::try_from(at).unwrap_or(0);
        let range = &self.inverted[at(activation.ready)..at(activation.ended)];
        i64::try_from(range.iter().filter(|it| **it).count()).unwrap_or(0)
    }
}

/// One run of an interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IsrCanvas {
    /// Its name.
    pub name: String,
    /// From 1, over all cores.
    pub number: u64,
    /// Its core.
    pub core: usize,
    /// Begin and end.
    pub begin: i64,
    /// End.
    pub end: i64,
    /// It ended within the recording.
    pub end_seen: bool,
    /// One label for each instant.
    pub labels: Vec<String>,
}
