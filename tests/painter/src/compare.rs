//! Holds the activations that the converter finds against the painted ones.

use crate::canvas::{IsrCanvas, PaintedActivation};
use crate::kernel::Kernel;
use crate::reported::{ReportedActivation, ReportedActivations};

/// Ticks of the timestamps are 1 us.
const TICK_NS: i64 = 1000;

/// Numbers of compared items.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Activations of tasks and interrupts.
    pub activations: u64,
    /// Instants of activations.
    pub instants: u64,
    /// Holds of locks.
    pub holds: u64,
}

/// Compares everything.
///
/// # Errors
/// The first difference, in words.
pub fn compare(kernel: &Kernel, all: &ReportedActivations) -> Result<Figures, String> {
    let mut figures = Figures::default();
    for (number, task) in kernel.tasks.iter().enumerate() {
        let name = kernel.name(number);
        let found = all.activations.get(&name).map_or(&[][..], Vec::as_slice);
        let painted = &task.canvas.done;
        for (painted, found) in painted.iter().zip(found) {
            let labels = task.canvas.of(painted);
            let inverted = task.canvas.inverted(painted);
            same_task(painted, found, (&labels, inverted))
                .map_err(|it| format!("{name} {}: {it}\n  painted {painted:?}", painted.number))?;
            figures.activations += 1;
            figures.instants += labels.len() as u64;
        }
        if painted.len() != found.len() {
            return Err(format!(
                "{name}: painted {} activations, found {}; first without a partner:\n  {:?}\n  {:?}",
                painted.len(),
                found.len(),
                painted.get(found.len()),
                found.get(painted.len()).map(|it| &it.activation),
            ));
        }
    }
    for painted in &kernel.isrs {
        let found = all.activations.get(&painted.name).map_or(&[][..], Vec::as_slice);
        let same = |it: &&ReportedActivation| it.activation.number == painted.number;
        let found = found.iter().find(same).ok_or_else(|| format!("not found: {painted:?}"))?;
        same_isr(painted, found).map_err(|it| format!("{}: {it}\n  {painted:?}", painted.name))?;
        figures.activations += 1;
        figures.instants += painted.labels.len() as u64;
    }
    let count: usize = all.activations.values().map(Vec::len).sum();
    if count as u64 != figures.activations {
        return Err(format!("{count} activations found, {} painted", figures.activations));
    }
    figures.holds = same_holds(kernel, all)?;
    Ok(figures)
}

fn equal<T: PartialEq + std::fmt::Debug>(name: &str, painted: T, found: T) -> Result<(), String> {
    if painted == found {
        return Ok(());
    }
    Err(format!("{name}: painted {painted:?}, found {found:?}"))
}

fn same_task(
    painted: &PaintedActivation,
    found: &ReportedActivation,
    (labels, inverted): (&[&str], i64),
) -> Result<(), String> {
    let it = &found.activation;
    let ns = |at: i64| at * TICK_NS;
    equal("number", painted.number, it.number)?;
    equal("released", ns(painted.released), it.released_ns)?;
    equal("ready", ns(painted.ready), it.ready_ns)?;
    equal("started", painted.started.map(ns), it.started_ns)?;
    equal("ended", ns(painted.ended), it.ended_ns)?;
    equal("end seen", painted.end_seen, it.end_seen)?;
    equal("begin seen", true, it.begin_seen)?;
    equal("release", painted.object.release(), found.release)?;
    equal("by", painted.by.as_deref(), found.by.as_deref())?;
    if let Some(core) = painted.core {
        equal("core", core as u64, u64::from(it.core))?;
    }
    equal("priority", painted.priority, it.priority)?;
    equal("resumes", painted.resumes, it.resumes)?;
    equal("merged", painted.merged, it.merged)?;
    same_labels(labels, found, ns(painted.released))?;
    equal("inverted", ns(inverted), it.inverted_ns)
}

fn same_isr(painted: &IsrCanvas, found: &ReportedActivation) -> Result<(), String> {
    let it = &found.activation;
    let ns = |at: i64| at * TICK_NS;
    equal("begin", ns(painted.begin), it.released_ns)?;
    equal("end", ns(painted.end), it.ended_ns)?;
    equal("core", painted.core as u64, u64::from(it.core))?;
    equal("end seen", painted.end_seen, it.end_seen)?;
    let labels: Vec<_> = painted.labels.iter().map(String::as_str).collect();
    same_labels(&labels, found, ns(painted.begin))
}

/// The parts have the painted label at each instant, and the split has as much of each as instants were painted with it.
fn same_labels(painted: &[&str], found: &ReportedActivation, begin: i64) -> Result<(), String> {
    let labels = found.labels(0).ok_or("a part begins between two instants")?;
    let at = |it: usize| begin / TICK_NS + i64::try_from(it).unwrap_or(0);
    for (number, (painted, found)) in painted.iter().zip(&labels).enumerate() {
        equal(&format!("at {}", at(number)), *painted, *found)?;
    }
    equal("instants", painted.len(), labels.len())?;
    // Paths through one interrupt on two cores have one label.
    for (label, _) in &found.split {
        let count = painted.iter().filter(|it| *it == label).count();
        let sum: i64 = found.split.iter().filter(|(it, _)| it == label).map(|(_, ns)| ns).sum();
        equal(&format!("sum of {label:?}"), i64::try_from(count).unwrap_or(0) * TICK_NS, sum)?;
    }
    Ok(())
}

fn same_holds(kernel: &Kernel, all: &ReportedActivations) -> Result<u64, String> {
    let mut painted: Vec<_> = kernel.holds.clone();
    let mut found: Vec<_> = all
        .holds
        .iter()
        .map(|(hold, lock, holder)| crate::kernel::Hold {
            lock: lock.clone(),
            times: (hold.begin_ns / TICK_NS, hold.end_ns / TICK_NS),
            holder: holder.clone(),
            waiters: hold.waiters,
            end_seen: hold.end_seen,
        })
        .collect();
    painted.sort();
    found.sort();
    for (painted, found) in painted.iter().zip(&found) {
        equal("hold", painted, found)?;
    }
    equal("holds", painted.len(), found.len())?;
    Ok(painted.len() as u64)
}
