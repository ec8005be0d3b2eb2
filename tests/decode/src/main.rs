//! Reads and decodes every event of a recording and does nothing with it: what `cargo xtask bench host` measures of the
//! decoder alone. `tband-decode FILE` prints how many there were.

use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::io;

use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode, Origin, Visitor};
use tband_format::decode::Decoded;

struct NoVisitor;

impl Visitor for NoVisitor {
    type Error = io::Error;

    fn event(&mut self, _: &Origin, decoded: &Decoded<'_>) -> io::Result<()> {
        black_box(decoded);
        Ok(())
    }

    fn other(&mut self, _: &Item<'_>) -> io::Result<()> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: tband-decode FILE")?;
    let mut reader = EventReader::new(File::open(path)?, 0, Mode::FreeRtos);
    reader.visit(&mut NoVisitor)?;
    println!("{}", reader.events());
    Ok(())
}
