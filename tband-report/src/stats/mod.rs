//! The tables of `stats`: typed cells, from which text, JSON and CSV come alike.

mod cores;
mod digest;
mod html;
mod measurement;
mod objects;
mod page;
mod parts;
mod recording;
mod render;
mod running;
mod table;
mod tables;
mod waits;

pub use digest::Digest;
pub use html::html;
pub use measurement::{Measurement, measure, measure_with};
pub use page::page;
pub use render::{csv, json, text};
pub use table::{Cell, Column, OmittedRows, Table, table};
pub use tables::all;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tband_conv::load::Owners;
    use tband_conv::{Input, Options};
    use tband_recordings::random::config;

    use super::*;
    use crate::load::Areas;
    use crate::page::{PageRecording, report};
    use crate::timeline::ReportTimeline;
    use crate::why::Overview;

    /// Checks that any recording has tables, and that programs can read them.
    fn tables_of(recording: &[u8]) {
        let inputs =
            [Input::from_bytes("a", recording), Input::from_bytes("b", recording).on_core(1)];
        let options = Options::default();
        // So few that it is always merged.
        let pictured = (ReportTimeline::with_at_most(20), Overview::default());
        let mut sinks = (pictured, Owners::new(Areas::default()));
        let Ok(measured) = measure_with(&inputs, &options, &mut sinks) else { return };
        let ((picture, activations), load) = sinks;
        let load = load.into_inner();
        report(
            &[PageRecording {
                measured: &measured,
                picture: &picture,
                activations: &activations,
                load: &load,
                cores: None,
            }],
            None,
            std::io::sink(),
        )
        .unwrap();
        let Measurement { tables, .. } = measured;
        assert!(text(&tables, true).starts_with("length"));
        let parsed: serde_json::Value =
            serde_json::from_str(&json(&tables, true).unwrap()).unwrap();
        assert_eq!(parsed.as_object().unwrap().len(), tables.len());
        let mut shown = Vec::new();
        page(&tables, &mut shown).unwrap();
        let shown: serde_json::Value = serde_json::from_slice(&shown).unwrap();
        assert_eq!(shown.as_array().unwrap().len(), tables.len());
        let csv = csv(&tables, true).unwrap();
        for record in ::csv::Reader::from_reader(csv.as_bytes()).records() {
            assert_eq!(record.unwrap().len(), 5);
        }
    }

    proptest! {
        #![proptest_config(config(256))]

        #[test]
        fn any_recording_has_tables(
            which in any::<prop::sample::Index>(),
            changes in prop::collection::vec(any::<(prop::sample::Index, u8)>(), 0..20),
        ) {
            let root = tband_recordings::project::path("");
            let mut recording = which.get(&tband_fuzz::recordings(&root).unwrap()).clone();
            recording.truncate(3000);
            for (at, byte) in changes {
                *at.get_mut(&mut recording) = byte;
            }
            tables_of(&recording);
        }
    }
}
