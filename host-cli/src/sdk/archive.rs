//! The SDK's archive: a compressed tar whose files are all in one folder, `tband-VERSION`.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};

use anyhow::{Context, ensure};
use flate2::read::MultiGzDecoder;
use flate2::{Compression, GzBuilder};
use tar::{Archive, Builder, EntryType, Header};

use super::Sdk;

/// A file's time in the archive, as `cargo xtask dist` writes it.
const MTIME: u64 = 946_684_800;
/// The program's file in the archive, which the SDK in a program does not contain.
pub const PROGRAM: [&str; 2] = ["bin", "tband-cli"];
/// A file of an SDK is never as large, in bytes.
const MAX_SIZE: u64 = 64 << 20;
/// The files of an SDK together are never as large, in bytes.
const MAX_TOTAL: u64 = 512 << 20;

/// Reads an archive as far as it may be one of an SDK; leaves programs out.
///
/// # Errors
/// It is damaged, or no archive.
pub fn read(bytes: impl Read) -> anyhow::Result<Sdk> {
    let (mut files, mut total) = (BTreeMap::new(), 0);
    let mut archive = Archive::new(MultiGzDecoder::new(BufReader::new(bytes)));
    let cannot = "it is not a compressed archive of tar, or it is damaged";
    for entry in archive.entries().context(cannot)? {
        let mut entry = entry.context(cannot)?;
        if entry.header().entry_type() != EntryType::Regular {
            continue;
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let names: Vec<String> = path.split('/').skip(1).map(str::to_owned).collect();
        let is_plain =
            |it: &String| !it.is_empty() && it != "." && it != ".." && !it.contains('\\');
        ensure!(!names.is_empty() && names.iter().all(is_plain), "it has a file at {path}");
        ensure!(entry.size() <= MAX_SIZE, "its file {path} has {} bytes", entry.size());
        if names.first().is_some_and(|it| it == PROGRAM[0]) {
            continue;
        }
        total += entry.size();
        ensure!(total <= MAX_TOTAL, "it has more than {} MiB: it is not an SDK", MAX_TOTAL >> 20);
        let mut content = Vec::new();
        entry.read_to_end(&mut content).context(cannot)?;
        files.insert(names, content);
    }
    // The checksum is at the end.
    io::copy(&mut archive.into_inner(), &mut io::sink()).context(cannot)?;
    Ok(Sdk { files })
}

/// Writes the archive that `cargo xtask dist` makes of the SDK and of `program`, with the same bytes.
///
/// # Errors
/// As of `out`.
pub fn write(sdk: &Sdk, program: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let gzip = GzBuilder::new().operating_system(255);
    let mut archive = Builder::new(gzip.write(out, Compression::best()));
    let key = PROGRAM.map(str::to_owned).to_vec();
    let mut files: BTreeMap<&Vec<String>, (&[u8], u32)> =
        sdk.files.iter().map(|(names, bytes)| (names, (bytes.as_slice(), 0o644))).collect();
    files.insert(&key, (program, 0o755));
    for (names, (bytes, mode)) in files {
        let mut header = Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(mode);
        header.set_mtime(MTIME);
        header.set_entry_type(EntryType::Regular);
        let path = format!("tband-{}/{}", env!("CARGO_PKG_VERSION"), names.join("/"));
        archive.append_data(&mut header, path, bytes)?;
    }
    archive.into_inner()?.finish()?;
    Ok(())
}
