//! UDP: a datagram holds whole packets, or whole frames, so that one that is lost costs no others.

use std::io;
use std::net::UdpSocket;

use anyhow::Context;

use super::source::{Got, Link, PATIENCE, Source, Stop, got, listens_at};

/// Receives datagrams.
pub struct Receiver {
    socket: UdpSocket,
}

impl Receiver {
    pub fn new(port: &str) -> anyhow::Result<Self> {
        let address = listens_at(port);
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

    fn open(&mut self, _: &Stop) -> anyhow::Result<Option<Box<dyn Link>>> {
        let socket = self.socket.try_clone().context("cannot receive")?;
        Ok(Some(Box::new(Datagrams(socket))))
    }
}

struct Datagrams(UdpSocket);

impl Link for Datagrams {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<Got> {
        match got(self.0.recv(buf))? {
            // An empty one is no end.
            Got::End => Ok(Got::Nothing),
            other => Ok(other),
        }
    }
}
