"""What the worker says of mathematics. It runs in this process here, so nothing below may hang."""

from __future__ import annotations

import pytest

from selfhint.verify.judges.math import verdict


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (r"\frac{1}{3}", "1/3"),
        ("0.333333", r"\frac{1}{3}"),
        ("-5", "\u22125"),
        ("3,000", "3000"),
        (r"\$15,\!000", "15000"),
        ("x^2+1", "1+x^{2}"),
        (r"\text{E}", "E"),
        ("$1$ and $2$", r"\{1, 2\}"),
        (r"(-\infty, 3)", "x<3"),
        (r"\begin{pmatrix} 0.5 \\ 1 \end{pmatrix}", "\\begin{pmatrix} 1/2 \\\\\n 1 \\end{pmatrix}"),
        (r"1, 2, \ldots, n", r"1, 2, \ldots, n"),
        # labels
        ("3, 4", "p=3, q=4"),
        ("1, 2", "Maximum = 2, Minimum = 1"),
        ("5, 9, 20", "Ann: 20, Ben: 9, Carl: 5"),
        ("4, 7", "T(10) = 4, T(12) = 7"),
        ("2 = y", "2"),
        ("p = 3, q = 4", "q = 4, p = 3"),
        ("p = 3, q = 4", "3, 4"),
        ("p = 3, q = 4", "(3, 4)"),
        ("p = 3, q = 4", "(p, q) = (3, 4)"),
        (r"p = 5, q = 2 \text{ and } p = 7, q = 2", "p=7,q=2;p=5,q=2"),
        ("f(n) = 2n + 1", "f(m) = 2m + 1"),
        ("$f(n)=n$, $g(n)=1$", r"(f(n), g(n)) = (n, 1) \text{ for all } n"),
        ("$f(x)=-1$, $f(x)=x+1$", r"f(x) = x + 1 \text{ for all } x \in \mathbb{R}, \text{ and } f(x) = -1"),
        # signs
        (r"(a, b), (a, -b)", r"(a, \pm b)"),
        (r"\{1 \pm \sqrt{5}, -2\}", r"-2, 1 - \sqrt{5}, 1 + \sqrt{5}"),
        (r"(1, -2), (-1, 2)", r"(\pm 1, \mp 2)"),
        # sets
        (r"\{x \mid -2 < x < 3\}", "(-2, 3)"),
        (r"\Big\{x | 2 < x\Big\}", r"(2, \infty)"),
        (r"a \le -2 \text{ or } a = 1", r"(-\infty, -2] \cup \{1\}"),
        # formulas
        ("-1 + sqrt(3)", r"\sqrt{3} - 1"),
        (r"\frac{3\sqrt{5}}{7}", "(3*sqrt(5))/7"),
        (r"2 \arcsin \sqrt{a}", r"\arccos(1 - 2a)"),
        (r"\frac{v (r/(r+s))^{0.5}}{r + s}", r"\frac{v}{r} \frac{1}{(1 + s/r)^{3/2}}"),
        (r"y + 1 = 2 - x^2", "1 - x^2"),
        # units and angles
        ("10", "10 cm^2"),
        ("1 km", r"1000 \text{ m}"),
        (r"\frac{\pi}{6}", r"30^\circ"),
        (r"C = \frac{2\pi}{3}", r"120^\circ"),
        # spellings
        ("1234.5", r"1\,234.5"),
        ("3.54*10^{-7}", "3.54e-07"),
        ("\x0crac{1}{2}", r"\frac{1}{2}"),
        ("\u0663\u0664", "34"),
        ("White", "white"),
        (r"1, 2, \ldots, n", "1,2,...,n"),
        # others
        (r"n \equiv 1 \pmod{3}", r"n\equiv 4\pmod 3"),
        (r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}", "(1, 2)"),
        (r"\langle 1, 2 \rangle", "(1, 2)"),
        (r"x = k\pi, k \in \mathbb{Z}", r"x = k\pi"),
        (r"e^{i\pi}", "-1"),
        ("3.5", "approximately 3.5"),
    ],
)
def test_equal_answers(gold: str, answer: str) -> None:
    assert verdict(gold, answer, whole=True) == ("match", answer)


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("x^{2}+1", "1"),
        (r"\frac{1}{3}", r"\frac{1}{2}"),
        ("1331 and 1728", "1728"),
        ("10", "4 10/3"),
        ("2", r"1, 2, \ldots, n"),
        ("x^2/4 + y^2/3 = 1", "x^2/16 + y^2/12 = 1"),
        ("p = 3, q = 4", "p = 4, q = 3"),
        ("p = 3, q = 4", "4, 3"),
        ("p = 5, q = 2; p = 7, q = 3", "p = 5, q = 3; p = 7, q = 2"),
        ("3, 4", "p = 3, q = 4, r = 5"),
        ("f(n) = 2n + 1", "f(m) = 2n + 1"),
        ("(1, 2), (1, -2)", r"(\pm 1, 2)"),
        (r"\{x \mid -2 < x < 3\}", "(-2, 3]"),
        (r"a \le -2 \text{ or } a = 1", r"(-\infty, -2]"),
        ("10 km", "10 cm"),
        (r"3 \times 10^{-34}", r"6 \times 10^{-34}"),
        (r"\frac{\pi}{6}", r"60^\circ"),
        ("x = 2t", "y = 2t"),
        (r"\sqrt{x^2}", "x"),
        ("a + 3z = 0", "0"),
        ("32349", "32, 349"),
        ("7", "2^{2^{2^{49}}}"),
        ("7", "99999999!"),
        ("(3, 4]", "[3, 4]"),
        (r"n \equiv 1 \pmod{3}", r"n \equiv 2 \pmod{3}"),
        (r"n \equiv 1 \pmod{3}", r"n \equiv 1 \pmod{4}"),
        ("1011_2", "1011_3"),
        ("21", "2 1"),
        ("5 hours", "5 minutes"),
        ("n = 255", "-n = 255"),
        ("f(n) = n^2", "-f(n) = n^2"),
    ],
)
def test_different_answers(gold: str, answer: str) -> None:
    assert verdict(gold, answer, whole=True) == ("mismatch", answer)


@pytest.mark.parametrize(
    ("gold", "text", "reason", "extracted"),
    [
        ("18", "So the answer is 18.", "match", "18"),
        ("18", "18 apples", "match", "18"),
        ("18", "First 18, then the total is 20.", "mismatch", "20"),
        (r"\frac{1}{2}", "Therefore $x = 0.5$", "match", "x = 0.5"),
        (r"\frac{1}{2}", r"\tfrac12", "match", r"\tfrac12"),
        ("x^2+2x+1", "(x+1)^2", "match", "(x+1)^2"),
        ("1", "x^2+2x+1", "mismatch", "x^2+2x+1"),
        ("18", "I do not know", "no answer found", None),
        ("1, 3", "Minimum: 1, Maximum: 3", "match", "Minimum: 1, Maximum: 3"),
        ("7", "Therefore the answer is +7", "match", "7"),
        ("7", "the answer is \u0667", "match", "7"),
        ("white", "White", "match", "White"),
        (r"\sqrt{3} - 1", "-1 + sqrt(3)", "match", "-1 + sqrt(3)"),
        ("0", "().__class__.__base__.__subclasses__() or 0", "no answer found", None),
    ],
)
def test_texts_without_a_box(gold: str, text: str, reason: str, extracted: str | None) -> None:
    assert verdict(gold, text, whole=False) == (reason, extracted)


def test_a_number_in_a_formula_that_cannot_be_read_is_not_its_value() -> None:
    gold = r"\frac{E_{0}^{2} e^{2}}{2 m \omega^{2}}"
    assert verdict(gold, gold, whole=True)[0] == "match"
    assert verdict(gold, "2", whole=True)[0] == "gold unreadable"
    assert verdict(gold, f"-{gold}", whole=True)[0] == "gold unreadable"


@pytest.mark.parametrize("gold", ["Anya climbs one floor, so her path is longer.", r"\frac{", r"1, 2, \ldots, n", "]["])
@pytest.mark.parametrize("answer", ["12", "1", "", None])
def test_unreadable_gold_is_never_right_nor_wrong(gold: str, answer: str | None) -> None:
    assert verdict(gold, answer, whole=True)[0] == "gold unreadable"


def test_no_answer() -> None:
    assert verdict("3", None, whole=True) == ("no answer found", None)
    assert verdict("3", "", whole=False) == ("no answer found", None)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("The point is (3, 5).", ["(3, 5)"], ["5", "3", "(5, 3)"]),
        ("The roots are 3 and 5.", ["3, 5"], ["5", "3", "3, 6"]),
        ("The roots are $3$ and $5$.", ["3, 5"], ["5", "3"]),
        ("So we get x = 3 or x = 5.", ["3, 5"], ["5", "3"]),
        ("The interval is [3, 5].", ["[3, 5]"], ["5", "3", "(3, 5)"]),
        ("The answer is - 5.", ["-5"], ["5"]),
        ("The answer is x + 1.", ["x+1"], ["1", "x+2"]),
        (r"Therefore the answer is \(x+1\).", ["x+1"], ["1"]),
        ("The answer is 2n.", ["2n"], ["2", "3n"]),
        ("The answer is 3 1/2.", ["3.5"], ["1/2", "3", "1", "2"]),
        ("The answer is yes.", ["Yes"], ["No", "3"]),
        ("The answer is no.", ["No"], ["Yes", "3"]),
        ("It is Monday.", ["Monday"], ["Tuesday", "3"]),
        ("**Answer:** 3, 5", ["3, 5"], ["3", "5"]),
        ("The answer is:\n\n(3, 5)", ["(3, 5)"], ["5"]),
        ("The points are:\n- 5", ["5"], ["-5"]),
        ("So 5", ["5"], ["6"]),
        ("The answer is 3/4, or 75%.", ["3/4"], ["4", "3"]),
        ("The probability is 1/2 = 0.5.", ["1/2"], ["5", "2"]),
        # as ever: words behind the number
        ("The total is 5 apples.", ["5"], ["6"]),
        ("So he has 7 left.", ["7"], ["8"]),
        ("The answer is 5 because 2+3=5.", ["5"], ["3", "2"]),
        ("The answer is 5, because x is 2.", ["5"], ["2"]),
        ("The answer is 5. Indeed 2x is 10.", ["5"], ["10"]),
        ("The answer is 5. That is it.", ["5"], ["6"]),
        ("The answer is 5 if x > 2.", ["5"], ["2"]),
        ("The answer is 5 (x = 5).", ["5"], ["6"]),
        ("The answer is 5!", ["5"], ["6"]),
        # sizes and money
        ("The answer is 5 thousand.", ["5000"], ["5"]),
        ("They sold 5 thousand apples in total.", ["5000"], ["5"]),
        ("It costs $50.", ["50", "50 dollars"], ["50 cents"]),
        ("The cost is $0.50.", ["50 cents"], ["50"]),
        ("It costs 50 cents there.", [r"\$0.50", "50 cents"], [r"\$50"]),
    ],
)
def test_what_a_text_says(text: str, right: list[str], wrong: list[str]) -> None:
    assert [gold for gold in right if verdict(gold, text, whole=False)[0] != "match"] == []
    assert [gold for gold in wrong if verdict(gold, text, whole=False)[0] == "match"] == []


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        (r"\text{72 apples}", ["72"], ["73"]),
        (r"\text{72 dollars}", ["72", "72 dollars"], ["72 cents"]),
        (r"\text{20 people}", ["20"], ["21"]),
        (r"\text{72 apples and 3 pears}", [], ["72", "3"]),
        (r"\text{5 less than ten}", [], ["5", "10"]),
        (r"\text{5 or more}", [], ["5"]),
        (r"\text{3 fifths}", [], ["3"]),
        (r"2\text{ million}", ["2000000", "2 million"], ["2"]),
        (r"2\text{ million people}", ["2000000"], ["2"]),
        (r"\$2.5 \text{ million}", ["2,500,000"], ["2.5"]),
        (r"3\text{ dozen}", ["36"], ["3"]),
        (r"\frac{1}{2}\text{ million}", ["500000"], ["1/2"]),
        ("5 thousandths", [], ["5000", "5"]),
        (r"\$50", ["50", "50 dollars", "5000 cents"], ["50 cents"]),
        (r"\$0.50", ["0.50", "50 cents"], ["50"]),
        (r"50\text{ cents}", [r"\$0.50", "$0.50", "50"], [r"\$50"]),
        ("0.50", [], ["50 cents"]),
    ],
)
def test_words_sizes_and_money(answer: str, right: list[str], wrong: list[str]) -> None:
    assert [gold for gold in right if verdict(gold, answer, whole=True)[0] != "match"] == []
    assert [gold for gold in wrong if verdict(gold, answer, whole=True)[0] == "match"] == []
