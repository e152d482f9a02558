#!/usr/bin/env python3
"""Prints the rule sheet of a nonogram, in the form of games/nonogram-checkerboard.

usage: nonogram.py PICTURE ROWS COLUMNS
  PICTURE  what is to be seen, for the header: "the letter G"
  ROWS     the clues of the rows from the first to the last, lines divided by "/", blocks by
           commas, an empty line is 0: "3/1/1,3/1,1/3"
  COLUMNS  the same for the columns, from the left

It refuses clues that do not fit together or that have not exactly one solution, which is found
by trying every filling of the rows. The solution is printed to standard error.
"""
import itertools
import sys
import textwrap


def read(text):
    return [[int(b) for b in line.split(",") if b != "0"] for line in text.split("/")]


def blocks(line):
    return [len(block) for block in "".join(line).split(".") if block]


def solutions(rows, columns):
    """Every picture with these clues: rows are filled from the top, and a column that already
    cannot be continued to its clue ends the attempt."""
    width, height = len(columns), len(rows)
    fits = lambda clue, n: ["".join(t) for t in itertools.product(".#", repeat=n) if blocks(t) == clue]
    beginnings = [{c[:k] for c in fits(clue, height) for k in range(height + 1)} for clue in columns]

    def fill(picture):
        if len(picture) == height:
            yield picture
            return
        for row in fits(rows[len(picture)], width):
            more = picture + [row]
            if all("".join(r[x] for r in more) in beginnings[x] for x in range(width)):
                yield from fill(more)

    return list(fill([]))


def sheet(picture, rows, columns):
    size, squares = len(rows), sum(map(sum, rows))
    header = (
        "A nonogram: squares of a grid are filled so that the blocks of filled squares in each row and "
        "column have the lengths that the clues give, in this order. Here the picture is "
        f"{picture}, {size} by {size}. One square is filled each turn, in any order; the match ends "
        "when as many are filled as the clues ask for. The common rules of the puzzle; the picture is "
        "our own. Written by games/nonogram.py."
    )
    out = [*("; " + line for line in textwrap.wrap(header, 94)), "", "(role painter)", ""]
    out.append("; The number of blocks of each line, and the length of each block.")
    for kind, lines in (("row", rows), ("column", columns)):
        for number, clue in enumerate(lines, 1):
            out.append(f"(blocks ({kind} {number}) {len(clue)})")
            out += [f"(clue ({kind} {number}) {b} {length})" for b, length in enumerate(clue, 1)]
    out += [f"(squares {squares})", f"(width {size})", ""]
    out += [f"(after {n} {n + 1})" for n in range(max(squares, size))]
    out.append("")
    out += [f"(place {n})" for n in range(1, size + 1)]
    return "\n".join(out) + RULES


RULES = """

; The squares of a line, from the left or from the top.
(<= (square (row ?y) ?x ?x ?y)
    (place ?x)
    (place ?y))
(<= (square (column ?x) ?y ?x ?y)
    (place ?x)
    (place ?y))

(<= (base (filled ?x ?y))
    (place ?x)
    (place ?y))
(base (count 0))
(<= (base (count ?next)) (after ?number ?next))
(<= (input painter (fill ?x ?y))
    (place ?x)
    (place ?y))

(init (count 0))

(<= (legal painter (fill ?x ?y))
    (place ?x)
    (place ?y)
    (not (true (filled ?x ?y))))

(<= (next (filled ?x ?y)) (does painter (fill ?x ?y)))
(<= (next (filled ?x ?y)) (true (filled ?x ?y)))
(<= (next (count ?next))
    (true (count ?number))
    (after ?number ?next))

; A line is read square by square: how many blocks are behind, and how long the present one is.
; A line whose blocks are wrong is not read to its end.
(<= (reads ?line 0 0 0) (blocks ?line ?number))
(<= (reads ?line ?place ?block ?longer)
    (reads ?line ?before ?block ?length)
    (after ?before ?place)
    (square ?line ?place ?x ?y)
    (true (filled ?x ?y))
    (after ?length ?longer)
    (after ?block ?next)
    (clue ?line ?next ?whole)
    (within ?longer ?whole))
(<= (reads ?line ?place ?block 0)
    (reads ?line ?before ?block 0)
    (after ?before ?place)
    (square ?line ?place ?x ?y)
    (not (true (filled ?x ?y))))
(<= (reads ?line ?place ?next 0)
    (reads ?line ?before ?block ?length)
    (after ?block ?next)
    (clue ?line ?next ?length)
    (after ?before ?place)
    (square ?line ?place ?x ?y)
    (not (true (filled ?x ?y))))
(<= (within ?length ?length) (place ?length))
(<= (within ?length ?longer)
    (within ?length ?between)
    (after ?between ?longer)
    (place ?longer))

(<= (right ?line)
    (blocks ?line ?number)
    (width ?width)
    (reads ?line ?width ?number 0))
(<= (right ?line)
    (blocks ?line ?number)
    (width ?width)
    (after ?block ?number)
    (clue ?line ?number ?length)
    (reads ?line ?width ?block ?length))
(<= wrong
    (blocks ?line ?number)
    (not (right ?line)))

(<= terminal
    (squares ?number)
    (true (count ?number)))

(<= (goal painter 100) (not wrong))
(<= (goal painter 0) wrong)"""


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    rows, columns = read(sys.argv[2]), read(sys.argv[3])
    if len(rows) != len(columns):
        sys.exit("the grid is not square")
    if sum(map(sum, rows)) != sum(map(sum, columns)):
        sys.exit("rows and columns ask for different numbers of squares")
    found = solutions(rows, columns)
    if len(found) != 1:
        sys.exit(f"{len(found)} solutions, not one")
    print("\n".join(found[0]), file=sys.stderr)
    print(sheet(sys.argv[1], rows, columns))


if __name__ == "__main__":
    main()
