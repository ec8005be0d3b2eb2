//! The kinds of sources of `record`, `top` and `command`: their syntax and purpose, and whether they carry commands.
//! Help and messages are made of this list.

/// How commands get to the target from a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandPath {
    /// They do not.
    None,
    /// Over the line that the recording comes by.
    Line,
    /// Into the target's memory, which the source reads, at an address from the program.
    Memory,
}

/// Facts about a kind.
#[derive(Debug)]
pub struct SourceFacts {
    pub kind: SourceKind,
    /// What its sources begin with.
    pub word: &'static str,
    /// What follows, as users read it.
    pub rest: &'static str,
    pub way: CommandPath,
    pub text: &'static str,
}

/// Each kind has its row, so that the help and the messages cover all of them.
macro_rules! kinds {
    ($($kind:ident $word:literal $rest:literal $way:ident $text:literal;)+) => {
        /// A kind of sources.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum SourceKind {
            $($kind),+
        }

        /// All of them, in the order of the help.
        pub const KINDS: &[SourceFacts] = &[$(SourceFacts {
            kind: SourceKind::$kind,
            word: $word,
            rest: $rest,
            way: CommandPath::$way,
            text: $text,
        }),+];
    };
}

kinds! {
    Stdin "-" "" None "stdin, from another program";
    File "file:" "PATH" None "a file that grows, such as one that QEMU writes";
    Tcp "tcp:" "HOST:PORT" Line "a server: RTT of OpenOCD or J-Link, a port of QEMU";
    JLink "jlink:" "HOST:PORT@N" Line "J-Link's RTT server, channel N: jlink:localhost:19021@1";
    TcpListen "tcp-listen:" "PORT" Line "a device that connects to this machine";
    UdpListen "udp-listen:" "PORT" None "datagrams, each with whole packets or frames";
    Serial "serial:" "PORT@RATE" Line "a serial port, as serial:/dev/ttyACM0@921600";
    Itm "itm:" "N:SOURCE" None "SWO: port N of the ITM, as itm:1:tcp:localhost:3443";
    Gdb "gdb:" "HOST:PORT" Memory "any GDB server: packets out of the target's memory";
    Probe "probe:" "" Memory "a debug probe, if tband-cli was built with them; probe:VID:PID:SERIAL if there are several";
    Ram "ram:" "PATH@ADDRESS" Memory "memory of QEMU in a file, as ram:/dev/shm/ram@0x20000000";
}

/// Columns of a line of the help, and those in front of what a kind is for.
const WIDTH: usize = 80;
const INDENT: usize = 25;

impl SourceFacts {
    /// The kind of a source, and what follows the kind's word; `None` if it is none.
    pub fn of(source: &str) -> Option<(&'static Self, &str)> {
        KINDS.iter().find_map(|about| {
            let rest = source.strip_prefix(about.word)?;
            (about.word.ends_with(':') || rest.is_empty()).then_some((about, rest))
        })
    }

    fn pattern(&self) -> String {
        format!("{}{}", self.word, self.rest)
    }
}

/// How commands get to the target from this source.
pub fn command_path(source: &str) -> CommandPath {
    SourceFacts::of(source).map_or(CommandPath::None, |(about, _)| about.way)
}

/// These in a sentence.
fn listed(mut all: Vec<String>, last: &str) -> String {
    match (all.pop(), all.is_empty()) {
        (Some(end), false) => format!("{} {last} {end}", all.join(", ")),
        (end, _) => end.unwrap_or_default(),
    }
}

/// What a source may be.
pub fn all() -> String {
    listed(KINDS.iter().map(SourceFacts::pattern).collect(), "or")
}

/// What sources that read memory may be.
pub fn of_memory() -> String {
    let of_memory = KINDS.iter().filter(|about| about.way == CommandPath::Memory);
    listed(of_memory.map(SourceFacts::pattern).collect(), "or")
}

/// What commands go by.
pub fn sources_with_commands() -> String {
    let with = |way| {
        let words = KINDS.iter().filter(|about| about.way == way).map(|about| about.word);
        listed(words.map(str::to_owned).collect(), "and")
    };
    format!("{}, and with --elf {}", with(CommandPath::Line), with(CommandPath::Memory))
}

/// The lines of the help.
pub fn help() -> String {
    let mut help = String::new();
    for about in KINDS {
        let mut line = format!("  {:<1$}", about.pattern(), INDENT - 2);
        let mut is_new = true;
        for word in about.text.split(' ') {
            if !is_new && line.chars().count() + 1 + word.chars().count() > WIDTH {
                help += &line;
                help.push('\n');
                line = " ".repeat(INDENT);
                is_new = true;
            }
            if !is_new {
                line.push(' ');
            }
            line += word;
            is_new = false;
        }
        help += &line;
        help.push('\n');
    }
    help
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_by_its_word() {
        for about in KINDS {
            let pattern = about.pattern();
            let (found, rest) = SourceFacts::of(&pattern).unwrap();
            assert_eq!((found.kind, rest), (about.kind, about.rest));
        }
        for none in ["", "tcp", "-x", "usb:1", "trace.bin"] {
            assert!(SourceFacts::of(none).is_none(), "{none}");
        }
    }

    #[test]
    fn sentences_have_all_that_they_are_about() {
        assert_eq!(listed(vec![], "or"), "");
        assert_eq!(listed(vec!["a".into()], "or"), "a");
        assert_eq!(listed(["a", "b", "c"].map(str::to_owned).into(), "or"), "a, b or c");
        let sentence = sources_with_commands();
        let (line, memory) = sentence.split_once(", and with --elf ").unwrap();
        for about in KINDS {
            let is_in = |text: &str| text.split([',', ' ']).any(|word| word == about.word);
            assert_eq!(is_in(line), about.way == CommandPath::Line, "{}", about.word);
            assert_eq!(is_in(memory), about.way == CommandPath::Memory, "{}", about.word);
            assert!(all().contains(&about.pattern()) && help().contains(&about.pattern()));
            assert_eq!(of_memory().contains(about.word), about.way == CommandPath::Memory);
        }
    }
}
