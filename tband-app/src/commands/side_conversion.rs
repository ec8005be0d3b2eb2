//! Judges a recording while something else reads it: what can be read once only, such as a pipe, as it comes.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use tband_conv::{ConvError, Conversion, Input, Options};
use tband_report::dump::{DumpFacts, Objects};

/// A conversion that gets the bytes that are read.
pub(super) struct SideConversion {
    conversion: Rc<RefCell<State>>,
}

enum State {
    Follows(Box<Conversion<Objects>>),
    Failed(Option<ConvError>),
}

impl SideConversion {
    /// Follows the reader of the input that it gives in place of this one.
    pub fn of<'i>(input: &'i Input<'_>, options: &Options) -> Result<(Self, Input<'i>), ConvError> {
        let named = [(input.name(), input.core())];
        let mut options = options.clone();
        options.input_format = input.input_format();
        let conversion = Conversion::new(named, &options, Objects::default())?;
        let conversion = Rc::new(RefCell::new(State::Follows(Box::new(conversion))));
        let reader = Tee { reader: input.open()?, conversion: Rc::clone(&conversion) };
        let read = Input::once(input.name(), reader).on_core(input.core());
        let read = read.of_format(options.input_format);
        Ok((Self { conversion }, read))
    }

    /// The recording was read to its end.
    pub fn finish(self) -> Result<DumpFacts, ConvError> {
        match self.conversion.replace(State::Failed(None)) {
            State::Follows(conversion) => conversion.finish(),
            State::Failed(error) => Err(error.unwrap_or(ConvError::Failed)),
        }
    }
}

struct Tee<'r> {
    reader: Box<dyn Read + 'r>,
    conversion: Rc<RefCell<State>>,
}

impl Read for Tee<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(buf)?;
        self.conversion.borrow_mut().feed(buf.get(..len).unwrap_or_default());
        Ok(len)
    }
}

impl State {
    /// Takes these bytes. Their reader detects errors, which are reported in the end.
    fn feed(&mut self, bytes: &[u8]) {
        let Self::Follows(conversion) = self else { return };
        if let Err(error) = conversion.feed_all(bytes) {
            *self = Self::Failed(Some(error));
        }
    }
}
