//! Facts about a recording of QS.

use super::sizes::{Sizes, TargetInfo};
use crate::importer::ForeignRecording;

/// What a recording has turned out to contain.
#[derive(Debug, Default)]
pub struct Facts {
    pub info: Option<TargetInfo>,
    /// The sizes that are used, and how many records of how many fit them, if they were inferred.
    pub guess: Option<(Sizes, usize, usize)>,
    pub has_text: bool,
    pub has_names: bool,
}

/// A version such as 720.
fn version(of: u32) -> String {
    format!("{}.{}.{}", of / 100, of / 10 % 10, of % 10)
}

/// The facts, for `check`.
pub fn about(facts: &Facts) -> ForeignRecording {
    let mut about = ForeignRecording { format: "QS".to_owned(), ..ForeignRecording::default() };
    about.recorder = match &facts.info {
        Some(info) => {
            let order = if info.is_big_endian { ", big-endian target" } else { "" };
            format!("QP {}, built {}{order}", version(info.version), info.built)
        }
        None => "QP, version unknown: no TARGET_INFO record".to_owned(),
    };
    let inferred = &mut about.inferred;
    if let Some((sizes, fit, all)) = facts.guess {
        inferred.push(format!(
            "sizes of the fields ({fit} of {all} records end where they should with them): timestamp {}, object {}, \
             function {}, signal {}, queue counter {}, event size {}, pool counter {}, time event counter {}",
            sizes.time,
            sizes.object,
            sizes.function,
            sizes.signal,
            sizes.queue,
            sizes.event,
            sizes.pool,
            sizes.time_event
        ));
    }
    if facts.has_text {
        inferred.push("names that are not in the recording: those of the .dic file".to_owned());
    }
    inferred.push("levels of queues: from their free entries".to_owned());
    let lacks = &mut about.not_recorded;
    lacks.push("the frequency of the timestamps".to_owned());
    if !facts.has_names {
        lacks.push("names: keep the .dic file of the firmware beside the recording".to_owned());
    }
    lacks.push(
        "what runs between two events, unless the kernel records switches: it is unknown"
            .to_owned(),
    );
    about
}
