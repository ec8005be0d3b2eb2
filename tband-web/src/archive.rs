//! A folder as one file, in the format of tar, because a page cannot save folders.

use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;

use tar::{EntryType, Header};

use crate::host::Host;

/// Size of tar's units, in bytes.
const BLOCK: usize = 512;

/// A file of the folder, while it is written.
struct Member<'h> {
    host: &'h dyn Host,
    output: usize,
    len: Rc<Cell<u64>>,
}

impl Write for Member<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.host.write(self.output, bytes)?;
        self.len.set(self.len.get().saturating_add(bytes.len() as u64));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Files that are written side by side, each to a separate output. They are joined when all lengths are known.
pub(crate) struct Archive<'h> {
    host: &'h dyn Host,
    folder: String,
    members: Vec<(String, Rc<Cell<u64>>)>,
}

impl<'h> Archive<'h> {
    /// One of a folder of this name, or like it: it is a name on every system.
    pub fn new(host: &'h dyn Host, name: &str) -> Self {
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let plain = name.chars().map(|c| if is_plain(&c) { c } else { '_' });
        let folder: String = plain.skip_while(|c| *c == '.').take(60).collect();
        let folder = if folder.is_empty() { "trace".to_owned() } else { folder };
        Self { host, folder, members: Vec::new() }
    }

    /// A new file of a name.
    pub fn create(&mut self, name: &str) -> impl Write + use<'h> {
        let len = Rc::new(Cell::new(0));
        self.members.push((name.to_owned(), Rc::clone(&len)));
        Member { host: self.host, output: self.members.len(), len }
    }

    /// Puts all files after each other. None is written any more.
    pub fn finish(self) -> io::Result<()> {
        for (index, (name, len)) in self.members.iter().enumerate() {
            let mut header = Header::new_ustar();
            header.set_path(format!("{}/{name}", self.folder))?;
            header.set_entry_type(EntryType::Regular);
            header.set_mode(0o644);
            header.set_size(len.get());
            header.set_cksum();
            self.host.write(0, header.as_bytes())?;
            self.host.append(0, index + 1);
            let beyond = (len.get() % BLOCK as u64) as usize;
            let rest = if beyond == 0 { 0 } else { BLOCK - beyond };
            self.host.write(0, [0; BLOCK].get(..rest).unwrap_or_default())?;
        }
        self.host.write(0, &[0; 2 * BLOCK])
    }
}
