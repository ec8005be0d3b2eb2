//! A serial port: a UART's cable, a USB port of the device or of its debug probe.

use std::io;

use serial2::SerialPort;

use super::source::{Link, PATIENCE, ReadResult, Source, StopFlag, read_result, sent};

/// A serial port with 8 data bits, no parity, 1 stop bit, and no flow control.
pub struct Port {
    path: String,
    rate: u32,
}

impl Port {
    /// `None` if it is not PORT@RATE.
    pub fn new(text: &str) -> Option<Self> {
        let (path, rate) = text.rsplit_once('@')?;
        let rate = rate.parse().ok().filter(|rate| *rate > 0)?;
        (!path.is_empty()).then(|| Self { path: path.to_owned(), rate })
    }
}

/// Returns the paths of this machine's ports.
///
/// # Errors
/// The system does not report them.
pub fn ports() -> io::Result<Vec<String>> {
    let ports = match SerialPort::available_ports() {
        // A machine without the folder of its ports, such as a container, has none.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        ports => ports?,
    };
    let mut ports: Vec<String> = ports.iter().map(|path| path.display().to_string()).collect();
    ports.sort();
    Ok(ports)
}

/// Opens a port, for one `tband-cli` at a time: each of two would get a part of the bytes.
///
/// # Errors
/// There is no port, or another program uses it.
pub fn open(path: &str, rate: u32) -> io::Result<SerialPort> {
    let mut port = SerialPort::open(path, rate)?;
    #[cfg(unix)]
    {
        use rustix::fs::{FlockOperation, flock};
        if flock(&port, FlockOperation::NonBlockingLockExclusive)
            == Err(rustix::io::Errno::WOULDBLOCK)
        {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
    }
    port.set_read_timeout(PATIENCE)?;
    Ok(port)
}

/// Returns the remedy for a port that cannot be opened.
fn hint(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::ResourceBusy {
        return "another program has it open: end it first".to_owned();
    }
    if error.kind() == io::ErrorKind::PermissionDenied {
        return "another program has it open, or you may not: on Linux join its group, such as dialout".to_owned();
    }
    match ports() {
        Ok(ports) if ports.is_empty() => {
            "this machine has no serial port; is it plugged in?".to_owned()
        }
        Ok(ports) => format!("the ports of this machine are {}", ports.join(", ")),
        Err(_) => "tband-cli record --list shows the ports of this machine".to_owned(),
    }
}

impl Source for Port {
    fn name(&self) -> String {
        format!("serial:{}@{}", self.path, self.rate)
    }

    fn open(&mut self, _: &StopFlag) -> anyhow::Result<Option<Box<dyn Link>>> {
        let port = open(&self.path, self.rate).map_err(|error| {
            let text = format!("cannot open {} with {} Bd; {}", self.path, self.rate, hint(&error));
            anyhow::Error::from(error).context(text)
        })?;
        Ok(Some(Box::new(Line(port))))
    }
}

struct Line(SerialPort);

impl Link for Line {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult> {
        read_result(self.0.read(buf))
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        sent(self.0.write_all(bytes))
    }
}
