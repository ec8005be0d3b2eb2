//! Reads a source in parallel with the processing of its bytes, so that a slow disk loses none of them.

use std::io;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, sleep};
use std::time::{Duration, SystemTime};

use super::source::{ReadResult, Source, StopFlag};

/// Bytes that are read at once, at most. A datagram fits.
const BLOCK: usize = 64 * 1024;
/// Blocks that wait, at most; then the source waits.
const WAITING: usize = 64;
/// Between two tries to open a source again.
const PAUSE: Duration = Duration::from_millis(300);

/// A report of the source.
pub enum SourceEvent {
    /// There is a connection.
    Opened,
    /// Bytes were received at this time.
    Received(Vec<u8>, SystemTime),
    /// How full the target's buffer was before that, in per cent.
    Level(u8),
    /// Something about the connection that the user has to know.
    Warning(String),
    /// The connection has ended, with this error if it broke.
    Closed(Option<io::Error>),
    /// There is no connection.
    Failed(anyhow::Error),
    /// Bytes for the target were not sent.
    Unsent(io::Error),
}

/// Reads the source in a separate thread, until it has ended or `stop` is set; with `reconnect` an end of the source does not
/// end it. Bytes that are put into the channel are sent to the target, or lost while there is no connection.
///
/// # Errors
/// The thread cannot be created.
pub fn start(
    mut source: Box<dyn Source>,
    reconnect: bool,
    stop: &StopFlag,
    to_send: Receiver<Vec<u8>>,
) -> io::Result<Receiver<SourceEvent>> {
    let (sender, incoming) = sync_channel(WAITING);
    let stop = stop.clone();
    let reconnect = reconnect && source.can_return();
    if reconnect {
        source.expect_reopening();
    }
    thread::Builder::new().name("source".to_owned()).spawn(move || {
        while read(&mut *source, reconnect, &stop, (&sender, &to_send)).is_continue() {}
    })?;
    Ok(incoming)
}

/// Reads one connection to its end.
fn read(
    source: &mut dyn Source,
    reconnect: bool,
    stop: &StopFlag,
    (sender, to_send): (&SyncSender<SourceEvent>, &Receiver<Vec<u8>>),
) -> ControlFlow<()> {
    let report = |event| sender.send(event).map_or(Break(()), Continue);
    let mut link = match source.open(stop) {
        Ok(Some(link)) => link,
        Ok(None) => return Break(()),
        Err(error) => {
            report(SourceEvent::Failed(error))?;
            return pause(reconnect, stop);
        }
    };
    // Discards commands from before the connection, and not those sent right after it.
    while to_send.try_recv().is_ok() {}
    report(SourceEvent::Opened)?;
    let mut buf = vec![0; BLOCK];
    while !stop.is_set() {
        if let Ok(bytes) = to_send.try_recv()
            && let Err(error) = link.send(&bytes)
        {
            report(SourceEvent::Unsent(error))?;
        }
        let got = link.read(&mut buf);
        if let Some(text) = link.warning() {
            report(SourceEvent::Warning(text))?;
        }
        let event = match got {
            Ok(ReadResult::Bytes(len)) => SourceEvent::Received(
                buf.get(..len).unwrap_or_default().to_vec(),
                SystemTime::now(),
            ),
            Ok(ReadResult::Nothing) => continue,
            Ok(ReadResult::End) => SourceEvent::Closed(None),
            Err(error) => SourceEvent::Closed(Some(error)),
        };
        let has_ended = matches!(event, SourceEvent::Closed(_));
        if let Some(level) = link.level() {
            report(SourceEvent::Level(level))?;
        }
        report(event)?;
        if has_ended {
            drop(link);
            return pause(reconnect, stop);
        }
    }
    Break(())
}

/// Waits a little before the source is opened again, if it is.
fn pause(reconnect: bool, stop: &StopFlag) -> ControlFlow<()> {
    if !reconnect {
        return Break(());
    }
    sleep(PAUSE);
    if stop.is_set() { Break(()) } else { Continue(()) }
}
