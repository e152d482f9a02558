//! Hostile texts: a diagnostic, no crash, and memory below twenty times the text.

use gdl::{Policy, ReadLimits, Source};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MB: usize = 1_000_000;

/// Checks a text and its memory limit. Returns the codes found.
fn check(name: &str, bytes: Vec<u8>) -> Vec<&'static str> {
    let size = bytes.len();
    MEMORY.reset_peak_usage();
    let tree = gdl::read(Source::from_bytes(bytes), None, &ReadLimits::default());
    let checked = gdl::check(tree, &Policy::lenient());
    let peak = MEMORY.peak_usage();
    assert!(peak < 20 * size, "{name}: {peak} bytes for {size}");
    assert!(checked.program.is_none(), "{name} was accepted");
    let source = checked.tree().source();
    for diagnostic in &checked.diagnostics {
        source.position(diagnostic.span.start);
        assert!(diagnostic.message.len() < 1000, "{name}");
    }
    let mut codes: Vec<_> = checked.diagnostics.iter().map(|it| it.lint.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Pseudorandom bytes, the same each time.
fn noise(size: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..size).map(|_| next()).collect()
}

/// One test, so that texts are measured one after the other.
#[test]
fn hostile_texts_are_refused_within_bounds() {
    let repeat = |text: &str, size: usize| text.repeat(size / text.len()).into_bytes();
    assert_eq!(check("open", repeat("(", MB)), ["G001", "G006", "G102"]);
    assert_eq!(check("close", repeat(")", MB)), ["G002"]);
    let nested = [repeat("(", MB), repeat(")", MB)].concat();
    assert_eq!(check("nested", nested), ["G006", "G102"]);
    assert_eq!(check("nul", vec![0; MB]), ["G005"]);
    assert!(check("not UTF-8", vec![0xff; MB]).contains(&"G003"));
    assert!(check("noise", noise(50 * MB)).contains(&"G003"));
    assert!(check("facts", repeat("a\n", 10 * MB)).contains(&"G401"));
    assert!(check("empty", repeat("()", 10 * MB)).contains(&"G101"));
    assert!(check("rules", repeat("(<=a b)", 10 * MB)).contains(&"G401"));
    let names: String = (0..MB).map(|n| format!("(f{n:x} a)")).collect();
    assert!(check("names", names.into_bytes()).contains(&"G401"));
    assert!(check("atom", repeat("a", 10 * MB)).contains(&"G401"));
    assert_eq!(
        check("wide", [&b"(f"[..], &repeat(" a", 10 * MB), b")"].concat()),
        ["G007"]
    );
    let infix = |text: &str| [&b"p :- "[..], &repeat(text, 10 * MB)].concat();
    assert_eq!(check("infix calls", infix("f(")), ["G006"]);
    assert_eq!(check("infix groups", infix("(")), ["G006"]);
    assert_eq!(check("infix negations", infix("~")), ["G006"]);
    assert_eq!(check("infix conditions", infix("a&")), ["G007"]);
    assert!(check("infix clauses", infix("b.p:-")).contains(&"G401"));
    assert_eq!(check("infix quotes", infix("'")), ["G008"]);
}
