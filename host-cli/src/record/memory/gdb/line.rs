//! Connections to a GDB server: TCP, or the serial port of a Black Magic Probe.

use std::io::{self, Read, Write};

use anyhow::Context;

use super::super::super::serial;
use super::super::super::source::sent;
use super::super::super::tcp::connect;

/// A connection; it waits for bytes no longer than [`PATIENCE`](super::super::super::source::PATIENCE).
pub trait Line: Read + Write + Send {}
impl<T: Read + Write + Send> Line for T {}

/// A line whose other end may go at any time.
struct OpenLine<L>(L);

impl<L: Read> Read for OpenLine<L> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read(buf)
    }
}

impl<L: Write> Write for OpenLine<L> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        sent(self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        sent(self.0.flush())
    }
}

/// Over USB the rate means nothing.
const RATE: u32 = 115_200;

/// Connects to HOST:PORT, or to a serial port.
///
/// # Errors
/// It cannot be opened.
pub fn open(address: &str) -> anyhow::Result<Box<dyn Line>> {
    let is_port =
        address.starts_with('/') || address.starts_with("COM") || address.starts_with(r"\\.\");
    if is_port {
        let port = serial::open(address, RATE).with_context(|| {
            format!(
                "cannot open {address}; tband-cli record --list shows the ports of this machine"
            )
        })?;
        return Ok(Box::new(OpenLine(port)));
    }
    let stream = connect(address)?;
    stream.set_nodelay(true)?;
    Ok(Box::new(OpenLine(stream)))
}
