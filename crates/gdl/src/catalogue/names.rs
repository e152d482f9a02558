//! G2: names.

super::lints! {
    UNUSUAL_CHARACTER = "G201" "unusual-character" Warn / Warn,
    "a name holds an unusual character",
    "Letters and digits of ASCII and `! $ % & * + - . / < = > ? @ _ ~` are safe. Other \
     characters are read, but other tools or the network may not carry them.",
    bad: "(init (piece \"king\"))",
    good: "(init (piece king))";

    INCONSISTENT_CASE = "G202" "inconsistent-case" Warn / Deny,
    "one name is written in two ways",
    "Names are told apart by case, so `cell` and `Cell` are two names; but managers that \
     upper-case everything make them one.",
    bad: "(init (cell 1))\n(<= terminal (true (Cell 1)))",
    good: "(init (cell 1))\n(<= terminal (true (cell 1)))";

    VARYING_ARITY = "G203" "varying-arity" Warn / Deny,
    "one name with different numbers of arguments",
    "`(p a)` and `(p a b)` are different things that share a name. They are kept apart, \
     but often one of them is a slip.",
    bad: "(edge a b)\n(<= terminal (edge a))",
    good: "(edge a b)\n(<= terminal (edge a ?x))";

    SENTENCE_AND_FUNCTION = "G204" "sentence-and-function" Warn / Warn,
    "one name for a relation and a function",
    "A relation says that something holds, a function names a thing. Often `true` is \
     missing around a fluent.",
    bad: "(init (cell 1))\n(<= terminal (cell 1))",
    good: "(init (cell 1))\n(<= terminal (true (cell 1)))";

    KEYWORD_AS_OBJECT = "G205" "keyword-as-object" Warn / Warn,
    "a word of the language names a thing",
    "It is read as an ordinary constant, but readers and other tools may stumble.",
    bad: "(init (square goal))",
    good: "(init (square target))";

    NEVER_PRODUCED = "G206" "never-produced" Warn / Warn,
    "a condition that nothing can make true",
    "The relation, fluent or move stands in a condition, but no fact or rule gives it. \
     Often it is misspelt.",
    bad: "(init (cell 1))\n(<= terminal (true (cel 1)))",
    good: "(init (cell 1))\n(<= terminal (true (cell 1)))";

    NEVER_USED = "G207" "never-used" Warn / Warn,
    "a relation that no condition asks for",
    "It does no harm, but it does nothing either.",
    bad: "(succ 1 2)",
    good: "(succ 1 2)\n(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))";

    NEVER_MET = "G208" "never-met" Warn / Warn,
    "a condition asks for a value that nothing gives",
    "No fact and no rule puts this name at this place, so the condition never holds. Often it is \
     misspelt, or a fact is missing.",
    bad: "(init (control white))\n(<= terminal (true (control wihte)))",
    good: "(init (control white))\n(<= terminal (true (control white)))";

    NEVER_ASKED = "G209" "never-asked" Warn / Warn,
    "a name that nobody asks for, much like one that is asked for",
    "A rule or fact puts this name at a place where no condition asks for it, while a similar name \
     is asked for there. Often it is misspelt.",
    bad: "(init (heaps 4))\n(init (heap 3))\n(<= terminal (true (heap 0)))\n(<= (next (heap 0)) (true (heap 3)))",
    good: "(init (heap 4))\n(init (heap 3))\n(<= terminal (true (heap 0)))\n(<= (next (heap 0)) (true (heap 3)))";
}
