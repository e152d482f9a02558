//! G5: what only play shows. These checks need a game, so other crates make them.

super::lints! {
    NO_LEGAL_MOVE = "G501" "no-legal-move" Deny / Deny,
    "a role has no legal move, and the match is not over",
    "In every state that is not terminal every role needs a move, even if it only waits. Often a \
     rule for `noop` is missing, or `terminal` does not cover a state in which nobody can move.",
    bad: "(<= (legal ?p mark) (true (control ?p)))",
    good: "(<= (legal ?p mark) (true (control ?p)))\n(<= (legal ?p noop) (role ?p) (not (true (control ?p))))";

    ENDLESS = "G502" "endless" Deny / Deny,
    "a state is reached from which no match can end",
    "Whatever the roles do, no terminal state follows. Often a fluent that `terminal` asks for is \
     misspelt, or nobody has the turn any more.",
    bad: "(<= (next (control rihgt)) (true (control left)))",
    good: "(<= (next (control right)) (true (control left)))";

    TOO_LONG = "G503" "too-long" Warn / Warn,
    "a random match did not end within the limit",
    "Matches should end whatever the roles do. A counter of turns that ends the match is the usual \
     remedy; `--turns` sets the limit of this check.",
    bad: "(<= terminal won)",
    good: "(<= terminal won)\n(<= terminal (true (step 100)))";

    NO_GOAL = "G504" "no-goal" Deny / Deny,
    "a match is over, and a role has no goal",
    "In every terminal state every role but `random` needs exactly one goal.",
    bad: "(<= (goal white 100) (true won))",
    good: "(<= (goal white 100) (true won))\n(<= (goal white 0) (not (true won)))";

    SEVERAL_GOALS = "G505" "several-goals" Deny / Deny,
    "a match is over, and a role has several goals",
    "In every terminal state every role but `random` needs exactly one goal.",
    bad: "(<= (goal white 100) (true won))\n(goal white 0)",
    good: "(<= (goal white 100) (true won))\n(<= (goal white 0) (not (true won)))";

    GOAL_OUT_OF_RANGE = "G506" "goal-out-of-range" Deny / Deny,
    "a match is over, and a goal is not a whole number from 0 to 100",
    "Players, hosts and records know goals from 0 to 100 only.",
    bad: "(<= (goal white ?points) (true (score ?points)))",
    good: "(<= (goal white ?goal) (true (score ?points)) (scaled ?points ?goal))";

    NO_ANSWER = "G507" "no-answer" Deny / Deny,
    "the rules give no answer in a state",
    "A relation depends on its own negation there, or a question exceeds the limits.",
    bad: "(<= (odd ?x) (true (n ?x)) (not (odd ?x)))",
    good: "(<= (odd ?x) (true (n ?x)) (not (even ?x)))";

    ENGINES_DISAGREE = "G508" "engines-disagree" Deny / Deny,
    "the fast engine and the rules themselves say different things",
    "This is a defect of this program, not of the rules. Please report it with the sheet.",
    bad: "",
    good: "";

    GOAL_FALLS = "G509" "goal-falls" Warn / Warn,
    "a goal falls during a match for one player",
    "Players that look at goals before the end take a higher goal for progress. It is better to \
     give a goal only where it is reached for good.",
    bad: "(<= (goal you 50) (true (at middle)))",
    good: "(<= (goal you 50) (true (visited middle)))";

    GOAL_CONSTANT = "G510" "goal-constant" Warn / Warn,
    "a role gets the same goal in every end",
    "Nothing that the role does matters to it.",
    bad: "(goal white 50)",
    good: "(<= (goal white 100) won)\n(<= (goal white 0) (not won))";

    NEVER_APPLIES = "G511" "never-applies" Warn / Warn,
    "a rule that never applies",
    "No state that can be reached fits its conditions, even if all that is negated is ignored. \
     Often a name is misspelt, or two conditions exclude each other.",
    bad: "(init (cell 1 b))\n(<= (legal white (mark ?x)) (true (cell ?x blank)))",
    good: "(init (cell 1 b))\n(<= (legal white (mark ?x)) (true (cell ?x b)))";

    UNDECLARED = "G512" "undeclared" Warn / Warn,
    "a fluent outside `base`, or a move outside `input`",
    "`base` and `input` are optional; where they are given, other tools rely on them to list all \
     that can ever hold and all that can ever be legal.",
    bad: "(base (cell 1))\n(init (cell 2))",
    good: "(base (cell 1))\n(base (cell 2))\n(init (cell 2))";

    NEVER_SEEN = "G513" "never-seen" Note / Note,
    "moves that were never legal, or fluents that never held",
    "Random matches need not show all that can happen. Where every state was looked at, it is \
     certain that they never come up.",
    bad: "(<= (legal white castle) (true unmoved) (true moved))",
    good: "(<= (legal white castle) (true unmoved))";
}
