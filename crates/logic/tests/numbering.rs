//! The order of moves: role by role, and within a role grouped by guard.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gdl::{Policy, Source};
use logic::{
    GroundLimits, GroundProgram, Interpreter, InterpreterLimits, Literal, MoveId, RoleId, ground,
};

/// Two roles mark cells in turn; whoever is not in control waits, or may resign at any time.
const RULES: &str = "(role x) (role o) (cell 1) (cell 2) (cell 3) (cell 4) (cell 5)
    (<= (init (blank ?c)) (cell ?c)) (init (control x))
    (<= (legal ?r (mark ?c)) (true (control ?r)) (true (blank ?c)))
    (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
    (<= (legal ?r resign) (role ?r))
    (<= (next (control o)) (true (control x))) (<= (next (control x)) (true (control o)))
    (<= (marked ?c) (does ?r (mark ?c)))
    (<= (next (blank ?c)) (true (blank ?c)) (not (marked ?c)))
    (<= (next over) (does ?r resign)) (<= terminal (true over))
    (<= (goal ?r 50) (role ?r))";

fn program() -> GroundProgram {
    let tree = gdl::read(Source::from(RULES), None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
    let interpreter = Interpreter::new(&program, InterpreterLimits::default());
    ground(&interpreter, &GroundLimits::default()).unwrap()
}

/// What a role does, as text: a move of it, or nothing for another node.
fn done(program: &GroundProgram, role: RoleId, node: usize) -> Option<&str> {
    let role = program.terms().text(program.roles()[role.index()]);
    let rest = program.name(node).strip_prefix(&format!("(does {role} "))?;
    rest.strip_suffix(')')
}

#[test]
fn moves_of_a_role_have_consecutive_nodes() {
    let program = program();
    let mut next = program.fluents().len();
    for role in program.role_ids() {
        assert_eq!(program.first_move(role), next);
        let moves = program.moves(role);
        for (action, &term) in MoveId::all(moves.len()).zip(moves) {
            let node = program.move_node(role, action);
            assert_eq!(node, next);
            assert_eq!(
                done(&program, role, node),
                Some(&*program.terms().text(term))
            );
            next += 1;
        }
    }
    assert_eq!(next, program.inputs());
}

#[test]
fn moves_of_a_role_are_grouped_by_guard() {
    let program = program();
    for role in program.role_ids() {
        let name = program.terms().text(program.roles()[role.index()]);
        let groups = program.move_groups(role);
        let ranges: Vec<_> = groups.iter().map(|group| group.moves.clone()).collect();
        assert_eq!(ranges, [0..5, 5..7]);
        let (guard, holds) = groups[0].guard.node().unwrap();
        assert!(holds);
        assert_eq!(program.name(guard), format!("(true (control {name}))"));
        assert_eq!(groups[1].guard, Literal::TRUE);
        for place in groups[0].moves.clone() {
            let text = program.terms().text(program.moves(role)[place]);
            assert!(text.starts_with("(mark "), "{text}");
            let (node, _) = program.legal(role)[place].node().unwrap();
            let mut bodies = program.bodies(node);
            assert!(bodies.all(|body| body.contains(&groups[0].guard)));
        }
    }
}

#[test]
fn chance_is_the_role_named_random() {
    let named = |name: &str| {
        let rules = RULES.replace("(role o)", &format!("(role {name})"));
        let tree = gdl::read(Source::from(&*rules), None, &gdl::ReadLimits::default());
        let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
        logic::Rules::new(&program).chance()
    };
    assert_eq!(named("o"), None);
    assert_eq!(named("random"), Some(RoleId::new(1)));
    assert_eq!(named("Random"), Some(RoleId::new(1)));
}
