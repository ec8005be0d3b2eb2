//! Reads a source beside what is done with the bytes, so that a disk that takes its time costs none of them.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, sleep};
use std::time::{Duration, SystemTime};

use super::source::{Got, Source, Stop};

/// Bytes that are read at once, at most. A datagram fits.
const BLOCK: usize = 64 * 1024;
/// Blocks that wait, at most; then the source waits.
const WAITING: usize = 64;
/// Between two tries to open a source again.
const PAUSE: Duration = Duration::from_millis(300);

/// What the source says.
pub enum Said {
    /// There is a connection.
    Opened,
    /// Bytes came, at this time.
    Came(Vec<u8>, SystemTime),
    /// How full the target's buffer was before that, in per cent.
    Level(u8),
    /// Something about the connection that the user has to know.
    Warning(String),
    /// The connection has ended, with this error if it broke.
    Closed(Option<io::Error>),
    /// There is no connection.
    Failed(anyhow::Error),
    /// What was to be sent to the target was not.
    Unsent(io::Error),
}

/// Reads the source in a thread of its own, until it has ended or `stop` is set; with `reconnect` the first of these is
/// no end. What is put into the channel is sent to the target, or lost while there is no connection.
///
/// # Errors
/// There is no such thread.
pub fn start(
    mut source: Box<dyn Source>,
    reconnect: bool,
    stop: &Stop,
    to_send: Receiver<Vec<u8>>,
) -> io::Result<Receiver<Said>> {
    let (say, said) = sync_channel(WAITING);
    let stop = stop.clone();
    let reconnect = reconnect && source.can_return();
    if reconnect {
        source.returns();
    }
    thread::Builder::new()
        .name("source".to_owned())
        .spawn(move || while read(&mut *source, reconnect, &stop, (&say, &to_send)) {})?;
    Ok(said)
}

/// Reads one connection to its end. Whether there is to be another.
fn read(
    source: &mut dyn Source,
    reconnect: bool,
    stop: &Stop,
    (say, to_send): (&SyncSender<Said>, &Receiver<Vec<u8>>),
) -> bool {
    let mut link = match source.open(stop) {
        Ok(Some(link)) => link,
        Ok(None) => return false,
        Err(error) => {
            let heard = say.send(Said::Failed(error)).is_ok();
            return heard && reconnect && pause(stop);
        }
    };
    // What was asked while nobody was there, and not what is asked as soon as somebody is.
    while to_send.try_recv().is_ok() {}
    if say.send(Said::Opened).is_err() {
        return false;
    }
    let mut buf = vec![0; BLOCK];
    while !stop.is_set() {
        if let Ok(bytes) = to_send.try_recv()
            && let Err(error) = link.send(&bytes)
            && say.send(Said::Unsent(error)).is_err()
        {
            return false;
        }
        let got = link.read(&mut buf);
        if let Some(text) = link.warning()
            && say.send(Said::Warning(text)).is_err()
        {
            return false;
        }
        let said = match got {
            Ok(Got::Bytes(len)) => {
                Said::Came(buf.get(..len).unwrap_or_default().to_vec(), SystemTime::now())
            }
            Ok(Got::Nothing) => continue,
            Ok(Got::End) => Said::Closed(None),
            Err(error) => Said::Closed(Some(error)),
        };
        let is_over = matches!(said, Said::Closed(_));
        if let Some(level) = link.level()
            && say.send(Said::Level(level)).is_err()
        {
            return false;
        }
        if say.send(said).is_err() {
            return false;
        }
        if is_over {
            drop(link);
            return reconnect && pause(stop);
        }
    }
    false
}

/// Waits a little; false if `stop` was set.
fn pause(stop: &Stop) -> bool {
    sleep(PAUSE);
    !stop.is_set()
}
