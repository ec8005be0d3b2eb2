//! Whether a model holds under every interleaving and every view of memory that loom knows.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// How often one core may be interrupted by the other at will. Waiting for each other is not counted.
#[derive(Clone, Copy, Debug)]
pub struct Preemptions(pub usize);

impl Preemptions {
    /// Returns the fault of a model under some interleaving; `None` if it holds under every one.
    fn fault_of(self, model: fn()) -> Option<String> {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(self.0);
        builder.max_branches = 20_000;
        let fault = catch_unwind(AssertUnwindSafe(|| builder.check(model))).err()?;
        let text = fault.downcast_ref::<String>().map(String::as_str);
        Some(text.or_else(|| fault.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned())
    }

    /// # Panics
    /// It does not hold.
    #[track_caller]
    pub fn assert_holds(self, model: fn()) {
        assert_eq!(self.fault_of(model), None);
    }

    /// # Panics
    /// The model of a weakened source holds, or its fault does not contain `why`.
    #[track_caller]
    pub fn assert_fails(self, model: fn(), why: &str) {
        let fault = self.fault_of(model).expect("the weakened source must fail");
        assert!(fault.contains(why), "it fails for another reason: {fault}");
    }
}
