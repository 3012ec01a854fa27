"""Arithmetic for those who cannot count: an expression is read as a syntax tree and only arithmetic is done.

Sums, products, powers, remainders and brackets are exact (fractions), so 0.1 + 0.2 is 0.3; roots and
logarithms are floating point. The way people write is understood: `×`, `÷`, `−`, `^`, `15% of 80`, `1,234.5`,
currency signs and units. Units are left out, not converted: `3 km + 2 km` is 5. `a % b` is the remainder,
a `%` with no number behind it a hundredth. Commas stand between thousands, or between the arguments of a
function.

    >>> calculate("15% of 1,200 USD")
    Calculation(read_as='15 / 100 * 1200', value='180')
"""

import ast
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

MAX_CHARS = 300
MAX_DEPTH = 40
MAX_BITS = 4096
"""Of the numerator and the denominator of every number on the way: about 1,200 digits."""
SIGNIFICANT_DIGITS = 12

_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**", "[": "(", "]": ")"})
_CURRENCY = re.compile(r"[$€£¥₹]")
_CALL = re.compile(r"[A-Za-z_]\w*\s*\(")
_THOUSANDS = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d,])")
_OF = re.compile(r"%\s*of\b", re.IGNORECASE)
_HUNDREDTH = re.compile(r"%(?!\s*[\w(.])")
_UNIT = re.compile(r"(?<=[\d.)])\s*(?![eE][+-]?\d)(?:°\s*)?[^\W\d_]+[²³]?(?!\w)(?!\s*\()")
_THIN_SPACE = re.compile("(?<=\\d)[\u00a0\u2009\u202f](?=\\d{3})")


class NotCalculable(ValueError):
    """The text is no arithmetic, or its value is too large; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """What was calculated and its value, at most `SIGNIFICANT_DIGITS` digits unless it is whole."""

    read_as: str
    value: str


def calculate(expression: str) -> Calculation:
    """Return the value of an expression; raises NotCalculable."""
    if len(expression) > MAX_CHARS:
        raise NotCalculable(f"longer than {MAX_CHARS} characters")
    source = _plain(expression)
    if not source:
        raise NotCalculable("the expression is empty")
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise NotCalculable(f"not an arithmetic expression: {source}") from error
    return Calculation(ast.unparse(tree), _shown(_value(tree.body, 0)))


def _plain(expression: str) -> str:
    """The expression in Python's signs, without units."""
    text = _THIN_SPACE.sub("", _CURRENCY.sub("", expression.translate(_SIGNS)))
    if _CALL.search(text) is None:
        text = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)
    text = _OF.sub("/100*", text)
    text = _UNIT.sub("", text)
    return " ".join(_HUNDREDTH.sub("/100", text).split()).rstrip("= ")


def _value(node: ast.expr, depth: int) -> Fraction:
    if depth > MAX_DEPTH:
        raise NotCalculable("nested too deeply")
    if isinstance(node, ast.Constant):
        return _bounded(_constant(node.value))
    if isinstance(node, ast.Name) and node.id.lower() in _CONSTANTS:
        return _CONSTANTS[node.id.lower()]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
        value = _value(node.operand, depth + 1)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _value(node.left, depth + 1), _value(node.right, depth + 1)
        return _bounded(_OPERATORS[type(node.op)](left, right))
    if isinstance(node, ast.Call) and not node.keywords:
        return _bounded(_called(node, depth))
    raise NotCalculable(f"not arithmetic: {ast.unparse(node)}")


def _constant(value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotCalculable(f"not a number: {value!r}")
    if isinstance(value, float) and not math.isfinite(value):
        raise NotCalculable("the number is too large")
    return Fraction(repr(value))


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise NotCalculable("the number is too large")
    return value


def _called(node: ast.Call, depth: int) -> Fraction:
    name = node.func.id.lower() if isinstance(node.func, ast.Name) else ""
    if name not in _FUNCTIONS:
        raise NotCalculable(f"no function {ast.unparse(node.func)}; there are {', '.join(_FUNCTIONS)}")
    fewest, most, function = _FUNCTIONS[name]
    arguments = [_value(argument, depth + 1) for argument in node.args]
    if not fewest <= len(arguments) <= most:
        raise NotCalculable(f"{name} does not take {len(arguments)} arguments")
    try:
        return function(*arguments)
    except (ValueError, OverflowError) as error:
        raise NotCalculable(f"{name} has no value here") from error


def _divided(a: Fraction, b: Fraction) -> Fraction:
    if b == 0:
        raise NotCalculable("division by zero")
    return a / b


def _remainder(a: Fraction, b: Fraction) -> Fraction:
    if b == 0:
        raise NotCalculable("division by zero")
    return a % b


def _whole_quotient(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(math.floor(_divided(a, b)))


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if base == 0 and exponent < 0:
        raise NotCalculable("division by zero")
    if exponent.denominator == 1:
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if abs(exponent) * max(size - 1, 0) > MAX_BITS:
            raise NotCalculable("the number is too large")
        return base**exponent.numerator
    if base < 0:
        raise NotCalculable("the root of a negative number")
    try:
        return _of_float(float(base) ** float(exponent))
    except OverflowError as error:
        raise NotCalculable("the number is too large") from error


def _of_float(value: float) -> Fraction:
    """A floating point number as people would write it: to 15 digits."""
    return Fraction(f"{value:.15g}")


def _root(value: Fraction) -> Fraction:
    whole = math.isqrt(value.numerator) if value >= 0 else 0
    below = math.isqrt(value.denominator)
    if value >= 0 and whole * whole == value.numerator and below * below == value.denominator:
        return Fraction(whole, below)
    return _of_float(math.sqrt(value))


def _logarithm(value: Fraction, base: Fraction | None = None) -> Fraction:
    if base is None:
        return _of_float(math.log(value))
    if base <= 0 or base == 1:
        raise ValueError("base of a logarithm")
    return _of_float(math.log(value, base))


def _rounded(value: Fraction, digits: Fraction = Fraction(0)) -> Fraction:
    """Halves away from zero, as taught at school."""
    if digits.denominator != 1 or abs(digits) > 30:
        raise ValueError("digits")
    scale = Fraction(10) ** digits.numerator
    size = Fraction(math.floor(abs(value) * scale + Fraction(1, 2))) / scale
    return size if value >= 0 else -size


def _mean(*values: Fraction) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


_CONSTANTS = {"pi": Fraction(repr(math.pi)), "e": Fraction(repr(math.e))}
_OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: _divided,
    ast.FloorDiv: _whole_quotient,
    ast.Mod: _remainder,
    ast.Pow: _power,
}
_MANY = 100
_FUNCTIONS: dict[str, tuple[int, int, Callable[..., Fraction]]] = {
    "abs": (1, 1, abs),
    "ceil": (1, 1, lambda value: Fraction(math.ceil(value))),
    "exp": (1, 1, lambda value: _of_float(math.exp(value))),
    "floor": (1, 1, lambda value: Fraction(math.floor(value))),
    "log": (1, 2, _logarithm),
    "log10": (1, 1, lambda value: _of_float(math.log10(value))),
    "max": (1, _MANY, lambda *values: max(values)),
    "mean": (1, _MANY, _mean),
    "min": (1, _MANY, lambda *values: min(values)),
    "round": (1, 2, _rounded),
    "sqrt": (1, 1, _root),
    "sum": (1, _MANY, lambda *values: sum(values, Fraction(0))),
}


def _shown(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    try:
        return f"{float(value):.{SIGNIFICANT_DIGITS}g}"
    except OverflowError:
        return str(round(value))
