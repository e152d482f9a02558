//! G4: the game as a whole.

super::lints! {
    MISSING_RELATION = "G401" "missing-relation" Deny / Deny,
    "the rules lack something that every game has",
    "A game has roles, moves that are legal, an end and goals: `role`, `legal`, `terminal` \
     and `goal` each need at least one fact or rule.",
    bad: "(role white) (legal white noop) (goal white 100)",
    good: "(role white) (legal white noop) (goal white 100)\n(<= terminal (true done))";

    STATE_IN_INIT = "G402" "state-in-init" Deny / Deny,
    "`init`, `base` or `input` depends on the state",
    "They are known before any state is, so they cannot depend on `true` or `does`, not \
     even through other relations.",
    bad: "(<= (init (cell 1)) (true start))",
    good: "(<= (init (cell 1)) (role white))";

    DEPENDS_ON_DOES = "G403" "depends-on-does" Deny / Deny,
    "`legal`, `goal` or `terminal` depends on `does`",
    "They are asked before the players move, so they cannot depend on `does`, not even \
     through other relations.",
    bad: "(<= terminal (does white resign))",
    good: "(<= (next resigned) (does white resign))\n(<= terminal (true resigned))";

    OUTPUT_IN_BODY = "G404" "output-in-body" Deny / Deny,
    "`init`, `next`, `base` or `input` in a condition",
    "They are what the rules give, not what rules may ask. Name the condition in a relation \
     of its own and use that in both places.",
    bad: "(<= terminal (next done))",
    good: "(<= terminal (true done))";

    NEXT_IN_PERCEPT = "G405" "next-in-percept" Warn / Deny,
    "`next` in a condition of `sees`",
    "It has a meaning, a role sees what will hold, and some GDL-II games use it. The \
     specification does not have it.",
    bad: "(<= (sees white (at ?x)) (next (at ?x)))",
    good: "(<= (sees white (at ?x)) (moves_to ?x))\n(<= (next (at ?x)) (moves_to ?x))";

    SEES_IN_BODY = "G406" "sees-in-body" Warn / Deny,
    "`sees` in a condition",
    "Percepts are what the rules give to players. Name the condition in a relation of its \
     own and use that in both places.",
    bad: "(<= (next alarmed) (sees white noise))",
    good: "(<= (next alarmed) noisy)\n(<= (sees white noise) noisy)";

    UNKNOWN_ROLE = "G407" "unknown-role" Warn / Deny,
    "a role that is not declared",
    "`legal`, `does`, `goal`, `sees` and `input` speak of a role first. This one has no \
     `(role …)` fact, so the clause or condition never matters.",
    bad: "(role white)\n(legal whyte noop)",
    good: "(role white)\n(legal white noop)";

    GOAL_VALUE = "G408" "goal-value" Warn / Deny,
    "a goal that is not a number from 0 to 100",
    "Goals are whole numbers from 0 to 100.",
    bad: "(goal white 150)",
    good: "(goal white 100)";

    PERCEPTS_DIFFER = "G409" "percepts-differ" Note / Note,
    "roles may see different things",
    "Where every rule for `sees` speaks of all roles alike, all players know the same, and \
     players for shared percepts can be used. This rule does not: it is a game of hidden \
     information.",
    bad: "(<= (sees white (rolled ?x)) (does random (roll ?x)))",
    good: "(<= (sees ?r (rolled ?x)) (role ?r) (does random (roll ?x)))";

    COMPOUND_ROLE = "G410" "compound-role" Deny / Deny,
    "a role that is not a plain name",
    "Roles are constants: players, hosts and records know them by name.",
    bad: "(role (player 1))",
    good: "(role player1)";
}
