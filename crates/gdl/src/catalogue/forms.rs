//! G1: the form of a clause.

super::lints! {
    EMPTY_FORM = "G101" "empty-form" Deny / Deny,
    "an empty pair of parentheses",
    "`()` names nothing. Write a name in it, or take it out.",
    bad: "(init ())",
    good: "(init (step 1))";

    NAMELESS_FORM = "G102" "nameless-form" Deny / Deny,
    "a form that does not start with a name",
    "A form starts with the name of a relation or a function: not with another form, \
     and not with a variable.",
    bad: "(init ((step) 1))",
    good: "(init (step 1))";

    INCOMPLETE_RULE = "G103" "incomplete-rule" Deny / Deny,
    "a rule without a head",
    "A rule is `(<= head condition …)`.",
    bad: "(<=)",
    good: "(<= terminal (true done))";

    KEYWORD_ARITY = "G104" "keyword-arity" Deny / Deny,
    "a word of the language with the wrong number of arguments",
    "role 1, init 1, true 1, next 1, base 1, terminal 0, does 2, legal 2, goal 2, \
     input 2, sees 2, distinct 2, not 1; `or` takes any number.",
    bad: "(goal white)",
    good: "(goal white 100)";

    NOT_A_SENTENCE = "G105" "not-a-sentence" Deny / Deny,
    "something stands where a condition or a head must be, but says nothing",
    "Heads and conditions, also inside `not`, `or` and `and`, say something: they start \
     with the name of a relation. A variable says nothing.",
    bad: "(<= terminal (true ?x) (not ?x))",
    good: "(<= terminal (true ?x) (not (true (kept ?x))))";

    RESERVED_HEAD = "G106" "reserved-head" Deny / Deny,
    "a rule defines what the rules cannot define",
    "`role` is given by facts alone, `true` by the state and `does` by the players; \
     `distinct`, `or`, `not` and `and` are words between conditions.",
    bad: "(<= (true (cell 1)) (init (cell 1)))",
    good: "(<= (next (cell 1)) (true (cell 1)))";

    RESERVED_FACT = "G107" "reserved-fact" Deny / Deny,
    "a fact states what the rules cannot state",
    "What is true in a state comes from `init` and `next`, what a role does from the \
     players; `distinct`, `or`, `not` and `and` are words between conditions.",
    bad: "(true (cell 1))",
    good: "(init (cell 1))";

    VARIABLE_IN_FACT = "G108" "variable-in-fact" Deny / Deny,
    "a fact with a variable",
    "A fact with a variable would hold of everything there is. Write a rule that says \
     where the variable's values come from.",
    bad: "(legal ?player noop)",
    good: "(<= (legal ?player noop) (role ?player))";

    KEYWORD_AS_FUNCTION = "G109" "keyword-as-function" Warn / Deny,
    "a word of the language names a function",
    "Inside a term a keyword is only a name, and it is read as one; percepts such as \
     `(sees ?p (does ?q ?m))` do so. Other tools refuse it.",
    bad: "(<= (sees ?p (does ?q ?m)) (role ?p) (does ?q ?m))",
    good: "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))";

    KEYWORD_AS_CONSTANT = "G110" "keyword-as-constant" Deny / Deny,
    "a connective stands where a constant must be",
    "`<=`, `or`, `not`, `and` and `distinct` are not names of things. Often a \
     parenthesis before them is missing.",
    bad: "(init (gate or))",
    good: "(init (gate or_gate))";

    CONNECTIVE_AS_FUNCTION = "G111" "connective-as-function" Deny / Deny,
    "a connective inside a term",
    "`or`, `not`, `and` and `distinct` join conditions. Inside `true`, `does` or another \
     term they have no meaning: put them around the whole condition.",
    bad: "(<= terminal (true (not done)))",
    good: "(<= terminal (not (true done)))";

    AND_CONNECTIVE = "G112" "and-connective" Warn / Deny,
    "`and` is not a word of GDL",
    "Conditions that stand side by side all have to hold. `and` is read so, too, but the \
     specification does not have it.",
    bad: "(<= terminal (and (true a) (true b)))",
    good: "(<= terminal (true a) (true b))";

    NESTED_DISJUNCTION = "G113" "nested-disjunction" Warn / Warn,
    "an `or` directly inside an `or`",
    "`or` takes any number of conditions: one is enough.",
    bad: "(<= terminal (or (true a) (or (true b) (true c))))",
    good: "(<= terminal (or (true a) (true b) (true c)))";

    EMPTY_BODY = "G114" "empty-body" Warn / Warn,
    "a rule without conditions",
    "A rule without conditions always holds: write it as a fact.",
    bad: "(<= (legal white noop))",
    good: "(legal white noop)";

    EMPTY_DISJUNCTION = "G115" "empty-disjunction" Warn / Warn,
    "an `or` without alternatives",
    "`(or)` never holds, so neither does the rule.",
    bad: "(<= terminal (or))",
    good: "(<= terminal (or (true a) (true b)))";

    COMPOUND_NEGATION = "G116" "compound-negation" Warn / Deny,
    "`not` around `or`, `and`, `not` or `distinct`",
    "The specification puts `not` around one sentence. It is read as logic has it: \
     `(not (or a b))` as `(not a) (not b)`, `(not (distinct a b))` as `a` equals `b`.",
    bad: "(<= terminal (not (or (true a) (true b))))",
    good: "(<= terminal (not (true a)) (not (true b)))";
}
