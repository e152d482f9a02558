//! G3: the logic of rules.

super::lints! {
    UNSAFE_HEAD = "G301" "unsafe-head" Warn / Deny,
    "a variable of the head gets no value from the body",
    "A variable gets its values from conditions that are not negated. The rule still has \
     a meaning where every use of it supplies the value, as older sheets rely on; a role \
     in `legal`, `goal` or `sees` ranges over the roles.",
    bad: "(<= (legal ?p noop) (not (true (control ?p))))",
    good: "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))";

    UNBOUND_OUTPUT = "G302" "unbound-output" Deny / Deny,
    "a rule produces a fluent, move, goal or percept without end",
    "Nothing gives the variable a value, so the rule would hold for everything there is.",
    bad: "(<= (next (cell ?x)) (true start))",
    good: "(<= (next (cell ?x)) (true start) (index ?x))";

    UNSAFE_NEGATION = "G303" "unsafe-negation" Warn / Deny,
    "a variable occurs under `not` alone",
    "It gets no value elsewhere, so the condition is read as: for no value at all. Write a \
     relation for what you mean, and negate that.",
    bad: "(<= terminal (not (true (cell ?x b))))",
    good: "(<= terminal (not open))\n(<= open (true (cell ?x b)))";

    UNSAFE_DISTINCT = "G304" "unsafe-distinct" Deny / Deny,
    "`distinct` compares a variable without a value",
    "`distinct` compares two terms as they are written, so its variables need a value from \
     a condition that is not negated; inside `or`, in the same branch.",
    bad: "(<= terminal (true (at ?x)) (distinct ?x ?y))",
    good: "(<= terminal (true (at ?x)) (start ?y) (distinct ?x ?y))";

    RECURSION_RESTRICTION = "G305" "recursion-restriction" Warn / Deny,
    "a recursion that the specification forbids",
    "Where a relation depends on itself, each argument of the recursive condition has to be \
     free of variables, or an argument of the head, or get its values from a condition \
     outside the recursion. As no term grows here, the rules have a meaning all the same.",
    bad: "(edge 1 2)\n(<= (path ?x ?y) (edge ?x ?y))\n(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))",
    good: "(edge 1 2)\n(<= (path ?x ?y) (edge ?x ?y))\n(<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))";

    UNSTRATIFIED = "G306" "unstratified" Deny / Deny,
    "a relation depends on its own negation",
    "If it holds it does not, and the other way round: the rules have no meaning.",
    bad: "(<= open (not shut))\n(<= shut (not open))",
    good: "(<= open (not shut))\n(<= shut (true locked))";

    STRATIFIED_AFTER_GROUNDING = "G307" "stratified-after-grounding" Warn / Deny,
    "a relation depends on its own negation, though perhaps for other arguments",
    "The specification forbids it for relations as a whole. If the arguments always differ, \
     as in `(goal ?r 0)` by `(not (goal ?r 100))`, the rules have a meaning: that is decided \
     when the game is loaded.",
    bad: "(<= (goal ?r 100) (role ?r) won)\n(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))",
    good: "(<= (goal ?r 100) (role ?r) won)\n(<= (goal ?r 0) (role ?r) (not won))";

    ENDLESS_RECURSION = "G308" "endless-recursion" Deny / Deny,
    "a recursion that may never end",
    "A relation depends on itself, nothing outside the recursion bounds an argument, and a rule \
     builds larger terms from smaller ones: they could grow for ever.",
    bad: "(number 0)\n(<= (number (s ?x)) (number ?x))",
    good: "(number 0)\n(<= (number ?y) (succ ?x ?y) (number ?x))";
}
