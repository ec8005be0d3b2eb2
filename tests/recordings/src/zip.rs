//! Zip archives.

use std::io::{Result, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};

/// Returns an archive of files, by path and content. Each is compressed with deflate if it `is_deflated`.
///
/// # Errors
/// A path is no path in an archive.
pub fn zip(files: &[(&str, &[u8])], is_deflated: bool) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (path, content) in files {
        let method =
            if is_deflated { CompressionMethod::DEFLATE } else { CompressionMethod::STORE };
        let file = archive.new_file(path).compression_method(method);
        let (mut entry, config) = file.start().map_err(std::io::Error::other)?;
        let descriptor = if is_deflated {
            let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
            writer.write_all(content)?;
            let (encoder, descriptor) = writer.finish().map_err(std::io::Error::other)?;
            encoder.finish()?;
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(content)?;
            writer.finish().map_err(std::io::Error::other)?.1
        };
        entry.finish(descriptor).map_err(std::io::Error::other)?;
    }
    archive.finish().map_err(std::io::Error::other)?;
    Ok(bytes)
}
