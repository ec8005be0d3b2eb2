//! Functions that the worker calls, and those that it provides: numbers and addresses in this module's memory, so that no
//! bindings have to be generated. The other side is `web/worker.js`.

use std::cell::RefCell;
use std::io;

use serde_json::Value;

use crate::host::Host;
use crate::live::LivePage;
use crate::run;

mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Reads up to `len` bytes of a file at an offset to `at`; returns how many, or less than 0.
        pub fn read(file: u32, offset: f64, at: *mut u8, len: u32) -> i32;
        /// Takes `len` bytes of an output from `at`.
        pub fn write(output: u32, at: *const u8, len: u32);
        /// Puts an output after another one.
        pub safe fn append(to: u32, from: u32);
    }
}

thread_local! {
    /// The bytes from the worker.
    static GIVEN: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The bytes for the worker.
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static LIVE: RefCell<LivePage> = RefCell::new(LivePage::new());
}

struct Worker;

impl Host for Worker {
    fn read(&self, file: usize, offset: u64, bytes: &mut [u8]) -> io::Result<usize> {
        let len = bytes.len() as u32;
        // SAFETY: the worker writes at most `len` bytes there, and keeps nothing.
        let read = unsafe { host::read(file as u32, offset as f64, bytes.as_mut_ptr(), len) };
        usize::try_from(read).ok().filter(|read| *read <= bytes.len()).ok_or_else(|| {
            io::Error::other("the browser could not read the file; was it changed or removed?")
        })
    }

    fn write(&self, output: usize, bytes: &[u8]) -> io::Result<()> {
        // SAFETY: the worker copies these bytes, and keeps no reference.
        unsafe { host::write(output as u32, bytes.as_ptr(), bytes.len() as u32) };
        Ok(())
    }

    fn append(&self, to: usize, from: usize) {
        host::append(to as u32, from as u32);
    }
}

fn answers(answer: String) -> u32 {
    let text = answer.into_bytes();
    let len = text.len() as u32;
    ANSWER.set(text);
    len
}

/// Reserves `len` bytes for the worker, and returns their address. It is valid until the next call.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn give(len: u32) -> *mut u8 {
    GIVEN.with_borrow_mut(|given| {
        given.clear();
        given.resize(len as usize, 0);
        given.as_mut_ptr()
    })
}

/// Where the last answer is. It is valid until the next call.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(Vec::as_ptr)
}

/// Executes the request that was given as JSON; returns the length of the answer.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> u32 {
    let request = GIVEN.take();
    let request = serde_json::from_slice(&request).unwrap_or(Value::Null);
    answers(run(&request, &Worker).to_string())
}

/// Reports the state of a live recording, with the slices of its timeline as output 0; returns the length of the answer.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn look() -> u32 {
    let (answer, slices) = LIVE.with_borrow_mut(LivePage::look);
    // It is memory of the worker.
    let _ = Worker.write(0, &slices);
    answers(answer)
}

/// Takes the given bytes as the next ones of a live recording; returns the length of the answer.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn feed() -> u32 {
    let bytes = GIVEN.take();
    let counters = LIVE.with_borrow_mut(|live| {
        live.feed(&bytes);
        live.counters()
    });
    answers(counters.to_string())
}
