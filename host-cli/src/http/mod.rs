//! HTTP/1.1 as far as a server for browsers of this machine needs it: one request per connection, with a short body or none.
//!
//! The memory that a client can use is bounded: the length of a request's head and body, and the number of open connections.

mod reply;
mod request;

use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

pub use reply::{Body, Reply, Response};
pub use request::Request;

/// Connections that are open at a time. One more closes that which has waited longest for the rest of its request, or
/// for its client to close it.
const MAX_OPEN: usize = 64;
/// How long nothing may come of a request, or be taken of an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it takes at most until a client has closed its end, once it was answered.
const FAREWELL: Duration = Duration::from_secs(2);
/// Pause before the next try if connections cannot be accepted, usually for want of file descriptors; and between two checks
/// for answers.
const PAUSE: Duration = Duration::from_millis(20);

/// Answers requests; true ends the server.
pub trait Handler: Send + Sync + 'static {
    /// Answers one request.
    ///
    /// # Errors
    /// The connection broke, or there is no answer; the connection ends there.
    fn answer(&self, request: &Request, reply: &mut Reply) -> anyhow::Result<bool>;

    /// Is reported about a request that was not answered.
    fn failed(&self, error: &anyhow::Error);
}

/// A connection whose request is still incomplete, or has been answered.
struct OpenConnection {
    number: u64,
    stream: TcpStream,
}

#[derive(Default)]
struct Connections {
    accepted: u64,
    open: usize,
    /// The oldest first.
    waiting: VecDeque<OpenConnection>,
}

/// A server on an address of this machine.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    has_ended: AtomicBool,
    connections: Mutex<Connections>,
}

impl Server {
    /// Creates a server for connections to this listener.
    ///
    /// # Errors
    /// Its address is not available.
    pub fn new(listener: TcpListener) -> io::Result<Arc<Self>> {
        let address = listener.local_addr()?;
        let (has_ended, connections) = (AtomicBool::new(false), Mutex::default());
        Ok(Arc::new(Self { listener, address, has_ended, connections }))
    }

    /// Serves until [`Server::end`], each connection in a separate thread: a slow client delays neither others nor the end.
    pub fn serve(self: &Arc<Self>, handler: impl Handler) {
        let handler = Arc::new(handler);
        while !self.has_ended.load(Ordering::SeqCst) {
            let Ok((stream, _)) = self.listener.accept() else {
                thread::sleep(PAUSE);
                continue;
            };
            let Some(number) = self.admit(&stream) else { continue };
            let (server, handler) = (Arc::clone(self), Arc::clone(&handler));
            let spawned = thread::Builder::new().spawn(move || {
                match server.converse(stream, number, &*handler) {
                    Ok(true) => server.end(),
                    Ok(false) => {}
                    Err(error) => handler.failed(&error),
                }
                server.release(number);
            });
            if spawned.is_err() {
                self.release(number);
            }
        }
    }

    /// Ends the server. May be called from any thread.
    pub fn end(&self) {
        self.has_ended.store(true, Ordering::SeqCst);
        // Either the port refuses connections, or this one makes accept return.
        let _ = TcpStream::connect(self.address);
    }

    /// Waits until all received requests are answered, but no longer than this.
    pub fn wait_for_answers(&self, most: Duration) {
        let until = Instant::now() + most;
        let are_answered = || {
            let connections = self.connections();
            connections.open <= connections.waiting.len()
        };
        while !are_answered() && Instant::now() < until {
            thread::sleep(PAUSE);
        }
    }

    fn connections(&self) -> MutexGuard<'_, Connections> {
        // Counts are consistent whichever thread panicked.
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of a new connection; `None` if there is no room for it.
    fn admit(&self, stream: &TcpStream) -> Option<u64> {
        let copy = stream.try_clone().ok()?;
        let mut connections = self.connections();
        if connections.open >= MAX_OPEN {
            // Its thread sees the end, and counts it as closed then.
            let oldest = connections.waiting.pop_front()?;
            let _ = oldest.stream.shutdown(Shutdown::Both);
        }
        connections.open += 1;
        connections.accepted += 1;
        let number = connections.accepted;
        connections.waiting.push_back(OpenConnection { number, stream: copy });
        Some(number)
    }

    /// The request of this connection is complete, so the connection must not be closed any more.
    fn promote(&self, number: u64) -> bool {
        let mut connections = self.connections();
        let known = connections.waiting.len();
        connections.waiting.retain(|it| it.number != number);
        connections.waiting.len() < known
    }

    fn release(&self, number: u64) {
        self.promote(number);
        self.connections().open -= 1;
    }

    /// Reads the request of a connection and has it answered.
    fn converse(
        &self,
        stream: TcpStream,
        number: u64,
        handler: &impl Handler,
    ) -> anyhow::Result<bool> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let request = match request::read(&stream) {
            Ok(request) => request,
            Err(request::RequestError::Gone) => return Ok(false),
            Err(request::RequestError::With(status, text)) => {
                if self.promote(number) {
                    Reply::to_invalid_request(&stream).send(Response::text(status, text))?;
                    self.close_gracefully(number, &stream);
                }
                return Ok(false);
            }
        };
        if !self.promote(number) {
            return Ok(false);
        }
        let ends = handler.answer(&request, &mut Reply::to(&stream, &request))?;
        self.close_gracefully(number, &stream);
        Ok(ends)
    }

    /// Ends a connection such that all sent bytes arrive: if bytes of the client were unread, the rest of an answer would be
    /// discarded. Until then it makes room for others as before its request.
    fn close_gracefully(&self, number: u64, stream: &TcpStream) {
        /// Bytes that are read for that.
        const MOST: u64 = 4 << 20;
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.set_read_timeout(Some(FAREWELL));
        if let Ok(copy) = stream.try_clone() {
            self.connections().waiting.push_back(OpenConnection { number, stream: copy });
            let _ = io::copy(&mut io::Read::take(stream, MOST), &mut io::sink());
        }
    }
}
