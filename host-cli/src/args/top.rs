//! Arguments of `top`.

use clap::{Args, ValueEnum};

use tband_app::options::values::duration;

use super::{TargetArgs, examples};

/// Arguments of `top`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::TOP)]
pub struct TopArgs {
    /// Print one screen as text, and end
    ///
    /// For a file its last window, otherwise the first whole one.
    #[arg(long)]
    pub once: bool,

    /// Time that the figures cover, in time of the target
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = window)]
    pub window: i64,

    /// Sort tasks by this
    #[arg(long, value_enum, default_value_t = Sort::Cpu)]
    pub sort: Sort,

    /// Only tasks, queues and interrupts with this in their name
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub filter: String,

    /// Follow a file that grows, as file:PATH does
    #[arg(long)]
    pub follow: bool,

    #[command(flatten)]
    pub of_target: TargetArgs,

    /// A recording, or where one comes from, as for record
    #[arg(value_name = "SOURCE")]
    pub source: String,
}

/// What tasks are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// Share of the CPU, most first.
    #[default]
    Cpu,
    /// Priority, most urgent first.
    Prio,
    /// Name.
    Name,
    /// State.
    State,
    /// Bytes of stack left, least first.
    Stack,
}

impl Sort {
    /// Returns the next order.
    pub fn next(self) -> Self {
        let all = Self::value_variants();
        let at = all.iter().position(|it| *it == self).unwrap_or(0);
        all.get(at + 1).or(all.first()).copied().unwrap_or_default()
    }

    /// As the user names it.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

fn window(text: &str) -> Result<i64, String> {
    let ns = duration(text)?;
    let fits = (1_000_000..=60_000_000_000).contains(&ns);
    fits.then_some(ns).ok_or_else(|| "a time from 1ms to 60s is needed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_have_sensible_lengths_and_sorting_goes_round() {
        assert_eq!(window("250ms"), Ok(250_000_000));
        for wrong in ["", "0s", "1us", "61s", "5", "x"] {
            assert!(window(wrong).is_err(), "{wrong}");
        }
        let mut sort = Sort::default();
        for _ in Sort::value_variants() {
            sort = sort.next();
        }
        assert_eq!(sort, Sort::default());
    }
}
