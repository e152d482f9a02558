//! G0: what can go wrong before a form is a form.

super::lints! {
    UNCLOSED_PARENTHESIS = "G001" "unclosed-parenthesis" Deny / Deny,
    "a parenthesis is opened and never closed",
    "Every `(` needs its `)`. The reader goes on at the next rule, `(<=`, since a rule \
     never stands inside another form, and reports the form that was left open.",
    bad: "(<= terminal (true done)",
    good: "(<= terminal (true done))";

    UNOPENED_PARENTHESIS = "G002" "unopened-parenthesis" Deny / Deny,
    "a parenthesis is closed that was never opened",
    "There is one `)` more than there are `(` before it.",
    bad: "(<= terminal (true done)))",
    good: "(<= terminal (true done))";

    NOT_UTF_8 = "G003" "not-utf-8" Deny / Deny,
    "the file is not UTF-8 here",
    "Rule sheets are text in UTF-8, of which ASCII is a part. Save the file in that \
     encoding, or write the name in ASCII.",
    bad: "(init \u{1a})",
    good: "(init cafe)";

    NOT_UTF_8_COMMENT = "G004" "not-utf-8-comment" Warn / Warn,
    "a comment is not UTF-8",
    "The comment holds bytes that are not UTF-8, as older sheets do. The rules are not \
     touched by it, but other tools may refuse the file.",
    bad: "(init start) ; \u{1a}",
    good: "(init start) ; cafe";

    CONTROL_CHARACTER = "G005" "control-character" Deny / Deny,
    "a name holds a control character",
    "Control characters other than blanks and line ends cannot be seen and are never \
     meant. The file may be damaged, or not be text at all.",
    bad: "(init a\u{1}b)",
    good: "(init ab)";

    TOO_DEEP = "G006" "too-deep" Deny / Deny,
    "forms are nested too deeply",
    "The deepest public sheet nests 26 forms. What is nested deeper than the limit is \
     skipped. `--max-depth` sets the limit.",
    bad: "",
    good: "";

    TOO_LARGE = "G007" "too-large" Deny / Deny,
    "a clause is too large",
    "One clause may have a million names and parentheses. The rules of a game are many \
     small clauses: split it.",
    bad: "",
    good: "";

    UNEXPECTED_TOKEN = "G008" "unexpected-token" Deny / Deny,
    "infix: something stands where it cannot",
    "In the infix form a clause reads `head.` or `head :- condition, condition.` The \
     reader goes on after the next full stop.",
    bad: "terminal :- true(done) true(over).",
    good: "terminal :- true(done), true(over).";

    UNCLOSED_QUOTE = "G009" "unclosed-quote" Deny / Deny,
    "infix: a quoted name does not end",
    "A name in quotes ends on its own line: `'Xplayer'`.",
    bad: "role('Xplayer).",
    good: "role('Xplayer').";
}
