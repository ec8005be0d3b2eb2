//! A value for each core. Their numbers are small: readers take no others.

/// A value for each core up to the last one that was asked for.
#[derive(Clone, Debug)]
pub struct PerCore<T>(Vec<T>);

impl<T> Default for PerCore<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Default> PerCore<T> {
    /// That of a core, made if it is not there.
    pub fn of(&mut self, core: u32) -> &mut T {
        let place = core as usize;
        if self.0.len() <= place {
            self.0.resize_with(place + 1, T::default);
        }
        &mut self.0[place]
    }

    /// That of a core, if it is there.
    pub fn get(&self, core: u32) -> Option<&T> {
        self.0.get(core as usize)
    }

    /// How many cores have one.
    pub fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_have_values_of_their_own() {
        let mut cores = PerCore::<u32>::default();
        assert_eq!((cores.len(), cores.get(0)), (0, None));
        *cores.of(2) = 5;
        assert_eq!((cores.len(), cores.get(0), cores.get(2)), (3, Some(&0), Some(&5)));
        assert_eq!((*cores.of(1), *cores.of(2)), (0, 5));
    }
}
