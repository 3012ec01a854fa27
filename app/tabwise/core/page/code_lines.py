"""Numbers that a page draws before the lines of code are not part of the code.

They are known by counting: when every line that is not blank begins with the number after that of the line
before, the numbers go. A block of such numbers alone is the column beside the code, and goes whole.

    "1 x = 1", "2", "3 print(x)"  →  "x = 1", "", "print(x)"
"""

import re
from collections.abc import Sequence

MIN_LINES = 3
_NUMBERED = re.compile(r"\s*(\d+)(?![\d.):,])(.*)", re.S)
_BORDERS = (" | ", " │ ", "| ", "│ ", " ")  # between a number and its line


def without_line_numbers(lines: Sequence[str]) -> list[str]:
    """Return lines of code without their numbers, as they are where they are not numbered."""
    matches = [_NUMBERED.match(line) for line in lines if line.strip()]
    numbered = [match for match in matches if match is not None]
    if len(numbered) < MIN_LINES or len(numbered) < len(matches):
        return list(lines)
    numbers = [int(match[1][:9]) for match in numbered]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return list(lines)
    code = [match[2].rstrip() for match in numbered]
    for border in _BORDERS:
        if all(line.startswith(border) or line in ("", border.rstrip()) for line in code):
            code = [line[len(border) :] for line in code]
            break
    return code if any(code) else []
