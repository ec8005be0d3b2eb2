//! What a program prints, read by a thread, so that it never waits for a reader of its other output.

use std::io::{ErrorKind, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// One of a program's outputs, from its start on.
#[derive(Debug)]
pub struct OutputReader {
    shared: Arc<SharedOutput>,
    /// Bytes that have been given out as lines.
    taken: usize,
}

#[derive(Debug, Default)]
struct SharedOutput {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    ended: bool,
}

impl SharedOutput {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutputReader {
    /// Reads from now on.
    pub fn new(mut pipe: impl Read + Send + 'static) -> Self {
        let shared = Arc::new(SharedOutput::default());
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

    /// Returns the next line with its end, or the rest of the last; empty after that.
    pub fn line(&mut self) -> String {
        let from = self.taken;
        let line = self.wait(|state| {
            let rest = &state.bytes[from..];
            let end = rest.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
            let end = end.or(state.ended.then_some(rest.len()))?;
            Some(rest[..end].to_vec())
        });
        self.taken += line.len();
        String::from_utf8_lossy(&line).into_owned()
    }

    /// Everything that was not given out as lines, once the output has ended.
    pub fn rest(&self) -> Vec<u8> {
        self.wait(|state| state.ended.then(|| state.bytes[self.taken..].to_vec()))
    }

    fn wait<T>(&self, look: impl Fn(&State) -> Option<T>) -> T {
        let mut state = self.shared.state();
        loop {
            if let Some(found) = look(&state) {
                return found;
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
