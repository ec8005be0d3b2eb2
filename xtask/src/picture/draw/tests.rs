//! Text is where it can be read: in its bar, above what is too short for it, beside the line of a counter.

use super::*;
use crate::picture::tables::Count;

const WINDOW: Span = Span { from: 0, to: 100_000 };

/// The number after an attribute's name.
fn number(element: &str, name: &str) -> f64 {
    let (_, value) = element.split_once(&format!(" {name}=\"")).unwrap();
    value.split_once('"').unwrap().0.parse().unwrap()
}

/// Elements of a picture that begin like this.
fn elements<'s>(svg: &'s str, begin: &str) -> Vec<&'s str> {
    svg.lines().filter(|line| line.starts_with(begin)).collect()
}

/// Text, and x and y of where it is.
fn texts(svg: &str) -> Vec<(&str, f64, f64)> {
    elements(svg, "<text ")
        .into_iter()
        .map(|element| {
            let (_, content) = element.split_once('>').unwrap();
            let name = content.strip_suffix("</text>").unwrap();
            (name, number(element, "x"), number(element, "y"))
        })
        .collect()
}

fn on_core(from: i64, to: i64, thread: &str, tid: u64) -> OnCore {
    OnCore { core: 0, time: Span { from, to }, thread: thread.to_owned(), tid, priority: 1 }
}

fn core_of(on_cores: Vec<OnCore>) -> String {
    let tables = Tables { on_cores, ..Tables::default() };
    let row = Row { name: "CPU 0".to_owned(), level: 0, what: What::Core(0) };
    draw("t", &tables, WINDOW, &[row], &[])
}

/// Whatever is in a bar's middle is no wider than the bar.
#[test]
fn names_are_no_wider_than_their_bars() {
    for name in ["WWWWWWWWWW", "mutex bus (data)", "iiiiiiiiiiiiiiii", "Runnable (Preempted)"] {
        for length in (500..30_000).step_by(250) {
            let svg = core_of(vec![on_core(0, length, name, 1)]);
            let bar = elements(&svg, "<rect class=\"bar").into_iter().next().unwrap();
            let (left, width) = (number(bar, "x"), number(bar, "width"));
            let is_in = |x: f64| x > left && x < left + width;
            for (text, x, _) in texts(&svg) {
                if x > NAMES as f64 && is_in(x) && (text.ends_with('…') || text == name) {
                    assert!(width_of(text) as f64 / 10.0 <= width, "{text} in {width}");
                }
            }
        }
    }
}

/// Interrupts last some microseconds: their names are above them, and not over each other.
#[test]
fn names_of_short_interrupts_are_visible() {
    let svg = core_of(vec![
        on_core(0, 10_000, "first", 1),
        on_core(10_000, 10_500, "TIM2 ISR", 300_001),
        on_core(10_500, 12_000, "UART ISR", 300_002),
        on_core(12_000, 40_000, "DMA ISR", 300_003),
        on_core(40_000, 100_000, "second", 2),
    ]);
    let texts = texts(&svg);
    let find = |name: &str| texts.iter().find(|it| it.0 == name).copied().unwrap();
    let (timer, uart, dma, second) =
        (find("TIM2 ISR"), find("UART ISR"), find("DMA ISR"), find("second"));
    assert!(timer.2 == uart.2 && timer.2 < dma.2 - 9.0, "above the bars");
    assert_eq!(dma.2, second.2, "the label of a long slice is in its bar");
    let half = |name: &str| width_of(name) as f64 / 20.0;
    assert!(timer.1 + half(timer.0) < uart.1 - half(uart.0), "{timer:?} {uart:?}");
    // Without them nothing is above the bars.
    let plain = core_of(vec![on_core(0, 100_000, "first", 1)]);
    assert!(!plain.contains("ISR"));
}

/// Numbers of a counter are above its line or below it.
#[test]
fn no_line_goes_through_the_numbers_of_a_counter() {
    let values = [0, 1, 2, 3, 4, 5, 4, 3, 2, 1];
    let count = |(index, value): (usize, &i64)| Count {
        track: 7,
        at: index as i64 * 10_000,
        value: *value,
    };
    let tables =
        Tables { counts: values.iter().enumerate().map(count).collect(), ..Tables::default() };
    let row = Row { name: "level".to_owned(), level: 0, what: What::Counter(7) };
    let svg = draw("t", &tables, WINDOW, &[row], &[]);
    let path = elements(&svg, "<path class=\"count\"")[0];
    let (_, path) = path.split_once(" d=\"M").unwrap();
    let path = path.split_once('"').unwrap().0;
    // "x y" of the first, then "HxVy" of each.
    let heights: Vec<f64> = path
        .split(['V', ' '])
        .skip(1)
        .map(|it| it.split('H').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(heights.len(), values.len());
    let numbers = texts(&svg).into_iter().filter(|it| it.2 > TOP as f64 && it.1 > NAMES as f64);
    let numbers: Vec<_> = numbers.filter(|it| it.0.parse::<i64>().is_ok()).collect();
    assert_eq!(numbers.len(), values.len());
    for ((number, value), line) in numbers.iter().zip(values).zip(heights) {
        assert_eq!(number.0, value.to_string());
        let (top, low) = (number.2 - 8.0, number.2);
        assert!(line <= top - 1.0 || line >= low + 1.0, "{value}: {line} in {top} to {low}");
        assert!(top >= TOP as f64 && low <= (TOP + ROW) as f64, "{value} is outside of its row");
    }
}
