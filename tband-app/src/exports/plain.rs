//! Formats without settings of their own, each written by one function of `tband-export`.

use tband_export::{
    convert_to_btf, convert_to_chrome, convert_to_fst, convert_to_qs, convert_to_speedscope,
    convert_to_vcd,
};

use super::{Export, ExportSummary, OutputKind, Setting};

/// What the formats have in common; they set the other fields.
const PLAIN: Export = Export {
    name: "",
    about: "",
    ending: "",
    media_type: "application/octet-stream",
    begins: b"",
    passes: 2,
    memory: 2 << 20,
    takes: &[Setting::Window, Setting::Gzip],
    form: OutputKind::Missing(""),
};

pub const BTF: Export = Export {
    name: "btf",
    about: "a BTF trace for Trace Compass and timing tools",
    ending: ".btf",
    media_type: "text/plain",
    begins: b"#version",
    // The buffer in which records are sorted.
    memory: 8 << 20,
    form: OutputKind::Stream(|inputs, options, _, out| {
        convert_to_btf(inputs, options, out).map(ExportSummary::of)
    }),
    ..PLAIN
};

pub const CHROME: Export = Export {
    name: "chrome",
    about: "Chrome's trace events as JSON",
    ending: ".json",
    media_type: "application/json",
    begins: b"{\"displayTimeUnit\"",
    form: OutputKind::Stream(|inputs, options, _, out| {
        convert_to_chrome(inputs, options, out).map(ExportSummary::of)
    }),
    ..PLAIN
};

pub const FST: Export = Export {
    name: "fst",
    about: "waveforms, compressed, for GTKWave and Surfer",
    ending: ".fst",
    begins: b"\0\0\0\0\0\0\0\x01\x49",
    // The data gathered before compression, and the memory for the compression.
    memory: 8 << 20,
    form: OutputKind::File(|inputs, options, _, out| {
        convert_to_fst(inputs, options, out).map(ExportSummary::of)
    }),
    ..PLAIN
};

pub const QS: Export = Export {
    name: "qs",
    about: "frames of QP/Spy with dictionaries, for QSPY",
    ending: ".qs",
    begins: b"\0\0\xFF\x7E",
    form: OutputKind::Stream(|inputs, options, _, out| {
        convert_to_qs(inputs, options, out).map(ExportSummary::of)
    }),
    ..PLAIN
};

pub const SPEEDSCOPE: Export = Export {
    name: "speedscope",
    about: "a profile of each core for speedscope.app",
    ending: ".speedscope.json",
    media_type: "application/json",
    begins: b"{\"$schema\"",
    form: OutputKind::Stream(|inputs, options, _, out| {
        convert_to_speedscope(inputs, options, out).map(ExportSummary::of)
    }),
    ..PLAIN
};

pub const VCD: Export = Export {
    name: "vcd",
    about: "waveforms as text, for GTKWave, Surfer and others",
    ending: ".vcd",
    media_type: "text/plain",
    begins: b"$version",
    form: OutputKind::Stream(|inputs, options, _, out| {
        convert_to_vcd(inputs, options, out).map(ExportSummary::of)
    }),
    ..PLAIN
};
