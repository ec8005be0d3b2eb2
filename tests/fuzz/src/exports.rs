//! The formats of other tools: none fails, and what is JSON can be read.

use std::io::Cursor;

use tband_conv::{ConvError, Summary};
use tband_export::{
    FluxOptions, convert_to_chrome, convert_to_flux, convert_to_fst, convert_to_speedscope,
    convert_to_vcd,
};

use tband_tables::{About, BoxFile, convert_to_tables};

use crate::setup::Setup;

/// Exports to all of them.
///
/// # Panics
/// If something does not hold.
pub fn run(setup: &Setup, recording: &[u8]) {
    let (inputs, options) = (setup.inputs(recording), &setup.options);
    let is_json = |made: Result<Summary, ConvError>, out: &[u8]| {
        if made.is_ok()
            && let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(out)
        {
            panic!("{error}: {}", String::from_utf8_lossy(out));
        }
        written(made)
    };
    let mut out = Vec::new();
    let chrome = convert_to_chrome(&inputs, options, &mut out);
    let is_converted = is_json(chrome, &out);
    out.clear();
    let speedscope = convert_to_speedscope(&inputs, options, &mut out);
    assert_eq!(is_json(speedscope, &out), is_converted, "speedscope");
    let flux = convert_to_flux(&inputs, options, FluxOptions::default(), std::io::sink());
    assert_eq!(written(flux), is_converted, "flux");
    let vcd = convert_to_vcd(&inputs, options, std::io::sink());
    assert_eq!(written(vcd), is_converted, "vcd");
    out.clear();
    let fst = convert_to_fst(&inputs, options, Cursor::new(&mut out));
    assert_eq!(written(fst), is_converted, "fst");
    let mut create = |_: &'static str| Ok(Box::new(std::io::sink()) as BoxFile);
    let tables = convert_to_tables(&inputs, options, &About::default(), &mut create);
    assert_eq!(written(tables), is_converted, "tables");
}

/// Whether it could be converted.
fn written(made: Result<Summary, ConvError>) -> bool {
    match made {
        Ok(_) => true,
        Err(ConvError::Write(error)) => panic!("nothing is written that could fail: {error}"),
        Err(_) => false,
    }
}
