//! Options with a few words as values: the words, and their purposes.

use tband_conv::InputFormat;
use tband_conv::encoding::notation::Format;
use tband_conv::item::Mode;
use tband_conv::model::Flows;
use tband_conv::sinks::Interrupts;
#[cfg(feature = "tools")]
use tband_export::{Compression, FluxVersion};

use crate::exports::CtfNames;

/// A value that users name by a word.
pub trait Choice: Copy + PartialEq + Send + Sync + 'static {
    /// Each value, its word, and its purpose in a line.
    const ALL: &'static [(Self, &'static str, &'static str)];

    /// The value of a word.
    #[must_use]
    fn from_name(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|it| it.1 == word).map(|it| it.0)
    }
}

/// Implements [`Choice`], and does not compile while a value has no word.
macro_rules! choices {
    ($(($kind:ty) { $($value:ident $word:literal $about:literal)+ })+) => {$(
        impl Choice for $kind {
            const ALL: &'static [(Self, &'static str, &'static str)] = {
                const fn _each_has_a_word(value: $kind) {
                    match value {
                        $(<$kind>::$value => {})+
                    }
                }
                &[$((Self::$value, $word, $about)),+]
            };
        }
    )+};
}

choices! {
    (Format) {
        Bin "bin" "Raw bytes"
        Hex "hex" "Hex digits; white space is skipped"
        Base64 "base64" "Base64; white space is skipped"
        Gzip "gzip" "Compressed with gzip"
        Auto "auto" "What it looks like"
    }
    (InputFormat) {
        Auto "auto" "What it looks like"
        Tband "tband" "tband's own frames or packets"
        SystemView "systemview" "SEGGER SystemView"
        SystemViewEsp "systemview-esp" "SystemView with Espressif's API ids"
        SystemViewV10 "systemview-v10" "SystemView with the API ids of FreeRTOS V8 to V10"
        SystemViewV11 "systemview-v11" "SystemView with the API ids of FreeRTOS V11"
        Ftrace "ftrace" "Text of ftrace, trace-cmd report or perf script"
        TraceRecorder "tracerecorder" "Percepio TraceRecorder"
        Qs "qs" "QS of QP"
        Rkh "rkh" "RKH"
        Ctf "ctf" "CTF"
        Flux "flux" "flux"
    }
    (Mode) {
        BareMetal "bare-metal" "Base events only"
        FreeRtos "free-rtos" "Base and FreeRTOS events"
        Auto "auto" "As in the recording"
    }
    (Flows) {
        None "none" "None"
        Wakes "wakes" "From what ended a wait to what the woken task did then, and from active timers to their callbacks"
        All "all" "From every item's sender to its receiver as well"
    }
    (Interrupts) {
        Cpu "cpu" "As threads that preempt tasks on their core"
        Rows "rows" "A row for each"
    }
    (CtfNames) {
        Tband "tband" "As they were recorded"
        Lttng "lttng" "As the Linux kernel's tracer has them"
    }
}

#[cfg(feature = "tools")]
choices! {
    (FluxVersion) {
        Four "4" "For older readers"
        Six "6" "The present one"
    }
    (Compression) {
        None "none" "Not at all"
        Lz4 "lz4" "LZ4"
        Zlib "zlib" "zlib, in version 6"
    }
}

#[cfg(test)]
mod tests {
    use tband_recordings::project;

    use super::*;

    fn has_one_word_each<C: Choice>() {
        for (value, word, about) in C::ALL {
            assert!(C::from_name(word).is_some_and(|it| it == *value), "{word} is twice");
            assert!(!about.is_empty(), "{word}");
        }
        assert!(C::from_name("").is_none() && C::from_name("nothing").is_none());
    }

    /// The text has each word, between these quotes.
    fn assert_all_listed<C: Choice>(text: &str, of: &str, quotes: [&str; 2]) {
        for (_, word, _) in C::ALL {
            let [before, after] = quotes;
            assert!(text.contains(&format!("{before}{word}{after}")), "{of} does not name {word}");
        }
    }

    /// The line of a text that has this.
    fn line_with<'a>(text: &'a str, part: &str) -> &'a str {
        text.lines().find(|line| line.contains(part)).unwrap()
    }

    /// Encodings and modes are documented for users.
    #[test]
    fn words_are_in_the_guide_and_in_the_types_of_python() {
        const INPUTS: &str = "docs/src/guide/viewing/inputs.md";
        const GUIDE: &str = "docs/src/guide/tables/python.md";
        const TYPES: &str = "tband-python/python/tband/__init__.pyi";
        let [inputs, guide, types] = [INPUTS, GUIDE, TYPES].map(project::text);
        assert_all_listed::<Format>(&inputs, INPUTS, ["`", "`"]);
        let line = line_with(&guide, "| `format` |");
        assert_all_listed::<Format>(line, GUIDE, ["`\"", "\"`"]);
        let line = line_with(&guide, "| `mode` |");
        assert_all_listed::<Mode>(line, GUIDE, ["`\"", "\"`"]);
        let line = line_with(&types, "_Format: TypeAlias");
        assert_all_listed::<Format>(line, TYPES, ["\"", "\""]);
        let line = line_with(&types, "_Mode: TypeAlias");
        assert_all_listed::<Mode>(line, TYPES, ["\"", "\""]);
    }

    #[test]
    fn words_are_of_one_value() {
        has_one_word_each::<Format>();
        has_one_word_each::<Mode>();
        has_one_word_each::<Flows>();
        has_one_word_each::<Interrupts>();
        has_one_word_each::<CtfNames>();
        #[cfg(feature = "tools")]
        {
            has_one_word_each::<FluxVersion>();
            has_one_word_each::<Compression>();
        }
    }
}
