//! What connects to a GDB server: TCP, or the serial port that Black Magic Probe has.

use std::io::{Read, Write};

use anyhow::Context;
use serial2::SerialPort;

use super::super::super::source::PATIENCE;
use super::super::super::tcp::connect;

/// A connection; it waits no longer than [`PATIENCE`] for bytes.
pub trait Line: Read + Write + Send {}
impl<T: Read + Write + Send> Line for T {}

/// Over USB the rate means nothing.
const RATE: u32 = 115_200;

/// Connects to HOST:PORT, or to a serial port.
///
/// # Errors
/// There is none.
pub fn open(address: &str) -> anyhow::Result<Box<dyn Line>> {
    let is_port =
        address.starts_with('/') || address.starts_with("COM") || address.starts_with(r"\\.\");
    if is_port {
        let port = SerialPort::open(address, RATE);
        let mut port = port.with_context(|| {
            format!(
                "cannot open {address}; tband-cli record --list shows the ports of this machine"
            )
        })?;
        port.set_read_timeout(PATIENCE).context("cannot set up the serial port")?;
        return Ok(Box::new(port));
    }
    let stream = connect(address)?;
    stream.set_nodelay(true)?;
    Ok(Box::new(stream))
}
