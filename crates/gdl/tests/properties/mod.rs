//! Properties of every text: run by the property tests on random texts, and by the fuzz
//! targets.

use gdl::{Policy, ReadLimits, Source, Syntax, Tree};

/// Reading neither panics nor overruns, in any syntax.
pub fn parse_never_panics(bytes: &[u8]) {
    for syntax in [None, Some(Syntax::Prefix), Some(Syntax::Infix)] {
        let tree = read(bytes, syntax);
        let end = bytes.len() as u32;
        assert!(tree.forms().all(|form| form.span().end <= end));
    }
}

/// Printed text is read as the same tree, and printing is idempotent.
pub fn round_trip(bytes: &[u8]) {
    for from in [Syntax::Prefix, Syntax::Infix] {
        let tree = read(bytes, Some(from));
        if !tree.is_whole() {
            continue;
        }
        for to in [Syntax::Prefix, Syntax::Infix] {
            let Ok(printed) = gdl::print(&tree, to) else {
                continue;
            };
            let again = read(printed.as_bytes(), Some(to));
            assert!(again.is_whole(), "{from:?} to {to:?}:\n{printed}");
            assert_eq!(
                shape(&again),
                shape(&tree),
                "{from:?} to {to:?}:\n{printed}"
            );
            assert_eq!(again.comments().len(), tree.comments().len(), "{printed}");
            let reprinted = gdl::print(&again, to).expect("it was printed so before");
            assert_eq!(reprinted, printed, "{from:?} to {to:?} is not stable");
        }
    }
}

/// Checking neither panics nor contradicts itself on what was read.
pub fn check_never_panics(bytes: &[u8]) {
    for policy in [Policy::lenient(), Policy::strict()] {
        let checked = gdl::check(read(bytes, None), &policy);
        let source = checked.tree().source();
        for diagnostic in &checked.diagnostics {
            source.position(diagnostic.span.start);
            source.position(diagnostic.span.end);
        }
        if let Some(program) = &checked.program {
            let shown = gdl::show::program(program);
            let again = read(shown.as_bytes(), Some(Syntax::Infix));
            assert!(again.is_whole(), "{shown}");
        }
        gdl::show::tree(checked.tree());
    }
}

fn read(bytes: &[u8], syntax: Option<Syntax>) -> Tree {
    gdl::read(
        Source::from_bytes(bytes.to_vec()),
        syntax,
        &ReadLimits::default(),
    )
}

/// The identity of a tree: names and numbers of children in preorder.
pub fn shape(tree: &Tree) -> Vec<(Option<&str>, usize)> {
    let nodes = tree.forms().flat_map(gdl::Node::descendants);
    nodes
        .map(|node| (node.text(), node.children().count()))
        .collect()
}
