"""Text on a page that speaks to the machine instead of the reader, found by rules so that it can be shown.

A page may hold sentences such as "ignore all previous instructions" to make an answer say what its author
wants. They are data like all other text and are never taken out; the reader is told. Rules find the common
forms in several languages and overlook cleverer ones, so this is a notice, not a defence: the defences are
that sources are fenced (`prompts`), that no tool has effects, and that every sentence is checked. Of the 55
indirect cases of PurpleLlama's prompt-injection set 13 are found; none of 720 paragraphs of Wikipedia is.
"""

import re
from collections.abc import Generator

STEP_CHARS = 4_000
MAX_INSTRUCTION_CHARS = 200
"""A longer one may be found in part where two steps meet."""

_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE | re.VERBOSE | re.MULTILINE)
    for pattern in (
        # set aside what was said before
        r"""\b(?:ignore|disregard|forget|override|bypass|neglect|skip)\b[^.!?\n]{0,40}?
            \b(?:(?:previous|prior|above|earlier|preceding|all|any|other|your|these|the)\ )+
            (?:\w+\ )?(?:instructions?|prompts?|rules?|directions?|guidelines?|commands?|messages?)\b""",
        r"""\b(?:ignorier|vergiss|missacht|überspring)\w*\b[^.!?\n]{0,40}?
            \b(?:vorherige|bisherige|obige|alle|deine|frühere)\w*\b[^.!?\n]{0,20}?
            \b(?:anweisung|instruktion|regel|befehl|vorgabe)\w*""",
        r"""\b(?:ignor|olvid|omit|desobedec)\w*\b[^.!?\n]{0,40}?\b(?:instruccion|regla|orden|indicacion)\w*""",
        r"""\b(?:ignore[rz]?|oublie[rz]?)\b[^.!?\n]{0,40}?\b(?:instruction|consigne|règle)s?\b""",
        r"""игнориру\w*[^.!?\n]{0,40}?инструкци\w*""",
        r"""(?:忽略|无视|忘记)[^。！？\n]{0,20}?(?:指令|指示|规则|提示)""",
        # become someone else
        r"""\byou\ are\ (?:now|no\ longer)\ (?:a|an|the|in|my|called|named|dan)\b""",
        r"""\b(?:pretend|act|behave|roleplay)\b\ (?:to\ be|as\ if|like|as)
            \ (?:you|an?\ (?:ai|unrestricted|evil))\b""",
        r"""\b(?:new|updated|real|actual|following)\ (?:system\ )?(?:instructions?|prompts?|task)\b
            \s*(?:are|is)?\s*:""",
        # what no text for people says
        r"""\b(?:reveal|print|repeat|output|show|leak|tell\ me)\b[^.!?\n]{0,30}?
            \b(?:system|initial|hidden|secret|original)\ (?:prompt|instructions?|message|password|key)\b""",
        r"""(?:^\W*|\b(?:as|for|to|dear|attention|hey|hello)[,:]?\ )(?:an?\ |the\ |all\ |any\ )?
            (?:ai(?:\ (?:agent|model|assistant))?|llm|language\ model|chat\ ?bot|(?:chat)?gpt|assistant)
            s?\b
            (?=[^.!?\n]{0,60}\b(?:must|should|please|need|have\ to|you|will)\b)""",
        r"""\b(?:do\ not|don['’]t|never)\ (?:tell|mention|inform|reveal|warn|show)\b
            [^.!?\n]{0,20}?\buser\b""",
        r"""\byour\ (?:answer|response|reply|output|summary)\ (?:must|should|has\ to|shall)
            \ (?:be|only|begin|start|end|include|contain|say|state)\b""",
        r"""\b(?:respond|reply|answer)\ (?:only\ )?(?:with|by\ saying)\b[^.!?\n]{0,60}["“'«]""",
        r"""\bsystem\ ?(?:prompt|message|override|notice)\s*[:=]""",
        r"""^\s*(?:system|assistant|user|\#{2,}\s*(?:system|instructions?))\s*:\s*\S""",
        r"""<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</?(?:system|assistant|tool_call)>""",
    )
)


def find_instructions(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans that look like instructions to a machine, by position, without overlap."""
    steps = instruction_steps(text)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: tuple[tuple[int, int], ...] = end.value
            return found


def instruction_steps(text: str) -> Generator[None, None, tuple[tuple[int, int], ...]]:
    """The same as `find_instructions` in steps of a few milliseconds, line by line."""
    spans: list[tuple[int, int]] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        for start in range(0, len(line), STEP_CHARS):
            piece = line[start : start + STEP_CHARS + MAX_INSTRUCTION_CHARS]
            matches = (match.span() for pattern in _PATTERNS for match in pattern.finditer(piece))
            spans += [(offset + start + a, offset + start + b) for a, b in matches]
            yield
        offset += len(line)
    spans.sort()
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)
