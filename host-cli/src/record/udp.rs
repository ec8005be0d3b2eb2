//! UDP: a datagram holds complete packets, or complete frames, so a lost one does not damage others.

use std::io;
use std::net::UdpSocket;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::datagrams::Datagrams;
use super::source::{Link, PATIENCE, ReadResult, Source, StopFlag, listen_address, read_result};

/// Receives datagrams.
pub struct Receiver {
    socket: UdpSocket,
}

impl Receiver {
    pub fn new(port: &str) -> anyhow::Result<Self> {
        let address = listen_address(port);
        let socket = UdpSocket::bind(&address).with_context(|| {
            format!("cannot receive at {address}; write udp-listen:PORT, with a port that is free")
        })?;
        socket.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { socket })
    }
}

impl Source for Receiver {
    fn name(&self) -> String {
        let address = self.socket.local_addr();
        format!("udp-listen:{}", address.map_or_else(|_| "?".to_owned(), |it| it.to_string()))
    }

    fn open(&mut self, _: &StopFlag) -> anyhow::Result<Option<Box<dyn Link>>> {
        let socket = self.socket.try_clone().context("cannot receive")?;
        // One that waits for an earlier one waits no longer than that.
        socket.set_read_timeout(Some(BETWEEN)).context("cannot receive")?;
        Ok(Some(Box::new(UdpLink { socket, datagrams: Datagrams::default() })))
    }
}

/// Interval between two checks of the waiting datagrams.
const BETWEEN: Duration = Duration::from_millis(20);

struct UdpLink {
    socket: UdpSocket,
    datagrams: Datagrams,
}

impl Link for UdpLink {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult> {
        // An empty datagram is not the end.
        if self.datagrams.is_empty()
            && let ReadResult::Bytes(len) = read_result(self.socket.recv(buf))?
        {
            self.datagrams.add_datagram(buf.get(..len).unwrap_or_default(), Instant::now());
        }
        self.datagrams.look(Instant::now());
        let Some(datagram) = self.datagrams.next() else { return Ok(ReadResult::Nothing) };
        let place = buf.get_mut(..datagram.len());
        place.unwrap_or_default().copy_from_slice(&datagram);
        Ok(ReadResult::Bytes(datagram.len()))
    }
}
