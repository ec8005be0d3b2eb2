//! The protocols by which other recorders are started and stopped.

use anyhow::bail;
use tband_conv::InputFormat;

use crate::args::sources::SourceKind;
use crate::target::Channels;

/// The port at which a target with SystemView's network recorder listens.
const SYSTEMVIEW_PORT: &str = ":19111";

/// Commands of `SEGGER_SYSVIEW_COMMAND_ID`.
const SYSTEMVIEW: Dialect = Dialect {
    start: &[1],
    stop: &[2],
    // The packets that synchronise a reader.
    begins: &[&[0; 10]],
    channels: Channels {
        up: "SysView",
        down: Some("SysView"),
        remedy: "call SEGGER_SYSVIEW_Conf() before",
    },
    is_systemview: true,
};

/// `CMD_SET_ACTIVE` with 1 or 0, four unused parameters, and the inverted sum of these bytes.
const TRACERECORDER: Dialect = Dialect {
    start: &[1, 1, 0, 0, 0, 0, 0xFD, 0xFF],
    stop: &[1, 0, 0, 0, 0, 0, 0xFE, 0xFF],
    begins: &[b"\0FSP", b"PSF\0"],
    channels: Channels {
        up: "TzData",
        down: Some("TzCtrl"),
        remedy: "call xTraceEnable(TRC_START_AWAIT_HOST), with the stream port of RTT",
    },
    is_systemview: false,
};

/// How a recorder is started.
#[derive(Debug)]
pub struct Dialect {
    start: &'static [u8],
    stop: &'static [u8],
    /// Bytes that a recording begins with, one of these.
    pub begins: &'static [&'static [u8]],
    /// Its channels of RTT.
    pub channels: Channels,
    is_systemview: bool,
}

/// The bytes to send over a connection, and the greeting of the target that is not part of the recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// The host's greeting, and the start command.
    pub first: Vec<u8>,
    pub stop: Vec<u8>,
    pub greeting: Option<Greeting>,
}

/// A greeting of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// Its first bytes.
    pub begin: &'static [u8],
    /// All of its bytes.
    pub len: usize,
}

/// On a serial line: the name of the protocol and its version.
const SERIAL: (&[u8], Greeting) = (b"SV\x03\x03", Greeting { begin: b"SV", len: 4 });
/// In a network: the name of the program and its version, in 32 bytes.
const NETWORK: (&[u8], Greeting) = (
    b"SEGGER SystemView V3.30.00\0\0\0\0\0\0",
    Greeting { begin: b"SEGGER SystemView V", len: 32 },
);

impl Dialect {
    /// The dialect of a recorder; `None` for a recorder that waits for no command.
    ///
    /// # Errors
    /// No target sends this format.
    pub fn of(format: InputFormat) -> anyhow::Result<Option<&'static Self>> {
        match format {
            InputFormat::SystemView
            | InputFormat::SystemViewEsp
            | InputFormat::SystemViewV10
            | InputFormat::SystemViewV11 => Ok(Some(&SYSTEMVIEW)),
            InputFormat::TraceRecorder => Ok(Some(&TRACERECORDER)),
            InputFormat::Flux | InputFormat::Ctf => bail!(
                "--input-format: recordings of flux and CTF are files, and no target sends them live; give the file to the other commands, such as tband-cli check FILE"
            ),
            InputFormat::Auto
            | InputFormat::Tband
            | InputFormat::Ftrace
            | InputFormat::Qs
            | InputFormat::Rkh => Ok(None),
        }
    }

    /// What goes over a source of this kind; `rest` is what the user has named after the kind.
    pub fn exchange(&self, kind: SourceKind, rest: &str) -> Exchange {
        let raw = Exchange { first: self.start.to_vec(), stop: self.stop.to_vec(), greeting: None };
        if !self.is_systemview {
            return raw;
        }
        match kind {
            SourceKind::Serial => {
                let (hello, greeting) = SERIAL;
                let first = [hello, self.start].concat();
                Exchange { first, greeting: Some(greeting), ..raw }
            }
            // There each piece for the target follows the number of its bytes.
            SourceKind::Tcp if rest.ends_with(SYSTEMVIEW_PORT) => {
                let (hello, greeting) = NETWORK;
                let counted = |bytes: &[u8]| [&[1], bytes].concat();
                let first = [hello, &counted(self.start)].concat();
                Exchange { first, stop: counted(self.stop), greeting: Some(greeting) }
            }
            _ => raw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_tracerecorder_have_their_checksum() {
        for bytes in [TRACERECORDER.start, TRACERECORDER.stop] {
            let (command, check) = bytes.split_at(6);
            let sum: u16 = command.iter().map(|byte| u16::from(*byte)).sum();
            assert_eq!(check, (0xFFFF - sum).to_le_bytes());
        }
    }

    #[test]
    fn systemview_greets_where_its_target_waits_for_that() {
        let of = |kind, rest| SYSTEMVIEW.exchange(kind, rest);
        let raw = Exchange { first: vec![1], stop: vec![2], greeting: None };
        for (kind, rest) in [
            (SourceKind::Tcp, "localhost:9090"),
            (SourceKind::JLink, "localhost:19111@1"),
            (SourceKind::TcpListen, "19111"),
            (SourceKind::Probe, ""),
        ] {
            assert_eq!(of(kind, rest), raw);
        }
        assert_eq!(of(SourceKind::Serial, "/dev/ttyACM0@500000").first, b"SV\x03\x03\x01");
        let network = of(SourceKind::Tcp, "board:19111");
        assert_eq!((network.first.len(), &network.first[32..]), (34, &[1, 1][..]));
        assert_eq!(network.stop, [1, 2]);
        assert_eq!(TRACERECORDER.exchange(SourceKind::Serial, "x@1").first, TRACERECORDER.start);
    }

    #[test]
    fn formats_of_files_are_not_live() {
        for format in [InputFormat::Flux, InputFormat::Ctf] {
            assert!(Dialect::of(format).unwrap_err().to_string().contains("no target sends"));
        }
        assert!(Dialect::of(InputFormat::Qs).unwrap().is_none());
    }
}
