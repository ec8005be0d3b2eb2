//! Inputs of the transcripts, by their names.

use std::path::Path;

use tband_recordings::cases;

use crate::support::{Folder, RECORDINGS, example, small};

/// Writes the inputs that a command names into the folder of its session, unless it has them.
pub fn create(folder: &Folder, command: &str) {
    let is_part = |it: char| it.is_ascii_alphanumeric() || "_-.".contains(it);
    for name in command.split(|it| !is_part(it)) {
        if !folder.0.join(name).exists()
            && let Some(bytes) = content(name)
        {
            folder.file(name, &bytes);
        }
    }
}

fn content(name: &str) -> Option<Vec<u8>> {
    let bytes = match name {
        "text.txt" => b"no recording at all, but a text\n".to_vec(),
        "garbage.bin" => {
            let start = [b"boot: hello\r\n\0", &small()[..], &[9; 70_000], &[0]].concat();
            [start, small()].concat()
        }
        "empty.bin" => Vec::new(),
        "zeros.bin" => vec![0; 100],
        "unmarked_hex.txt" => b"03 00 5f 01 00\n".to_vec(),
        "odd.hex" => b"00 5".to_vec(),
        "letter.hex" => b"035g".to_vec(),
        "packed.zst" => noise(b"\x28\xB5\x2F\xFD"),
        "packed.xz" => noise(b"\xFD7zXZ\0"),
        "packed.bz2" => noise(b"BZh91AY&SY"),
        "packed.7z" => noise(b"7z\xBC\xAF\x27\x1C"),
        "packed.lz4" => noise(b"\x04\x22\x4D\x18"),
        // The content of an archive is not compressed, so it looks like a recording with damage at both ends.
        "cut_off.zip" => {
            let header = [&b"PK\x03\x04\x14\0"[..], &[0; 20], b"\x05\0\0\0r.bin"].concat();
            [header, small().repeat(50), b"PK\x01\x02".to_vec()].concat()
        }
        "begins_like_zip.bin" => [b"PK\x03\x04\0".to_vec(), small().repeat(2)].concat(),
        _ => {
            let by_events = cases::find_recording(Path::new(RECORDINGS), name);
            return by_events.or_else(|| example(name));
        }
    };
    Some(bytes)
}

/// Bytes that are no recording, after those that another format begins with.
fn noise(begin: &[u8]) -> Vec<u8> {
    let noise = (0..9000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8);
    begin.iter().copied().chain(noise).collect()
}
