//! TCP: RTT servers of OpenOCD and J-Link, serial ports of QEMU, devices with a network.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, anyhow};

use super::banner::Banner;
use super::source::{Got, Link, PATIENCE, Source, Stop, got, listens_at};

/// An address that does not answer.
const UNREACHABLE: Duration = Duration::from_secs(5);

/// Connects to a server.
pub struct Client {
    address: String,
    /// The channel that J-Link's RTT server is asked for.
    channel: Option<u8>,
}

impl Client {
    /// `None` if it is not HOST:PORT.
    pub fn new(address: &str) -> Option<Self> {
        let (host, port) = address.rsplit_once(':')?;
        (!host.is_empty() && port.parse::<u16>().is_ok())
            .then(|| Self { address: address.to_owned(), channel: None })
    }

    /// J-Link's RTT server, which is asked for a channel; `None` if it is not HOST:PORT@CHANNEL.
    pub fn of_j_link(text: &str) -> Option<Self> {
        let (address, channel) = text.rsplit_once('@')?;
        Some(Self { channel: Some(channel.parse().ok()?), ..Self::new(address)? })
    }
}

/// A connection to a server.
///
/// # Errors
/// Nobody listens there.
pub fn connect(address: &str) -> anyhow::Result<TcpStream> {
    let addresses =
        address.to_socket_addrs().with_context(|| format!("{address}: no such host"))?;
    let mut last = None;
    for each in addresses {
        match TcpStream::connect_timeout(&each, UNREACHABLE) {
            Ok(stream) => {
                stream.set_read_timeout(Some(PATIENCE))?;
                return Ok(stream);
            }
            Err(error) => last = Some(error),
        }
    }
    let error = last.map_or_else(|| anyhow!("it has no address"), anyhow::Error::from);
    Err(error.context(format!("{address}: nobody accepts a connection; start the server first")))
}

impl Source for Client {
    fn name(&self) -> String {
        match self.channel {
            Some(channel) => format!("jlink:{}@{channel}", self.address),
            None => format!("tcp:{}", self.address),
        }
    }

    fn open(&mut self, _: &Stop) -> anyhow::Result<Option<Box<dyn Link>>> {
        let mut stream = connect(&self.address)?;
        if let Some(channel) = self.channel {
            // It takes this at the begin of a connection only.
            let asks = format!("$$SEGGER_TELNET_ConfigStr=RTTCh;{channel}$$");
            stream.write_all(asks.as_bytes()).with_context(|| self.name())?;
        }
        Ok(Some(Box::new(Connection { stream, banner: Banner::new(), came: Vec::new() })))
    }
}

struct Connection {
    stream: TcpStream,
    banner: Banner,
    /// What came and was not taken.
    came: Vec<u8>,
}

impl Link for Connection {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<Got> {
        if self.came.is_empty() {
            let read = got(self.stream.read(buf))?;
            if let Banner::Over = self.banner {
                return Ok(read);
            }
            self.came = match read {
                Got::Bytes(len) => self.banner.without(buf.get(..len).unwrap_or_default()),
                Got::Nothing => return Ok(read),
                Got::End => self.banner.rest(),
            };
            if self.came.is_empty() {
                return Ok(if read == Got::End { read } else { Got::Nothing });
            }
        }
        let len = self.came.len().min(buf.len());
        for (to, from) in buf.iter_mut().zip(self.came.drain(..len)) {
            *to = from;
        }
        Ok(Got::Bytes(len))
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }
}

/// Waits for a device to connect.
pub struct Listener {
    listener: TcpListener,
}

impl Listener {
    pub fn new(port: &str) -> anyhow::Result<Self> {
        let address = listens_at(port);
        let listener = TcpListener::bind(&address).with_context(|| {
            format!("cannot listen at {address}; write tcp-listen:PORT, with a port that is free")
        })?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener })
    }
}

impl Source for Listener {
    fn name(&self) -> String {
        let address = self.listener.local_addr();
        format!("tcp-listen:{}", address.map_or_else(|_| "?".to_owned(), |it| it.to_string()))
    }

    fn open(&mut self, stop: &Stop) -> anyhow::Result<Option<Box<dyn Link>>> {
        while !stop.is_set() {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false)?;
                    stream.set_read_timeout(Some(PATIENCE))?;
                    let banner = Banner::new();
                    return Ok(Some(Box::new(Connection { stream, banner, came: Vec::new() })));
                }
                // Also who has gone before it was accepted.
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::WouldBlock
                            | ErrorKind::Interrupted
                            | ErrorKind::ConnectionAborted
                    ) =>
                {
                    sleep(PATIENCE / 5);
                }
                Err(error) => return Err(error).context("cannot accept connections"),
            }
        }
        Ok(None)
    }
}
