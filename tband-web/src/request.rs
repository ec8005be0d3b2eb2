//! What is asked for.

use std::io::BufReader;

use serde_json::Value;
use tband_app::Choice;
use tband_app::exports::Settings;
use tband_conv::{
    BoxRead, DumpFilter, Flows, Format, Input, MAX_CORES, Mode, Moment, Options, Which,
    group_by_core, refuse_copies,
};
use tband_report::moment;

use crate::host::{FileReader, Host};

/// Bytes that are asked of the host at once, for all inputs together: each time costs the browser a message.
const BLOCKS: usize = 4 << 20;
/// The least for one of them.
const MIN_BLOCK: usize = 1 << 16;

/// What is asked for, as an object: `command`, `inputs` (each `name` and, if the user said so, `core`, as a text), and options by
/// the names of the command line, as texts; what is not there or empty has its default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'r>(pub &'r Value);

impl<'r> Request<'r> {
    /// An option's text.
    pub fn text(self, name: &str) -> Option<&'r str> {
        self.0.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    pub fn is_set(self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// An option that is a number or the like.
    fn parsed<T>(
        self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        let wrong = |error| format!("{name}: {error}");
        self.text(name).map(|text| parse(text).map_err(wrong)).transpose()
    }

    pub fn number<T: std::str::FromStr>(self, name: &str) -> Result<Option<T>, String> {
        self.parsed(name, |text| text.parse().map_err(|_| "a number is needed".to_owned()))
    }

    /// An option that is one of a few words.
    fn choice<C: Choice>(self, name: &str, usual: C) -> Result<C, String> {
        let word = |word: &str| C::named(word).ok_or_else(|| format!("{word} is none"));
        Ok(self.parsed(name, word)?.unwrap_or(usual))
    }

    pub fn mode(self) -> Result<Mode, String> {
        self.choice("mode", Mode::Auto)
    }

    pub fn settings(self) -> Result<Settings, String> {
        let mut settings = Settings::default();
        settings.raw_events = self.is_set("raw_events");
        settings.interrupts = self.choice("interrupts", settings.interrupts)?;
        settings.ctf_names = self.choice("ctf_names", settings.ctf_names)?;
        Ok(settings)
    }

    pub fn options(self) -> Result<Options, String> {
        let mut options = Options::default();
        options.mode = self.mode()?;
        options.core_count = self.number("core_count")?;
        if options.core_count.is_some_and(|count| !(1..=MAX_CORES).contains(&count)) {
            return Err(format!("core_count: a number from 1 to {MAX_CORES} is needed"));
        }
        options.tick_rate = self.parsed("tick_rate", |text| {
            text.parse().map_err(|it: tband_conv::NoFrequency| it.to_string())
        })?;
        options.flows = self.choice("flows", Flows::Wakes)?;
        (options.from, options.to) = self.window()?;
        Ok(options)
    }

    fn window(self) -> Result<(Option<Moment>, Option<Moment>), String> {
        Ok((self.parsed("from", moment)?, self.parsed("to", moment)?))
    }

    pub fn filter(self) -> Result<DumpFilter, String> {
        let (from, to) = self.window()?;
        let which =
            |text: &str| text.parse().map_or_else(|_| Which::Name(text.to_owned()), Which::Id);
        let events = self.text("event").unwrap_or_default();
        let events: Vec<String> =
            events.split([',', ' ']).filter(|it| !it.is_empty()).map(str::to_owned).collect();
        if let Some(unknown) =
            events.iter().find(|name| !tband_conv::event_names().any(|it| it == **name))
        {
            return Err(format!("event: {unknown} is none; the table of events has their names"));
        }
        Ok(DumpFilter {
            from,
            to,
            core: self.number("core")?,
            events,
            task: self.text("task").map(which),
            queue: self.text("queue").map(which),
            limit: self.number("limit")?,
            tick_rate: self.options()?.tick_rate,
        })
    }

    /// The recordings.
    pub fn inputs<'h>(self, host: &'h dyn Host) -> Result<Vec<Input<'h>>, String> {
        let format = self.choice("format", Format::Auto)?;
        let all = self.0.get("inputs").and_then(Value::as_array);
        let all = all.filter(|all| !all.is_empty()).ok_or("there is no file")?;
        let block = (BLOCKS / all.len()).max(MIN_BLOCK);
        let input = |(file, input): (usize, &Value)| {
            let name = input.get("name").and_then(Value::as_str).unwrap_or("recording");
            let core = Request(input).parsed("core", |text| {
                let core = text.parse().ok().filter(|core| *core < MAX_CORES);
                core.ok_or_else(|| {
                    format!("{name}: a number from 0 to {} is needed", MAX_CORES - 1)
                })
            })?;
            let open = move || {
                let reader = FileReader { host, file, offset: 0 };
                Ok(Box::new(BufReader::with_capacity(block, reader)) as BoxRead<'h>)
            };
            Ok((core, Input::new(name, open).on_core(core.unwrap_or(0)).in_format(format)))
        };
        let inputs: Vec<(Option<u32>, Input<'h>)> =
            all.iter().enumerate().map(input).collect::<Result<_, String>>()?;
        refuse_copies(inputs.iter().map(|(_, input)| input))
            .and_then(|()| group_by_core(inputs))
            .map_err(|error| tband_report::messages::error(&error).1)
    }
}
