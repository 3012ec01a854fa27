"""The calculation that a question states in so many words, read without a model.

Small models cannot be trusted with it: of 36 questions with numbers in words the bundled one chose the right
operation for 23, and as gladly calculated where nothing was to be calculated. So only what the question
itself says is taken, in signs or in the words for them, and nothing is guessed from "how many". Words are
those of English, German and Spanish, and English requests such as "subtract 9 from 54".

    >>> stated_calculation("What is 384 * 4 / (384 + 4)?")
    '384 * 4 / (384 + 4)'
    >>> stated_calculation("Subtract 9.1 from 16.3, please.")
    '16.3 - 9.1'
    >>> stated_calculation("Who presented BM25 in 1994, and why not in 2016?")
    ''
"""

import re

from tabwise.core.agent.calculator import NotCalculable, calculate

_NUMBER = r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?"
_SIGNED = re.compile(r"[(\d][\d\s.,()+*/×÷^%−-]*[+*/×÷^−-][\d\s.,()+*/×÷^%−-]*[)\d]")
_SHARE = re.compile(
    rf"({_NUMBER})\s*(?:%|percent|per cent|prozent|por ciento)\s*(?:of|von|de)\s+({_NUMBER})", re.I
)
_WORDS = {
    r"times|multiplied by|multipliziert mit|mal|multiplicado por|por": "*",
    r"divided by|over|geteilt durch|dividido (?:por|entre)": "/",
    r"plus|más": "+",
    r"minus|menos": "-",
}
_SIGNS = tuple(
    (re.compile(rf"(?<=[\d)])\s+(?:{words})\s+(?=[\d(])", re.I), f" {sign} ")
    for words, sign in _WORDS.items()
)
_SUM = re.compile(rf"\b(?:sum of|add) ({_NUMBER}(?:(?:,? and | to |, ){_NUMBER})+)", re.I)
_REQUESTS = tuple(
    (re.compile(pattern.replace("#", f"({_NUMBER})"), re.I), form)
    for pattern, form in (
        (r"\bsubtract # from #", "{1} - {0}"),
        (r"\bdifference (?:between|of) # and #", "{0} - {1}"),
        (r"\bmultiply # (?:by|with|and) #", "{0} * {1}"),
        (r"\bproduct of # and #", "{0} * {1}"),
        (r"\bdivide # by #", "{0} / {1}"),
    )
)
# Between figures without spaces these stand in dates, versions and ranges, unless nothing else is asked.
_TIGHT = re.compile(r"(?<=\d)[-–/](?=\d)")
_ASKED_ALONE = re.compile(
    r"(?:what is|what's|how much is|calculate|compute|was ist|wie viel ist|berechne|cuánto es|calcula)?"
    r"[\d\s.,()+*/×÷^%−–-]+[=?.!\s]*",
    re.I,
)


def stated_calculation(question: str) -> str:
    """Return the longest expression that a question states and that can be calculated, "" when there is none.

    The first of equals. A date, a version, a range of years is none.
    """
    is_alone = _ASKED_ALONE.fullmatch(question.strip().lstrip("¿")) is not None
    text = question if is_alone else _TIGHT.sub(" ; ", question)
    for words, sign in _SIGNS:
        text = words.sub(sign, text)
    found = [f"{share} / 100 * {of}" for share, of in _SHARE.findall(text)]
    found += [" + ".join(re.findall(_NUMBER, summands)) for summands in _SUM.findall(text)]
    found += [form.format(*operands) for words, form in _REQUESTS for operands in words.findall(text)]
    found += _SIGNED.findall(text)
    for expression in sorted(found, key=len, reverse=True):
        try:
            calculate(expression)
        except NotCalculable:
            continue
        return str(expression).strip()
    return ""
