//! What Perfetto's tables must hold, worked out from the timeline's steps, and the queries for it: how
//! long each task was in each state, how long each thread was on a core, slices, waits, counters, flows.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;

use tband_conv::model::{
    Change, EventTime, ForgottenState, IsrRef, MarkerRef, Outcome, Sink, TaskRef, TaskState, Waker,
    World,
};
use tband_conv::{Input, Options, convert};

/// A sum and a number by tag and name.
pub type Sums = BTreeMap<(String, String), (i64, u64)>;

/// Rows of two numbers and a name.
pub const QUERIES: [(&str, &str, &str); 6] = [
    // A state that is open at the end has no length. A task that an interrupt preempts is ready in that time.
    (
        "state",
        "sum(dur) || ' 1 ' || name || '/' || what",
        "from (select dur, s.id, name, case when state = 'Running' then 'run' \
         when state glob 'R*' then 'R' else state end as what, \
         last_value(s.id) over (partition by utid order by ts, s.id \
         rows between unbounded preceding and unbounded following) as last \
         from thread_state s join thread using (utid) \
         where tid != 0 and tid not between 300000 and 400000) \
         where id != last and what not in ('Z', 'X') group by name, what having sum(dur) > 0",
    ),
    (
        "core",
        "sum(dur) || ' 1 ' || name",
        "from sched join thread using (utid) where tid != 0 group by name having sum(dur) > 0",
    ),
    (
        "slice",
        "sum(dur) || ' ' || count(*) || ' ' || s.name",
        "from slice s join track t on t.id = s.track_id left join track p on p.id = t.parent_id \
         where coalesce(p.name, '') != 'Errors' and s.dur >= 0 and s.name != 'deleted' \
         and not (t.name = 'waits and calls' and s.dur > 0 and s.name != 'suspended') group by s.name",
    ),
    (
        "wait",
        "sum(dur) || ' ' || count(*) || ' ' || thread.name",
        "from slice s join thread_track t on t.id = s.track_id join thread using (utid) \
         where t.name = 'waits and calls' and s.dur > 0 and s.name != 'suspended' group by thread.name",
    ),
    (
        "counter",
        "cast(sum(case when abs(value) < 1e12 then value else 0 end) as int) || ' ' || count(*) \
         || ' ' || t.name",
        "from counter c join track t on t.id = c.track_id \
         where t.name not glob 'Load of core *' and t.name not glob 'in interrupts of core *' group by t.name",
    ),
    ("flow", "0 || ' ' || count(*) || ' flows'", "from flow"),
];

/// State of a core: the running task, and open interrupts.
#[derive(Default)]
struct CoreState {
    task: Option<TaskRef>,
    isrs: Vec<IsrRef>,
    since: i64,
}

/// Follows the steps.
#[derive(Default)]
struct Rows {
    sums: Sums,
    states: HashMap<TaskRef, (TaskState, &'static str, i64)>,
    cores: BTreeMap<u32, CoreState>,
    /// Time that each task or interrupt was on a core.
    ran: HashMap<Thread, i64>,
    spans: HashMap<MarkerRef, Vec<(String, i64)>>,
    held: HashMap<usize, (String, i64)>,
    /// Waits for a mutex of tasks that are woken: since when, until when they blocked, and whether the mutex
    /// was given.
    woken: HashMap<TaskRef, (i64, i64, bool)>,
    /// Queues with a level, and tasks with a priority.
    levels: HashSet<usize>,
    priorities: HashSet<TaskRef>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Thread {
    Task(TaskRef),
    Isr(IsrRef, u32),
}

impl Rows {
    fn add(&mut self, tag: &str, name: String, amount: i64) {
        let sum = self.sums.entry((tag.to_owned(), name)).or_default();
        *sum = (sum.0 + amount, sum.1 + 1);
    }

    fn letter(&self, state: TaskState) -> &'static str {
        match state {
            TaskState::Running(core)
                if self.cores.get(&core).is_some_and(|core| !core.isrs.is_empty()) =>
            {
                "R"
            }
            TaskState::Running(_) => "run",
            TaskState::Ready => "R",
            TaskState::Blocked(_) => "S",
            TaskState::Suspended => "T",
            TaskState::Unknown => "D",
            // Not shown, or known to Perfetto from the list of threads only.
            TaskState::Deleted | TaskState::Created => "",
        }
    }

    /// The wait of a task that was woken ends now, or has when it was woken.
    fn mutex_wait_ends(&mut self, world: &World, task: TaskRef, now: Option<i64>) {
        if let Some((since, woken, given)) = self.woken.remove(&task) {
            let end = now.filter(|_| given).unwrap_or(woken);
            self.add("wait", world.task_name(task).to_string(), end - since);
        }
    }

    fn state(&mut self, world: &World, at: EventTime, task: TaskRef, to: TaskState, waker: Waker) {
        let EventTime { ns, .. } = at;
        if matches!(
            to,
            TaskState::Blocked(_) | TaskState::Suspended | TaskState::Unknown | TaskState::Deleted
        ) {
            self.mutex_wait_ends(world, task, Some(ns));
        }
        let now = self.letter(to);
        let (from, what, since) = self.states.get(&task).copied().unwrap_or((to, "", ns));
        let since = if what == now { since } else { ns };
        let before = self.states.insert(task, (to, now, since));
        if let Some((_, what, since)) = before.filter(|before| before.1 != now && ns > before.2) {
            if !what.is_empty() {
                let sum = self
                    .sums
                    .entry(("state".to_owned(), format!("{}/{what}", world.task_name(task))));
                let sum = sum.or_default();
                *sum = (sum.0 + ns - since, 1);
            }
            let is_for_mutex = matches!(from, TaskState::Blocked(wait) if world.is_for_mutex(wait));
            if is_for_mutex && matches!(to, TaskState::Ready | TaskState::Running(_)) {
                self.woken.insert(task, (since, ns, waker != Waker::Other));
            } else if what == "S" {
                self.add("wait", world.task_name(task).to_string(), ns - since);
            } else if what == "T" {
                self.add("slice", "suspended".to_owned(), ns - since);
            }
        }
        match (from, to) {
            (_, TaskState::Running(core)) => self.on_core(core, ns, |it| it.task = Some(task)),
            (TaskState::Running(core), _) => self.on_core(core, ns, |it| {
                it.task = it.task.filter(|it| *it != task);
            }),
            _ => {}
        }
    }

    fn on_core(&mut self, number: u32, ns: i64, change: impl FnOnce(&mut CoreState)) {
        let core = self.cores.entry(number).or_default();
        let task = core.task.map(Thread::Task);
        let now = core.isrs.last().map(|isr| Thread::Isr(*isr, number)).or(task);
        if let Some(now) = now {
            *self.ran.entry(now).or_default() += ns - core.since;
        }
        core.since = ns;
        change(core);
    }

    fn isr(&mut self, world: &World, at: EventTime, change: impl FnOnce(&mut CoreState)) {
        self.on_core(at.core, at.ns, change);
        if let Some(task) = self.cores.get(&at.core).and_then(|core| core.task) {
            self.state(world, at, task, TaskState::Running(at.core), Waker::Other);
        }
    }

    fn span_ends(&mut self, marker: MarkerRef, ns: i64) {
        if let Some((name, since)) = self.spans.entry(marker).or_default().pop() {
            self.add("slice", name, ns - since);
        }
    }

    fn give(&mut self, queue: usize, ns: i64) {
        if let Some((name, since)) = self.held.remove(&queue) {
            self.add("slice", name, ns - since);
        }
    }
}

impl Sink for Rows {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        let ns = at.ns;
        match *change {
            Change::TaskState { task, to, waker, .. } => self.state(world, at, task, to, waker),
            Change::StillRunning(task) => {
                self.state(world, at, task, TaskState::Ready, Waker::Other);
            }
            Change::WaitEnded { task, outcome, .. } => {
                if outcome == Outcome::Satisfied
                    && let Some((.., given)) = self.woken.get_mut(&task)
                {
                    *given = true;
                }
                let now = Some(ns).filter(|_| outcome == Outcome::Satisfied);
                self.mutex_wait_ends(world, task, now);
            }
            Change::IsrEnter(isr) => self.isr(world, at, |core| core.isrs.push(isr)),
            Change::IsrExit(_) | Change::Forgotten(ForgottenState::Isr(_)) => {
                self.isr(world, at, |core| core.isrs.truncate(core.isrs.len() - 1));
            }
            Change::Marker(marker, msg, _) | Change::SpanBegin(marker, msg, _) => {
                let name = match msg.to_string() {
                    text if text.is_empty() => world.marker_name(marker).to_string(),
                    text => text,
                };
                match change {
                    Change::Marker(..) => self.add("slice", name, 0),
                    _ => self.spans.entry(marker).or_default().push((name, ns)),
                }
            }
            Change::SpanEnd(marker, _)
            | Change::SpanAbandoned(marker)
            | Change::Forgotten(ForgottenState::Span(marker)) => self.span_ends(marker, ns),
            Change::MutexTaken(queue, holder) => {
                let name = match holder {
                    Some(task) => world.task_name(task).to_string(),
                    None => "held, not known by whom".to_owned(),
                };
                self.held.insert(queue.index(), (name, ns));
            }
            Change::MutexGiven(queue, _) | Change::Forgotten(ForgottenState::Holder(queue)) => {
                self.give(queue.index(), ns);
            }
            Change::QueueLevel { queue, level, .. }
                if !world.queues.get(queue).is_some_and(|queue| queue.is_mutex()) =>
            {
                self.levels.insert(queue.index());
                self.add("counter", world.queue_name(queue).to_string(), level.into());
            }
            Change::Forgotten(ForgottenState::Level(queue))
                if self.levels.contains(&queue.index()) =>
            {
                self.add("counter", world.queue_name(queue).to_string(), -1);
            }
            Change::Forgotten(ForgottenState::Priority(task))
                if self.priorities.contains(&task) =>
            {
                self.add("counter", format!("priority of {}", world.task_name(task)), -1);
            }
            Change::Priority { task, priority, .. } => {
                let name = format!("priority of {}", world.task_name(task));
                if world.tasks.get(task).is_some_and(|task| task.idle_of.is_none()) {
                    self.priorities.insert(task);
                    self.add("counter", name, priority.into());
                }
            }
            Change::Value(value, number, _) => {
                // Beyond that Perfetto's numbers are not exact any more.
                let rounded = number.rounded();
                let summed = if rounded.unsigned_abs() < 1_000_000_000_000 { rounded } else { 0 };
                self.add("counter", world.value_name(value).to_string(), summed);
            }
            Change::Flow(flow) if !flow.is_to_itself() => {
                self.add("flow", "flows".to_owned(), 0);
                if flow.woke {
                    // From the wait to who ended it.
                    self.add("flow", "flows".to_owned(), 0);
                }
                for end in [flow.from, flow.to] {
                    self.add("slice", world.describe_act(end.act), 0);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        let given = |woken: &(i64, i64, bool)| woken.2;
        let tasks: Vec<_> = self.woken.iter().filter(|it| !given(it.1)).map(|it| *it.0).collect();
        tasks.into_iter().for_each(|task| self.mutex_wait_ends(world, task, None));
        for core in self.cores.keys().copied().collect::<Vec<_>>() {
            self.on_core(core, end_ns, |_| {});
        }
        for (thread, ns) in std::mem::take(&mut self.ran) {
            let name = match thread {
                Thread::Task(task) => world.task_name(task).to_string(),
                Thread::Isr(isr, core) => isr_thread(world, isr, core),
            };
            if ns > 0 {
                let sum = self.sums.entry(("core".to_owned(), name)).or_default();
                *sum = (sum.0 + ns, 1);
            }
        }
        Ok(())
    }
}

fn isr_thread(world: &World, isr: IsrRef, core: u32) -> String {
    let at = if world.cores.len() > 1 { format!(", core {core}") } else { String::new() };
    match world.isr_name(isr, core).name() {
        Some(name) => format!("{name} ISR{at}"),
        None => format!("ISR {}{at}", world.isrs.get(isr).unwrap().id),
    }
}

/// What the tables must hold of a recording with tasks, interrupts, queues and markers.
pub fn expected(inputs: &[Input<'_>], options: &Options) -> Sums {
    let mut rows = Rows::default();
    convert(inputs, options, &mut rows).unwrap();
    rows.sums
}

/// The same from the rows of the queries.
pub fn sums_of_rows(rows: &[(String, String)]) -> Sums {
    let parse = |(tag, row): &(String, String)| {
        let mut parts = row.splitn(3, ' ');
        let mut next = || parts.next().unwrap();
        let (sum, count) = (next().parse().unwrap(), next().parse().unwrap());
        ((tag.clone(), next().to_owned()), (sum, count))
    };
    let ours = rows.iter().filter(|row| QUERIES.iter().any(|query| query.0 == row.0));
    ours.map(parse).filter(|(_, numbers)| numbers.1 > 0).collect()
}
