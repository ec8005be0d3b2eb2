//! One line of advice for an activation, by the largest part of its time.

use tband_conv::activations::PartKind;

use super::collect::NamedActivation;

/// Returns the advice.
pub fn advice(found: &NamedActivation) -> Option<String> {
    let name = &found.name;
    let lock = found.rows.iter().filter(|row| row.lock.is_some()).max_by_key(|row| row.ns);
    if let Some(row) = lock
        && row.is_inverted
        && found.inverted_ns.saturating_mul(10) >= found.response_ns()
    {
        let lock = row.lock.as_deref().unwrap_or_default();
        return Some(if row.is_semaphore {
            format!(
                "make {lock} a mutex (xSemaphoreCreateMutex()): a binary semaphore does not lend its holder the waiter's \
                 priority"
            )
        } else {
            format!(
                "find out why the holder of {lock} ran with a lower priority than {name}: a mutex lends it the waiter's \
                 priority only while the waiter waits"
            )
        });
    }
    if found.merged > 1 {
        return Some(format!(
            "do the work of all {} notifications that {name} took at once, or take them one by one: ulTaskNotifyTake(pdFALSE, ...)",
            found.merged
        ));
    }
    let (kind, ns) = PartKind::ALL.into_iter().zip(found.sums).max_by_key(|(_, ns)| *ns)?;
    let longest = found.rows.iter().filter(|row| !row.is_detail && row.kind == kind);
    let longest = longest.max_by_key(|row| row.ns);
    let others = longest.map(|row| row.tasks.join(", ")).filter(|names| !names.is_empty());
    let others = others.unwrap_or_else(|| "the other tasks".to_owned());
    if ns <= 0 {
        return None;
    }
    Some(match kind {
        PartKind::Own => {
            format!("shorten the work of {name}, or move a part of it to a less urgent task")
        }
        PartKind::Interrupts => {
            "shorten the interrupts, or move work from them to a task".to_owned()
        }
        PartKind::Preempted => {
            format!("shorten the work of {others}, or give {name} a higher priority")
        }
        PartKind::Shared => format!("give {name} a higher priority than {others}"),
        PartKind::Pushed => format!("let {others} hold the lock for less time"),
        PartKind::HeldOff => {
            format!("look for critical sections and vTaskSuspendAll() in {others}")
        }
        PartKind::Locked => match lock.and_then(|row| row.lock.as_deref()) {
            Some(lock) => format!("let {others} hold {lock} for less time"),
            None => "hold locks for less time".to_owned(),
        },
        PartKind::Room => {
            "make the queue or buffer longer, or let its receiver run sooner".to_owned()
        }
        PartKind::Backlog => {
            format!("{name} is still busy when its work arrives: shorten its work, or give it less")
        }
        PartKind::Suspended => format!("look at who suspends {name} during its work"),
        PartKind::Unknown => {
            "see tband-cli check: it shows where events are missing. Before the first task switch nothing is known".to_owned()
        }
        _ => return None,
    })
}
