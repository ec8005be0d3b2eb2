//! Checks many random programs: `tband-painter [COUNT [FIRST_SEED]]`. With `--show SEED` prints the events of one.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let first = args.next();
    if first.as_deref() == Some("--show") {
        let seed = args.next().and_then(|it| it.parse().ok()).unwrap_or(0);
        println!("{}", tband_painter::describe(seed));
        return ExitCode::SUCCESS;
    }
    let count: u64 = first.and_then(|it| it.parse().ok()).unwrap_or(10_000);
    let seed: u64 = args.next().and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut failed = 0_u64;
    let mut all = tband_painter::Figures::default();
    for number in seed..seed.saturating_add(count) {
        match tband_painter::check(number) {
            Ok(figures) => {
                all.activations += figures.activations;
                all.instants += figures.instants;
                all.holds += figures.holds;
            }
            Err(difference) => {
                failed += 1;
                if failed <= 100 {
                    println!("{difference}");
                }
            }
        }
        if (number - seed + 1).is_multiple_of(1000) {
            println!("{} programs", number - seed + 1);
        }
    }
    println!(
        "{count} programs: {} activations, {} instants, {} holds are equal; {failed} programs differ",
        all.activations, all.instants, all.holds
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
