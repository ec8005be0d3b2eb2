//! Where crashes are in the firmware's sources: functions, files and lines, by the address at which it has crashed.

/// Maximum number of crashes with kept places.
const MAX_CRASHES: usize = 64;
/// Maximum number of kept places of a crash.
const MAX_PLACES: usize = 64;

/// Places by address. The first entry wins, which is the recording's: the tool that put it there also had the target's memory.
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
