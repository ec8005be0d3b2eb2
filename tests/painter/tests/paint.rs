//! The activations of random programs, against the labels that a simulated kernel has painted. `cargo xtask paint` checks more.

#[test]
fn activations_are_as_painted() {
    let mut all = tband_painter::Figures::default();
    for seed in 0..300 {
        match tband_painter::check(seed) {
            Ok(figures) => {
                all.activations += figures.activations;
                all.instants += figures.instants;
                all.holds += figures.holds;
            }
            Err(difference) => panic!("{difference}\n\n{}", tband_painter::describe(seed)),
        }
    }
    // The programs exercise their cases.
    assert!(all.activations > 5_000 && all.instants > 200_000 && all.holds > 300, "{all:?}");
}
