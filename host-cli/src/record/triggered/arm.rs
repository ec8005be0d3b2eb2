//! Requests triggers from the firmware, repeatedly, and finally undoes the requests: one command at a time.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use anyhow::bail;
use tband_format::packet::command::{Command, CommandKind};
use tband_format::trigger::{EVENT, TriggerState};

use crate::target_commands::{
    Numbers, RequestContent, SentCommand, format_answer, is_of_crash, parse_request,
};

/// Time after a loss until it checks whether all triggers are still armed. The report of a frozen recording may still come; and
/// a line with many losses must not be busy with this.
const AFTER_LOSS: Duration = Duration::from_secs(1);
/// The object's number, if it may be any: `TBAND_TRIGGER_ANY`.
const ANY: u32 = u32::MAX;
/// Triggers that a target has, at most.
const MANY: usize = 7;

/// Triggers that the firmware is to wait for.
pub struct Arm {
    to_send: Sender<Vec<u8>>,
    numbers: Numbers,
    triggers: Vec<RequestedTrigger>,
    /// The next requests.
    next: VecDeque<TriggerRequest>,
    waits: Option<PendingRequest>,
    /// There is a connection.
    is_open: bool,
    /// Since then events were lost, and armed triggers may have fired unseen.
    doubts: Option<Instant>,
    /// Everything was requested again where the target may have been reset.
    was_asked_again: bool,
    /// The triggers must not fire any more.
    has_ended: bool,
}

struct RequestedTrigger {
    /// As the user wrote it.
    text: String,
    kind: &'static CommandKind,
    command: Command,
    /// Its number in the firmware, once that has answered.
    number: Option<u32>,
    /// It has fired, by this number, and was not armed again.
    fired: Option<u32>,
}

/// One of the triggers, by its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TriggerRequest {
    Arm(usize),
    /// Arms it once more: the returned number shows whether it was still armed. The firmware takes the first free place.
    Recheck(usize),
    Disarm(u32),
}

/// A command that is not answered yet.
struct PendingRequest {
    ask: TriggerRequest,
    asked: SentCommand,
    /// The user was informed of that.
    is_late: bool,
}

/// Parses a trigger, with `after` events after it unless it contains a number. No events follow a crash.
fn wanted(text: &str, after: Option<u32>) -> anyhow::Result<RequestedTrigger> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let wish = parse_request("trigger", &words, None)?;
    let RequestContent::Command(mut command) = wish.asks else {
        bail!("'{text}' is not a trigger")
    };
    let says_it = words.iter().any(|word| word == "after") || is_of_crash(&command.arguments);
    if let (Some(after), false, Some(to)) = (after, says_it, command.arguments.last_mut()) {
        *to = after;
    }
    Ok(RequestedTrigger {
        text: text.to_owned(),
        kind: wish.kind,
        command,
        number: None,
        fired: None,
    })
}

impl Arm {
    /// Parses triggers, each with this many events after it unless it contains a number.
    ///
    /// # Errors
    /// They have another syntax.
    pub fn new(
        texts: &[String],
        after: Option<u32>,
        to_send: Sender<Vec<u8>>,
    ) -> anyhow::Result<Self> {
        if texts.len() > MANY {
            bail!("--trigger {} times; firmware waits for {MANY} things at a time", texts.len());
        }
        let triggers: Vec<RequestedTrigger> =
            texts.iter().map(|text| wanted(text, after)).collect::<Result<_, _>>()?;
        if after.is_some() && triggers.iter().all(|it| is_of_crash(&it.command.arguments)) {
            bail!(
                "--after: a crash is the last event; leave it out, or write --trigger \"crash after N\" if your firmware continues"
            );
        }
        let (next, numbers) = (VecDeque::new(), Numbers::new());
        Ok(Self {
            to_send,
            numbers,
            triggers,
            next,
            waits: None,
            is_open: false,
            doubts: None,
            was_asked_again: false,
            has_ended: false,
        })
    }

    /// Most events that are recorded after one of them.
    pub fn after(&self) -> u32 {
        let after = |wanted: &RequestedTrigger| {
            wanted.command.arguments.last().copied().unwrap_or_default()
        };
        self.triggers.iter().map(after).max().unwrap_or_default()
    }

    /// A connection was opened. Triggers armed over the previous one may still be armed, or not if the target was reset.
    pub fn opened(&mut self) {
        self.is_open = true;
        let has_number = self.triggers.iter().any(|wanted| wanted.number.is_some());
        self.was_asked_again = has_number || self.waits.is_some();
        // An unanswered request may have been executed: it is sent once more, first of all.
        if let Some(waits) = &mut self.waits {
            waits.asked.resend_at_once();
        }
        for wanted in &mut self.triggers {
            self.next.extend(wanted.take_back());
        }
        self.request_again();
    }

    /// The target was reset, and has no armed triggers. Returns whether they are requested again.
    pub fn restarted(&mut self) -> bool {
        // After the reset, perhaps: then the firmware's numbers tell.
        if std::mem::take(&mut self.was_asked_again) {
            self.recheck();
            return false;
        }
        self.waits.take_if(|waits| matches!(waits.ask, TriggerRequest::Disarm(_)));
        self.next.clear();
        for wanted in &mut self.triggers {
            wanted.number = None;
        }
        self.request_again();
        !self.has_ended
    }

    /// Requests everything again, except the request on its way.
    fn request_again(&mut self) {
        self.doubts = None;
        let asked = self.waits.as_mut().map(|waits| {
            if let TriggerRequest::Recheck(place) = waits.ask {
                waits.ask = TriggerRequest::Arm(place);
            }
            waits.ask
        });
        for (place, wanted) in self.triggers.iter_mut().enumerate() {
            wanted.fired = None;
            if !self.has_ended && asked != Some(TriggerRequest::Arm(place)) {
                self.next.push_back(TriggerRequest::Arm(place));
            }
        }
    }

    /// The connection was closed.
    pub fn closed(&mut self) {
        self.is_open = false;
        self.keep_disarming();
    }

    /// Keeps only the pending requests that disarm a trigger.
    fn keep_disarming(&mut self) {
        self.next.retain(|ask| matches!(ask, TriggerRequest::Disarm(_)));
    }

    /// Events were lost.
    pub fn recheck(&mut self) {
        self.doubts.get_or_insert_with(Instant::now);
    }

    /// Whether a trigger that is armed, or requested, may fire.
    pub fn may_have_fired(&self) -> bool {
        let is_asked =
            self.waits.as_ref().is_some_and(|waits| matches!(waits.ask, TriggerRequest::Arm(_)));
        is_asked || self.triggers.iter().any(|it| it.number.is_some() && it.fired.is_none())
    }

    /// The fired triggers are to fire again. Their place in the firmware may have another trigger by now, so they are armed
    /// again.
    pub fn rearm_fired(&mut self) {
        if self.has_ended {
            return;
        }
        for (place, wanted) in self.triggers.iter_mut().enumerate() {
            if wanted.fired.is_some() {
                self.next.extend(wanted.take_back());
                wanted.fired = None;
                self.next.push_back(TriggerRequest::Arm(place));
            }
        }
    }

    /// The triggers that have not fired must not fire any more.
    pub fn disarm_all(&mut self) {
        self.has_ended = true;
        self.keep_disarming();
        for wanted in &mut self.triggers {
            self.next.extend(wanted.take_back());
        }
    }

    /// Whether the triggers were ended.
    pub const fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Whether an answer is awaited, or a request is pending.
    pub fn is_busy(&self) -> bool {
        self.is_open && (self.waits.is_some() || !self.next.is_empty())
    }

    /// Whether a command is on its way, and others must wait for its answer.
    pub fn is_asking(&self) -> bool {
        let is_on_its_way = |waits: &PendingRequest| waits.asked.is_sent() && !waits.is_late;
        self.is_open && self.waits.as_ref().is_some_and(is_on_its_way)
    }

    /// Whether one of these triggers has fired.
    pub fn has_fired(&mut self, fired: &TriggerState) -> bool {
        let number = u32::from(fired.trigger);
        let asked = self.waits.as_ref().map(|waits| waits.ask);
        let found = self.triggers.iter_mut().enumerate().find(|(place, wanted)| {
            let is_its = wanted.number == Some(number);
            // It may fire before the answer with its number is recorded.
            let may_be_its = asked == Some(TriggerRequest::Arm(*place))
                || asked == Some(TriggerRequest::Recheck(*place));
            (is_its || may_be_its) && wanted.is_like(fired)
        });
        let has_fired = found.is_some();
        if let Some((_, wanted)) = found {
            wanted.fired = Some(number);
        }
        has_fired
    }

    /// The firmware has answered a command; returns a message about it.
    ///
    /// # Errors
    /// It refuses.
    pub fn handle_answer(&mut self, number: u32, is: i64) -> anyhow::Result<Option<String>> {
        let is_its = |waits: &mut PendingRequest| u32::from(waits.asked.command.number) == number;
        match self.waits.take_if(is_its).map(|waits| waits.ask) {
            Some(TriggerRequest::Arm(place)) => self.armed(place, is),
            Some(TriggerRequest::Recheck(place)) => Ok(self.looked(place, is)),
            Some(TriggerRequest::Disarm(_)) | None => Ok(None),
        }
    }

    /// The answer to a trigger that was to be armed.
    fn armed(&mut self, place: usize, is: i64) -> anyhow::Result<Option<String>> {
        let Some(wanted) = self.triggers.get(place) else { return Ok(None) };
        let Ok(number) = u32::try_from(is) else {
            let hint = match is {
                -1 => {
                    "; seven triggers are armed already (tband-cli command SOURCE disarm NUMBER), or this one can never fire"
                }
                -2 => "; it needs tband_configUSE_TRIGGERS 1",
                _ => "",
            };
            bail!("--trigger {}: {}{hint}", wanted.text, format_answer(wanted.kind, is));
        };
        let message = format!("the firmware waits for {}: trigger {number}", wanted.text);
        if self.has_ended {
            self.next.push_back(TriggerRequest::Disarm(number));
        }
        self.has_place(place, number);
        Ok(Some(message))
    }

    /// The answer to one that was armed once more.
    fn looked(&mut self, place: usize, is: i64) -> Option<String> {
        let wanted = self.triggers.get_mut(place)?;
        // It is refused where all places are taken: by this one, too.
        let number = u32::try_from(is).ok();
        let first = wanted.number;
        // A trigger that fired before the answer was another one, if it had the number of neither.
        wanted.fired = wanted.fired.filter(|fired| first == Some(*fired) || number == Some(*fired));
        let number = number?;
        if wanted.fired == Some(number) && first.is_some_and(|first| first != number) {
            // The second one has fired, and the first has not.
            self.next.extend(wanted.take_back());
            self.has_place(place, number);
            return None;
        }
        let its = wanted.number.filter(|_| wanted.fired.is_none() && !self.has_ended);
        let is_armed = its.is_none_or(|its| number > its);
        if is_armed {
            // It is a second one, or one that is no longer wanted.
            self.next.push_front(TriggerRequest::Disarm(number));
            return None;
        }
        let message = (its == Some(number)).then(|| {
            format!("trigger {number} has fired unseen, since events are lost; it waits again")
        });
        // A place before its own was free. It is unknown whether it is armed there.
        self.next.extend(its.filter(|its| *its != number).map(TriggerRequest::Disarm));
        self.has_place(place, number);
        message
    }

    /// A trigger has this number. Another one that had it has fired.
    fn has_place(&mut self, place: usize, number: u32) {
        for (at, wanted) in self.triggers.iter_mut().enumerate() {
            if at == place {
                wanted.number = Some(number);
                // A trigger that fired before the answer was another one, if it had another number.
                wanted.fired = wanted.fired.filter(|fired| *fired == number);
            } else if wanted.number == Some(number) {
                wanted.number = None;
                // Unseen, otherwise.
                if wanted.fired.is_none() && !self.has_ended {
                    self.next.push_back(TriggerRequest::Arm(at));
                }
            }
        }
    }

    /// Sends the next request, if it may: a check after a loss whether all are still armed, or an unanswered request once more.
    /// Returns a message about it.
    pub fn look(&mut self, may_ask: bool) -> Option<String> {
        let is_idle = self.is_open && !self.is_busy() && !self.has_ended;
        if is_idle && self.doubts.take_if(|since| since.elapsed() >= AFTER_LOSS).is_some() {
            self.was_asked_again = true;
            for (place, wanted) in self.triggers.iter().enumerate() {
                let is_armed = wanted.number.is_some() && wanted.fired.is_none();
                self.next.extend(is_armed.then_some(TriggerRequest::Recheck(place)));
            }
        }
        if !may_ask {
            return None;
        }
        if self.is_open && self.waits.is_none() {
            self.waits = self.next();
        }
        let PendingRequest { asked, is_late, .. } = self.waits.as_mut().filter(|_| self.is_open)?;
        // A trigger is repeated too, although a target that has executed another command since would arm it twice: without its
        // number it could not be disarmed. It is the only command on its way, so the target repeats its answer without
        // executing it again; after a reset it has forgotten the first one.
        asked.send(&self.to_send, true);
        let is_news = !*is_late && asked.is_late();
        *is_late |= is_news;
        is_news.then(|| {
            format!(
                "no answer to {} yet; the firmware has to compile port/tband_commands.c and call tband_obey(), and answers while it records only",
                asked.kind.name
            )
        })
    }

    /// Returns the next request.
    fn next(&mut self) -> Option<PendingRequest> {
        let ask = self.next.pop_front()?;
        let (kind, command) = match ask {
            TriggerRequest::Arm(place) | TriggerRequest::Recheck(place) => {
                self.triggers.get(place).map(|it| (it.kind, it.command))
            }
            TriggerRequest::Disarm(number) => disarm(number),
        }?;
        let asked = SentCommand::new(kind, self.numbers.with(command));
        Some(PendingRequest { ask, asked, is_late: false })
    }
}

fn disarm(number: u32) -> Option<(&'static CommandKind, Command)> {
    let wish = parse_request("disarm", &[number.to_string()], None).ok()?;
    match wish.asks {
        RequestContent::Command(command) => Some((wish.kind, command)),
        RequestContent::Filter(_) => None,
    }
}

impl RequestedTrigger {
    /// Returns the request to disarm it, unless it has fired: its place may have another trigger by then.
    fn take_back(&mut self) -> Option<TriggerRequest> {
        let fired = self.fired;
        self.number.take().filter(|number| fired != Some(*number)).map(TriggerRequest::Disarm)
    }

    /// A trigger as this one fires like that.
    fn is_like(&self, fired: &TriggerState) -> bool {
        let [condition, of, id, ..] = self.command.arguments;
        let is_event = condition != u32::from(EVENT) || id == u32::from(fired.event);
        condition == u32::from(fired.condition) && (of == ANY || of == fired.of) && is_event
    }
}
