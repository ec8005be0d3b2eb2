//! Where crashes are in the firmware's sources: functions, files and lines, by the address at which it has crashed.

/// Crashes whose places are kept.
const MAX_CRASHES: usize = 64;
/// Places of a crash that are kept.
const MAX_PLACES: usize = 64;

/// Places by address. What was given first counts: the recording, for whoever put them there had the target's memory too.
#[derive(Clone, Debug, Default)]
pub struct CrashPlaces(Vec<(u32, Vec<String>)>);

impl CrashPlaces {
    /// The places of a crash, innermost first.
    pub fn add(&mut self, pc: u32, mut places: Vec<String>) {
        if self.0.len() < MAX_CRASHES && self.of(pc).is_empty() {
            places.truncate(MAX_PLACES);
            self.0.push((pc, places));
        }
    }

    /// Those of a crash at this address; none if they are not known.
    pub fn of(&self, pc: u32) -> &[String] {
        self.0.iter().find(|(at, _)| *at == pc).map_or(&[], |(_, places)| places)
    }
}
