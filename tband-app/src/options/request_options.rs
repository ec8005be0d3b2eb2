//! Options by their names, for callers that have them as texts: a web page, or another program.

use tband_conv::encoding::notation::Format;
use tband_conv::item::Mode;
use tband_conv::{Input, InputFormat, Options};
use tband_report::messages::Message;

use super::values::{
    around, choice, core_count, duration, events, frequency, moment, number, parse_object, switch,
    window_length,
};
use super::{CommandSettings, Window};
use crate::command_result::Failure;
use crate::exports::Settings;

/// All options of a request.
#[derive(Clone, Debug)]
pub struct RequestOptions {
    /// How recordings are written down.
    pub format: Format,
    /// Whose format they have.
    pub input_format: InputFormat,
    /// Options of the conversion, without the window.
    pub options: Options,
    /// Which part of them is of interest.
    pub window: Window,
    /// How exports are written.
    pub settings: Settings,
    /// The file of an export is compressed.
    pub gzip: bool,
    /// Settings of the other commands.
    pub wanted: CommandSettings,
}

/// By default the recording determines the settings.
impl Default for RequestOptions {
    fn default() -> Self {
        let mut options = Options::default();
        options.mode = Mode::Auto;
        Self {
            format: Format::Auto,
            input_format: InputFormat::Auto,
            options,
            window: Window::default(),
            settings: Settings::default(),
            gzip: false,
            wanted: CommandSettings::default(),
        }
    }
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSetter {
    /// Its name on the command line, without the dashes.
    pub flag: &'static str,
    /// Sets it to a value.
    pub set: fn(&mut RequestOptions, &str) -> Result<(), String>,
}

/// An option that sets one place to the value of a text.
macro_rules! named {
    ($($flag:literal: $($place:ident).+ = $value:expr;)+) => {
        &[$(OptionSetter {
            flag: $flag,
            set: |asked, text| {
                let value: fn(&str) -> Result<_, String> = $value;
                asked.$($place).+ = value(text)?;
                Ok(())
            },
        }),+]
    };
}

/// All of them.
pub const OPTIONS: &[OptionSetter] = named! {
    "format": format = choice;
    "input-format": input_format = choice;
    "mode": options.mode = choice;
    "core-count": options.core_count = core_count;
    "tick-rate": options.tick_rate = |text| frequency(text).map(Some);
    "flows": options.flows = choice;
    "from": window.from = |text| moment(text).map(Some);
    "to": window.to = |text| moment(text).map(Some);
    "around": window.around = |text| around(text).map(Some);
    "span": window.span = duration;
    "interrupts": settings.interrupts = choice;
    "raw-events": settings.raw_events = switch;
    "activations": settings.activations = switch;
    "parts": settings.parts = switch;
    "ctf-names": settings.ctf_names = choice;
    "gzip": gzip = switch;
    "all": wanted.all = switch;
    "every": wanted.every = |text| window_length(text).map(Some);
    "response-times": wanted.response_times = switch;
    "max-slices": wanted.max_slices = number;
    "core": wanted.dump.core = |text| number(text).map(Some);
    "event": wanted.dump.events = events;
    "task": wanted.dump.task = |text| Ok(Some(parse_object(text)));
    "queue": wanted.dump.queue = |text| Ok(Some(parse_object(text)));
    "limit": wanted.dump.limit = |text| number(text).map(Some);
};

impl RequestOptions {
    /// Sets an option, by its name on the command line or with `_` for `-`. Returns false if there is none of that name.
    ///
    /// # Errors
    /// It does not take this value; the text contains the option and its valid values.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let flag = name.replace('_', "-");
        let Some(option) = OPTIONS.iter().find(|it| it.flag == flag) else { return Ok(false) };
        (option.set)(self, value).map_err(|error| format!("{name}: {error}"))?;
        Ok(true)
    }

    /// Returns the options to convert these recordings, with the window, and a message about its position.
    ///
    /// # Errors
    /// As for [`Window::ends`].
    pub fn options(&self, inputs: &[Input<'_>]) -> Result<(Options, Option<Message>), Failure> {
        let mut options = self.options.clone();
        let (ends, message) = self.window.ends(inputs, &options)?;
        (options.from, options.to) = ends;
        Ok((options, message))
    }
}

#[cfg(test)]
mod tests {
    use tband_conv::clock::moment::Moment;
    use tband_conv::dump::ObjectSelector;
    use tband_conv::model::Flows;
    use tband_recordings::project;

    use super::*;

    #[test]
    fn options_are_set_by_their_names() {
        let mut asked = RequestOptions::default();
        for (name, value) in [
            ("mode", "bare-metal"),
            ("core_count", "2"),
            ("tick_rate", "64M"),
            ("flows", "all"),
            ("from", "1ms"),
            ("raw_events", "true"),
            ("max-slices", "7"),
            ("event", "queue_send"),
            ("task", "main"),
        ] {
            assert_eq!(asked.set(name, value), Ok(true), "{name}");
        }
        assert_eq!(asked.options.mode, Mode::BareMetal);
        assert_eq!(asked.options.core_count, Some(2));
        assert_eq!(asked.options.flows, Flows::All);
        assert_eq!(asked.window.from, Some(Moment::Ns(1_000_000)));
        assert!(asked.settings.raw_events && asked.wanted.max_slices == 7);
        assert_eq!(asked.wanted.dump.events, ["queue_send"]);
        assert_eq!(asked.wanted.dump.task, Some(ObjectSelector::Name("main".to_owned())));
        assert_eq!(asked.set("passes", "2"), Ok(false));
        for (name, value) in [("mode", "posix"), ("core_count", "0"), ("limit", "x"), ("to", "1m")]
        {
            let error = asked.set(name, value).unwrap_err();
            assert!(error.starts_with(&format!("{name}: ")), "{error}");
        }
    }

    /// Options that the page has no place for.
    const NOT_ON_THE_PAGE: [&str; 9] = [
        "input-format",
        "around",
        "span",
        "task-load",
        "parts",
        "ctf-names",
        "all",
        "every",
        "response-times",
    ];
    /// Options that the page sets without the user.
    const BY_THE_PAGE: [&str; 2] = ["gzip", "max-slices"];

    const SCRIPT: &str = "web/app.js";
    /// The lists in the page's script with the values that it sends.
    const LISTS: [&str; 3] = ["OPTIONS", "FLAGS", "FILTER"];

    fn list<'s>(script: &'s str, name: &str) -> Vec<&'s str> {
        let begin = format!("const {name} = [");
        let line = script.lines().find_map(|line| line.strip_prefix(&begin)).unwrap();
        line.trim_end_matches("];").split(", ").map(|it| it.trim_matches('"')).collect()
    }

    #[test]
    fn the_web_page_has_each_option() {
        let (script, page) = (project::text(SCRIPT), project::text("web/page.html"));
        let [options, flags, filter] = LISTS.map(|name| list(&script, name));
        for OptionSetter { flag, .. } in OPTIONS {
            let name = flag.replace('-', "_");
            let is_sent = [&options, &flags, &filter].iter().any(|it| it.contains(&&*name));
            let is_set = script.contains(&format!("{name}:"));
            assert_eq!(is_set && !is_sent, BY_THE_PAGE.contains(flag), "web/app.js: {flag}");
            let is_there = is_sent || is_set;
            assert_eq!(is_there, !NOT_ON_THE_PAGE.contains(flag), "web/app.js: {flag}");
            let id = if filter.contains(&&*name) { format!("dump-{name}") } else { name };
            assert!(!is_sent || page.contains(&format!("id=\"{id}\"")), "web/page.html: {id}");
        }
        // For an option that takes a word, the page offers each: they are in the error.
        let mut with_words = 0;
        for name in options {
            let Some((_, select)) = page.split_once(&format!("<select id=\"{name}\">")) else {
                continue;
            };
            let (select, _) = select.split_once("</select>").unwrap();
            let values = select.split("<option value=\"").skip(1);
            let mut offered: Vec<&str> = values.filter_map(|it| it.split('"').next()).collect();
            let error = RequestOptions::default().set(name, "?").unwrap_err();
            let (_, words) = error.split_once("none of ").unwrap();
            let mut words: Vec<&str> = words.split(", ").collect();
            offered.sort_unstable();
            words.sort_unstable();
            assert_eq!(offered, words, "web/page.html: {name}");
            with_words += 1;
        }
        assert!(with_words >= 4, "{with_words}");
    }

    #[test]
    fn the_web_page_sends_what_is_an_option() {
        let script = project::text(SCRIPT);
        let [options, flags, filter] = LISTS.map(|name| list(&script, name));
        let known = |name: &&str| OPTIONS.iter().any(|it| it.flag.replace('-', "_") == **name);
        assert!(options.iter().chain(&flags).chain(&filter).all(known), "web/app.js");
    }
}
