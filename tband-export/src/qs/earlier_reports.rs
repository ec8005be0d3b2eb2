//! Facts that a window lacks: names and priorities from before its start.

use std::io;
use std::ops::ControlFlow;

use tband_conv::convert::events::convert_events;
use tband_conv::model::{EventSink, TimedEvent, World};
use tband_conv::{ConvError, Input, Options};

use super::objects::{ObjectNames, named};
use super::scheduler::Scheduler;

/// Reports from before the window.
#[derive(Debug, Default)]
pub struct EarlierReports {
    pub names: ObjectNames,
    pub scheduler: Scheduler,
    /// Holds the board of each input.
    world: World,
}

impl EarlierReports {
    /// Reads the part before the window, if it has a start. Memory grows with the number of objects.
    pub fn read(inputs: &[Input<'_>], options: &Options) -> Result<Self, ConvError> {
        let mut before = Self::default();
        if options.from.is_some() {
            let mut options = options.clone();
            options.to = options.from.take();
            convert_events(inputs, &options, &mut before)?;
        }
        Ok(before)
    }
}

impl EventSink for EarlierReports {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.world = world.clone();
        Ok(())
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        self.world.enter_input(event.place.input);
        let (event, core) = (&event.decoded.event, event.at.core);
        if let Some((object, name)) = named(event, core) {
            self.names.insert(object.on(self.world.board()), name);
        }
        if self.world.board() == 0 {
            self.scheduler.follow(event, core);
        }
        Ok(ControlFlow::Continue(()))
    }
}
