//! The file with a target's memory: raw bytes, Intel HEX, S-records, an ELF core file, an ESP-IDF core dump. Only the positions
//! of the pieces are stored in the program's memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail};
use tband_program::Memory;

use super::piece::Piece;
use super::{core_file, text};

/// Bytes of a target's memory that are read at once.
const PIECE: usize = 4096;

/// Memory in a file.
pub struct Image {
    file: File,
    /// The kind of file.
    pub kind: &'static str,
    pub pieces: Vec<Piece>,
}

impl Image {
    /// Opens a file, whose format is recognised from its content. Raw bytes begin at `base`.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn open(path: &Path, base: Option<u64>) -> anyhow::Result<Self> {
        let name = path.display();
        let mut file = File::open(path).with_context(|| format!("cannot read {name}"))?;
        let mut begin = Vec::new();
        let read = (&mut file).take(1024).read_to_end(&mut begin).and_then(|_| file.rewind());
        read.with_context(|| format!("cannot read {name}"))?;
        let len = file.metadata().with_context(|| format!("cannot read {name}"))?.len();
        let (kind, pieces) = if let Some(place) = core_file::Place::of(&begin, len) {
            (place.kind(), core_file::pieces(&file, place).with_context(|| format!("{name}"))?)
        } else if let Some(notation) = text::Notation::of(&begin) {
            let mut spool = tempfile::tempfile().context("cannot make a temporary file")?;
            let pieces = read_text(BufReader::new(file), notation, &mut spool)
                .with_context(|| format!("{name}"))?;
            file = spool;
            (notation.name(), pieces)
        } else {
            ("raw image", vec![Piece { address: base, offset: 0, len }])
        };
        Ok(Self { file, kind, pieces })
    }

    /// Saves the memory of a target, from and to of each piece of it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of_target(target: &mut dyn Memory, ram: &[(u64, u64)]) -> anyhow::Result<Self> {
        let mut file = tempfile::tempfile().context("cannot make a temporary file")?;
        let mut pieces = Vec::new();
        let mut offset = 0;
        for (from, to) in ram {
            let len = to.saturating_sub(*from);
            pieces.push(Piece { address: Some(*from), offset, len });
            let mut block = vec![0; PIECE];
            for at in (*from..*to).step_by(PIECE) {
                let room = usize::try_from(to - at).unwrap_or(PIECE).min(PIECE);
                let part = block.get_mut(..room).unwrap_or_default();
                target.read(at, part)?;
                file.write_all(part).context("cannot write a temporary file")?;
            }
            offset += len;
        }
        Ok(Self { file, kind: "memory of a target", pieces })
    }

    /// Reads bytes of the file.
    ///
    /// # Errors
    /// They are not there.
    pub fn read_at(&mut self, offset: u64, buf: &mut [u8]) -> anyhow::Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        Ok(self.file.read_exact(buf)?)
    }

    /// Reads from this offset, at most as much as the buffer holds, and no further than the end.
    pub fn read_some(&mut self, offset: u64, buf: &mut [u8]) -> anyhow::Result<usize> {
        self.file.seek(SeekFrom::Start(offset))?;
        let mut read = 0;
        while let Some(rest) = buf.get_mut(read..).filter(|rest| !rest.is_empty()) {
            match self.file.read(rest)? {
                0 => break,
                len => read += len,
            }
        }
        Ok(read)
    }
}

impl Memory for Image {
    fn read(&mut self, mut at: u64, mut buf: &mut [u8]) -> anyhow::Result<()> {
        while !buf.is_empty() {
            let within = |piece: &&Piece| {
                piece
                    .address
                    .is_some_and(|from| (from..from.saturating_add(piece.len)).contains(&at))
            };
            let Some(piece) = self.pieces.iter().find(within).copied() else {
                if self.pieces.iter().all(|piece| piece.address.is_none()) {
                    bail!(
                        "where the image begins in the target's memory is not known; add --base ADDRESS"
                    );
                }
                bail!("the image does not have the memory at {at:#x}");
            };
            let into = at - piece.address.unwrap_or_default();
            let len = usize::try_from(piece.len - into).unwrap_or(usize::MAX).min(buf.len());
            let (part, rest) = buf.split_at_mut(len);
            self.read_at(piece.offset + into, part).context("the image ends too early")?;
            at += len as u64;
            buf = rest;
        }
        Ok(())
    }
}

/// The data of a text file, one after the other in `spool`.
fn read_text(
    mut from: impl BufRead,
    notation: text::Notation,
    spool: &mut File,
) -> anyhow::Result<Vec<Piece>> {
    /// Maximum length of a record's line; longer ones are not records.
    const MOST: u64 = 1100;
    let mut pieces: Vec<Piece> = Vec::new();
    let mut out = std::io::BufWriter::new(spool);
    let (mut written, mut line, mut number) = (0_u64, Vec::new(), 0_u64);
    let mut reader = text::Records::new(notation);
    loop {
        line.clear();
        if from.by_ref().take(MOST).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        number += 1;
        let data = reader.data(&line).with_context(|| format!("line {number}"))?;
        let Some((address, bytes)) = data.filter(|(_, bytes)| !bytes.is_empty()) else { continue };
        out.write_all(&bytes).context("cannot write a temporary file")?;
        let len = bytes.len() as u64;
        match pieces.last_mut() {
            Some(last) if last.address.map(|at| at.saturating_add(last.len)) == Some(address) => {
                last.len += len;
            }
            _ => pieces.push(Piece { address: Some(address), offset: written, len }),
        }
        written += len;
    }
    out.flush().context("cannot write a temporary file")?;
    Ok(pieces)
}
