//! TCP: RTT servers of OpenOCD and J-Link, serial ports of QEMU, devices with a network.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};

use super::banner::{Banner, OWN};
use super::source::{
    Link, PATIENCE, ReadResult, Source, StopFlag, listen_address, read_result, sent,
};

/// An address that does not answer.
const UNREACHABLE: Duration = Duration::from_secs(5);

/// Connects to a server.
pub struct Client {
    address: String,
    /// The requested channel of J-Link's RTT server.
    channel: Option<u8>,
    /// Bytes with which a recording begins, after the banner of J-Link's server.
    begins: &'static [&'static [u8]],
}

impl Client {
    /// `None` if it is not HOST:PORT.
    pub fn new(address: &str) -> Option<Self> {
        let (host, port) = address.rsplit_once(':')?;
        (!host.is_empty() && port.parse::<u16>().is_ok()).then(|| Self {
            address: address.to_owned(),
            channel: None,
            begins: OWN,
        })
    }

    /// Returns a client of J-Link's RTT server with a channel; `None` if the text is not HOST:PORT@CHANNEL.
    pub fn of_j_link(text: &str) -> Option<Self> {
        let (address, channel) = text.rsplit_once('@')?;
        Some(Self { channel: Some(channel.parse().ok()?), ..Self::new(address)? })
    }

    /// The recording begins with one of these.
    pub fn with_begins(self, begins: &'static [&'static [u8]]) -> Self {
        Self { begins, ..self }
    }
}

/// Connects to a server.
///
/// # Errors
/// No program listens there.
pub fn connect(address: &str) -> anyhow::Result<TcpStream> {
    let addresses =
        address.to_socket_addrs().with_context(|| format!("{address}: no such host"))?;
    let mut last = None;
    for each in addresses {
        match connected(&each) {
            Ok(stream) => {
                set_up(&stream)?;
                return Ok(stream);
            }
            Err(error) => last = Some(error),
        }
    }
    let error = last.map_or_else(|| anyhow!("it has no address"), anyhow::Error::from);
    Err(error.context(format!("{address}: no server accepts a connection; start the server first")))
}

/// Connects to an address. If no program listens there, the system may connect a socket to itself, if it has chosen the same
/// port for this end: then no other program could listen there.
fn connected(address: &SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(address, UNREACHABLE)?;
    if stream.local_addr()? == stream.peer_addr()? {
        return Err(ErrorKind::ConnectionRefused.into());
    }
    Ok(stream)
}

/// Makes reads wait a little, and enables keep-alive: a target that was reset does not know the connection, and refuses it. A
/// target that is stopped by a debugger may be silent for half an hour.
fn set_up(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    #[cfg(unix)]
    {
        use rustix::net::sockopt::{
            set_socket_keepalive, set_tcp_keepcnt, set_tcp_keepidle, set_tcp_keepintvl,
        };
        // Systems without these options still have a connection.
        let _ = set_tcp_keepidle(stream, Duration::from_secs(10));
        let _ = set_tcp_keepintvl(stream, Duration::from_secs(15));
        let _ = set_tcp_keepcnt(stream, 120).and_then(|()| set_socket_keepalive(stream, true));
    }
    Ok(())
}

impl Source for Client {
    fn name(&self) -> String {
        match self.channel {
            Some(channel) => format!("jlink:{}@{channel}", self.address),
            None => format!("tcp:{}", self.address),
        }
    }

    fn open(&mut self, _: &StopFlag) -> anyhow::Result<Option<Box<dyn Link>>> {
        let mut stream = connect(&self.address)?;
        if let Some(channel) = self.channel {
            // It takes this at the begin of a connection only.
            let asks = format!("$$SEGGER_TELNET_ConfigStr=RTTCh;{channel}$$");
            sent(stream.write_all(asks.as_bytes())).with_context(|| self.name())?;
        }
        let banner = Banner::new(self.begins);
        Ok(Some(Box::new(Connection { stream, banner, came: Vec::new() })))
    }
}

struct Connection {
    stream: TcpStream,
    banner: Banner,
    /// Received bytes that are still unread.
    came: Vec<u8>,
}

impl Link for Connection {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult> {
        if self.came.is_empty() {
            let read = read_result(self.stream.read(buf))?;
            if let Banner::Over = self.banner {
                return Ok(read);
            }
            self.came = match read {
                ReadResult::Bytes(len) => self.banner.without(buf.get(..len).unwrap_or_default()),
                ReadResult::Nothing => return Ok(read),
                ReadResult::End => self.banner.rest(),
            };
            if self.came.is_empty() {
                return Ok(if read == ReadResult::End { read } else { ReadResult::Nothing });
            }
        }
        let len = self.came.len().min(buf.len());
        for (to, from) in buf.iter_mut().zip(self.came.drain(..len)) {
            *to = from;
        }
        Ok(ReadResult::Bytes(len))
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        sent(self.stream.write_all(bytes))
    }
}

/// Waits for a device to connect.
pub struct Listener {
    listener: TcpListener,
    /// A device that has connected while another one was connected.
    next: Arc<Mutex<Option<TcpStream>>>,
    returns: bool,
    /// Bytes with which a recording begins.
    begins: &'static [&'static [u8]],
}

impl Listener {
    pub fn new(port: &str) -> anyhow::Result<Self> {
        let address = listen_address(port);
        let listener = TcpListener::bind(&address).with_context(|| {
            format!("cannot listen at {address}; write tcp-listen:PORT, with a port that is free")
        })?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener, next: Arc::default(), returns: false, begins: OWN })
    }

    /// The recording begins with one of these.
    pub fn with_begins(self, begins: &'static [&'static [u8]]) -> Self {
        Self { begins, ..self }
    }
}

impl Source for Listener {
    fn name(&self) -> String {
        let address = self.listener.local_addr();
        format!("tcp-listen:{}", address.map_or_else(|_| "?".to_owned(), |it| it.to_string()))
    }

    fn expect_reopening(&mut self) {
        self.returns = true;
    }

    fn open(&mut self, stop: &StopFlag) -> anyhow::Result<Option<Box<dyn Link>>> {
        while !stop.is_set() {
            let next = self.next.lock().unwrap_or_else(PoisonError::into_inner).take();
            let stream = match next {
                Some(stream) => Some(stream),
                None => accepted(&self.listener).context("cannot accept connections")?,
            };
            let Some(stream) = stream else {
                sleep(PATIENCE / 5);
                continue;
            };
            set_up(&stream)?;
            let banner = Banner::new(self.begins);
            let link = Connection { stream, banner, came: Vec::new() };
            if !self.returns {
                return Ok(Some(Box::new(link)));
            }
            return Ok(Some(Box::new(ReplaceableLink {
                link,
                listener: self.listener.try_clone().context("cannot accept connections")?,
                next: Arc::clone(&self.next),
                heard: Instant::now(),
            })));
        }
        Ok(None)
    }
}

/// Accepts a pending connection, if there is one.
fn accepted(listener: &TcpListener) -> io::Result<Option<TcpStream>> {
    match listener.accept() {
        Ok((stream, _)) => Ok(Some(stream)),
        // Also for a client that has gone before it was accepted.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::WouldBlock | ErrorKind::Interrupted | ErrorKind::ConnectionAborted
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Time of silence after which another device may replace this one.
const SILENT: Duration = Duration::from_secs(1);

/// A connected device. One that was reset, or has lost its network, does not close the connection: only the next connection,
/// which sends data, shows it.
struct ReplaceableLink {
    link: Connection,
    listener: TcpListener,
    next: Arc<Mutex<Option<TcpStream>>>,
    /// When bytes came last.
    heard: Instant,
}

impl ReplaceableLink {
    /// Another one has connected, and sends.
    fn has_next(&self) -> io::Result<bool> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        if next.is_none() {
            *next = accepted(&self.listener)?;
        }
        let Some(stream) = &*next else { return Ok(false) };
        stream.set_nonblocking(true)?;
        match stream.peek(&mut [0]) {
            Ok(1..) => return Ok(true),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            // A client that only checked the port is gone again.
            Ok(0) | Err(_) => *next = None,
        }
        Ok(false)
    }
}

impl Link for ReplaceableLink {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult> {
        let got = self.link.read(buf)?;
        if got != ReadResult::Nothing {
            self.heard = Instant::now();
        } else if self.heard.elapsed() >= SILENT && self.has_next().unwrap_or(false) {
            return Err(io::Error::other("it is silent, and another one has connected"));
        }
        Ok(got)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.link.send(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A socket that is connected to itself would block the port for the program that is to listen there.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_connection_to_itself_is_refused() {
        // The first of the ports that the system assigns to outgoing connections.
        let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap();
        let port: u16 = range.split_whitespace().next().unwrap().parse().unwrap();
        // Listeners have the odd ones.
        let address = SocketAddr::from(([127, 0, 0, 1], (port + 1000) & !1));
        // By then each has had its turn.
        for _ in 0..100_000 {
            if let Ok(stream) = connected(&address) {
                assert_ne!(stream.local_addr().unwrap(), stream.peer_addr().unwrap());
            }
        }
    }

    /// A broken pipe usually means the program's own output, and ends the program silently.
    #[test]
    fn a_connection_that_is_gone_is_no_broken_pipe() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let stream = connect(&listener.local_addr().unwrap().to_string()).unwrap();
        drop(listener.accept().unwrap());
        let mut link = Connection { stream, banner: Banner::new(OWN), came: Vec::new() };
        let mut errors = Vec::new();
        while errors.len() < 3 {
            errors.extend(link.send(&[0; 100]).err().map(|error| error.kind()));
        }
        assert_eq!(errors, [ErrorKind::ConnectionReset; 3]);
    }
}
