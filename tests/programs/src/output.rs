//! What a program prints, read by a thread, so that waiting for it can be given up.

use std::io::{ErrorKind, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// One of a program's outputs, from its start on.
#[derive(Debug)]
pub struct Reading {
    shared: Arc<Shared>,
    /// Bytes that have been given out as lines.
    taken: usize,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    ended: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reading {
    /// Reads from now on.
    pub fn new(mut pipe: impl Read + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let filled = Arc::clone(&shared);
        thread::spawn(move || {
            let mut block = [0; 16384];
            loop {
                let count = match pipe.read(&mut block) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    // What cannot be read is over.
                    Err(_) => 0,
                    Ok(count) => count,
                };
                let mut state = filled.state();
                state.bytes.extend_from_slice(&block[..count]);
                state.ended |= count == 0;
                filled.changed.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        Self { shared, taken: 0 }
    }

    /// The next line with its end, or what is left of the last; empty behind that. `None` if it did not
    /// come in time.
    pub fn line(&mut self, deadline: Instant) -> Option<String> {
        let from = self.taken;
        let line = |state: &State| {
            let rest = &state.bytes[from..];
            let end = rest.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
            let end = end.or(state.ended.then_some(rest.len()))?;
            Some(rest[..end].to_vec())
        };
        let line = self.wait(deadline, line)?;
        self.taken += line.len();
        Some(String::from_utf8_lossy(&line).into_owned())
    }

    /// Everything that was not given out as lines; `None` if the end did not come in time.
    pub fn rest(&self, deadline: Instant) -> Option<Vec<u8>> {
        self.wait(deadline, |state| state.ended.then(|| state.bytes[self.taken..].to_vec()))
    }

    /// As far as it is known now.
    pub fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.shared.state().bytes).into_owned()
    }

    fn wait<T>(&self, deadline: Instant, look: impl Fn(&State) -> Option<T>) -> Option<T> {
        let mut state = self.shared.state();
        loop {
            if let Some(found) = look(&state) {
                return Some(found);
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            let waited = self.shared.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
