//! Event counts of recordings, without a timeline.

use std::io;

use tband_format::decode::Decoded;

use crate::census::Census;
use crate::error::ConvError;
use crate::input::Input;
use crate::item::{Item, Mode, Origin, Visitor};

/// Reads the inputs once, and counts their events; again for inputs that describe events after these occur. A conversion may
/// have the same counts in the [`Summary`](crate::Summary).
///
/// # Errors
/// [`ConvError::Read`] if an input cannot be read.
pub fn take_census(inputs: &[Input<'_>], mode: Mode) -> Result<Census, ConvError> {
    let mut census = Census::default();
    for input in inputs {
        let mut events = input.events(mode)?;
        events.count();
        events.visit(&mut CountingPass).map_err(|error| input.read_error(error))?;
        if events.schemas().are_late() {
            events = input.events(mode)?.with_schemas(events.schemas());
            events.count();
            events.visit(&mut CountingPass).map_err(|error| input.read_error(error))?;
        }
        census.join(&events.census().unwrap_or_default());
    }
    Ok(census)
}

/// Events are only read.
pub(crate) struct CountingPass;

impl Visitor for CountingPass {
    type Error = io::Error;

    fn event(&mut self, _: &Origin, _: &Decoded<'_>) -> io::Result<()> {
        Ok(())
    }

    fn other(&mut self, _: &Item<'_>) -> io::Result<()> {
        Ok(())
    }
}
