//! Formats without settings of their own, each written by one function of `tband-export`.

use tband_export::{
    convert_to_btf, convert_to_chrome, convert_to_fst, convert_to_qs, convert_to_speedscope,
    convert_to_vcd,
};

use super::{Export, ExportSummary, OutputKind, Setting};

/// An export without own settings: its kind, the function that writes it, and the fields in which these formats differ.
macro_rules! plain {
    ($kind:ident($convert:path), $($field:ident: $value:expr,)*) => {
        Export {
            $($field: $value,)*
            passes: 2,
            takes: &[Setting::Window, Setting::Gzip],
            form: OutputKind::$kind(|inputs, options, _, out| {
                $convert(inputs, options, out).map(ExportSummary::of)
            }),
        }
    };
}

pub const BTF: Export = plain! {
    Stream(convert_to_btf),
    name: "btf",
    about: "a BTF trace for Trace Compass and timing tools",
    ending: ".btf",
    media_type: "text/plain",
    begins: b"#version",
    // The buffer in which records are sorted.
    memory: 8 << 20,
};

pub const CHROME: Export = plain! {
    Stream(convert_to_chrome),
    name: "chrome",
    about: "Chrome's trace events as JSON",
    ending: ".json",
    media_type: "application/json",
    begins: b"{\"displayTimeUnit\"",
    memory: 2 << 20,
};

pub const FST: Export = plain! {
    File(convert_to_fst),
    name: "fst",
    about: "waveforms, compressed, for GTKWave and Surfer",
    ending: ".fst",
    media_type: "application/octet-stream",
    begins: b"\0\0\0\0\0\0\0\x01\x49",
    // The data gathered before compression, and the memory for the compression.
    memory: 8 << 20,
};

pub const QS: Export = plain! {
    Stream(convert_to_qs),
    name: "qs",
    about: "frames of QP/Spy with dictionaries, for QSPY",
    ending: ".qs",
    media_type: "application/octet-stream",
    begins: b"\0\0\xFF\x7E",
    memory: 2 << 20,
};

pub const SPEEDSCOPE: Export = plain! {
    Stream(convert_to_speedscope),
    name: "speedscope",
    about: "a profile of each core for speedscope.app",
    ending: ".speedscope.json",
    media_type: "application/json",
    begins: b"{\"$schema\"",
    memory: 2 << 20,
};

pub const VCD: Export = plain! {
    Stream(convert_to_vcd),
    name: "vcd",
    about: "waveforms as text, for GTKWave, Surfer and others",
    ending: ".vcd",
    media_type: "text/plain",
    begins: b"$version",
    memory: 2 << 20,
};
