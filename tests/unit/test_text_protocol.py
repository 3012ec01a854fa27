"""What small models write is read as the call or answer it stands for; nothing makes the reader fail."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabwise.core.agent import lenient_json
from tabwise.core.agent.arguments import BadArguments, read_arguments
from tabwise.core.agent.text_protocol import ANSWER, TextReply, describe, parse, render_call, reply_grammar
from tabwise.core.agent.tools import CALCULATOR, READ_PAGE, SEARCH_PAGES, SMALL_TOOLS, TODO, TOOLS
from tabwise.core.chat import ToolSpec
from tabwise.core.grammar import Choice, Grammar, Matcher, Sequence, Text

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(st.sampled_from(["query", "k", "source", "odd"]), JSON_VALUES, max_size=3)


def said(text: str) -> tuple[str, Any] | str:
    """A reply as (tool, arguments), or the text of the answer."""
    reply = parse(text, TOOLS)
    return (reply.call.name, json.loads(reply.call.arguments)) if reply.call else reply.answer


TIDES = ("search_pages", {"query": "high tide"})


@pytest.mark.parametrize(
    "text",
    [
        '{"tool": "search_pages", "arguments": {"query": "high tide"}}',
        '```json\n{"tool": "search_pages", "arguments": {"query": "high tide"}}\n```',
        '<tool_call>\n{"name": "search_pages", "arguments": {"query": "high tide"}}\n</tool_call>',
        'I will look.\n{"tool":"search_pages","arguments":{"query":"high tide"}}\nLet us see.',
        '{"function": {"name": "search_pages", "arguments": "{\\"query\\": \\"high tide\\"}"}}',
        '{"tool_calls": [{"function": {"name": "search_pages", "arguments": {"query": "high tide"}}}]}',
        '{"action": "search_pages", "action_input": {"query": "high tide"}}',
        '{"action": "search_pages", "action_input": "high tide"}',
        '{"tool": "search_pages", "query": "high tide"}',
        '{"tool": "Search Pages", "parameters": {"query": "high tide"}}',
        "{'tool': 'search_pages', 'arguments': {'query': 'high tide'}}",
        "{tool: search_pages, arguments: {query: high tide}}",
        '{"tool": "search_pages", "arguments": {"query": "high tide"',
        '{"tool": "search_pages", "arguments": {"query": "high tide}}',
        '{"tool": "search_pages", "arguments": {"query": "high tide",}}',
        '{"tool": "search_pages" "arguments": {"query": "high tide"}}',
        "{“tool”: “search_pages”, “arguments”: {“query”: “high tide”}}",
        "Thought: I should search.\nAction: search_pages\nAction Input: high tide",
        'Thought: So:\nAction: search_pages\nAction Input: {"query": "high tide"}\nObservation: 1',
        '**Action:** search_pages\n**Action Input:** "high tide"',
        'Action: search_pages\n```json\n{"query": "high tide"}\n```',
        "Action: search_pages[high tide]",
        'search_pages("high tide")',
        'search_pages(query="high tide")',
        'I will call `search_pages(query="high tide")` now.',
        'search_pages {"query": "high tide"}',
        '<think>calculator("1")</think>{"tool": "search_pages", "arguments": {"query": "high tide"}}',
        '{"tool": "search_pages", "arguments": {"query": "high tide"}}\nAnswer: It is 3 m.',
        'search_pages(query="high tide")\n{"tool": "search_pages", "arguments": {"query": "low tide"}}',
    ],
)
def test_a_call_is_read_whatever_its_form(text: str) -> None:
    assert said(text) == TIDES


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: It is 16 m [1].", "It is 16 m [1]."),
        ("Thought: I know now.\nFinal Answer: It is 16 m [1].", "It is 16 m [1]."),
        ("**Answer:** It is 16 m [1].", "It is 16 m [1]."),
        ("It is 16 m [1].", "It is 16 m [1]."),
        ("Thought: easy.\nIt is 16 m [1].", "It is 16 m [1]."),
        ('{"answer": "It is 16 m [1]."}', "It is 16 m [1]."),
        ("<think>Hmm, 16?</think>It is 16 m [1].", "It is 16 m [1]."),
        ("Answer: It is 16 m [1].\nObservation: 17 m", "It is 16 m [1]."),
        ("Answer: Ask search_pages(high tide) yourself.", "Ask search_pages(high tide) yourself."),
        ("The researcher[1] found 16 m.", "The researcher[1] found 16 m."),
        ("A set {1, 2} is no call.", "A set {1, 2} is no call."),
        ("<think>it never ends", ""),
        ("", ""),
    ],
)
def test_an_answer_is_read_whatever_its_form(text: str, answer: str) -> None:
    assert said(text) == answer


def test_a_tool_that_is_not_there_is_still_a_call() -> None:
    assert said('{"tool": "send_mail", "arguments": {"to": "a@b.example"}}') == (
        "send_mail",
        {"to": "a@b.example"},
    )


@given(
    st.sampled_from([spec.name for spec in TOOLS]), ARGUMENTS, st.sampled_from(["", "Answer it.\n", "```\n"])
)
def test_a_call_survives_the_round_trip(name: str, arguments: dict[str, Any], before: str) -> None:
    reply = parse(before + render_call(name, arguments), TOOLS)
    assert reply.call is not None
    assert reply.call.name == name
    assert json.loads(reply.call.arguments) == arguments


PIECES = st.sampled_from(
    [
        '{"tool": ',
        '"search_pages"',
        ', "arguments": ',
        '{"query": "a"}',
        "}",
        "Action: ",
        "Action Input: ",
        "\n",
        "calculator(",
        ")",
        "[",
        "]",
        "Answer: ",
        "<think>",
        "</think>",
        '"',
        "\\",
        "{",
        ":",
        ",",
        "e9",
        "\ud800",
    ]
)


@given(st.lists(PIECES | st.text(max_size=4), max_size=14).map("".join))
@example("{" * 2000)
@example('{"a":' * 2000)
@example("[" * 2000 + "{")
@example('{"tool": "search_pages", "arguments": {"k": 007}}')
@example('{"tool": "search_pages", "arguments": {"k": ' + "9" * 5000 + "}}")
def test_the_reader_never_fails(text: str) -> None:
    reply = parse(text, TOOLS)
    assert isinstance(reply, TextReply)
    assert reply.call is None or not reply.answer
    json.loads(reply.call.arguments if reply.call else "{}")


@given(JSON_VALUES)
def test_the_forgiving_rules_read_sound_json_as_it_is(value: Any) -> None:
    for text in (json.dumps([value]), json.dumps([value], ensure_ascii=False, indent=1)):
        read, end = lenient_json.read_broken(text, 0)
        assert (read, end) == ([json.loads(json.dumps(value))], len(text))


@given(JSON_VALUES.map(lambda value: json.dumps({"value": value})), st.data())
def test_json_that_breaks_off_keeps_its_kind(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(text)))
    try:
        value, end = lenient_json.read(text[:cut], 0)
    except lenient_json.Unreadable:
        value, end = {}, cut
    assert isinstance(value, dict)
    assert end <= cut


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"q": "the "high" tide"}', {"q": 'the "high" tide'}),
        ('{"q": "a\nb"}', {"q": "a\nb"}),
        ('{"q": "\\u00e9\\ud83d\\ude00\\q"}', {"q": "é😀q"}),
        ("{q: it is, k: 3.5, yes: True, no: None}", {"q": "it is", "k": 3.5, "yes": True, "no": None}),
        ("[1, 2", [1, 2]),
        ('{"a": {"b": [1, {"c": 2]}', {"a": {"b": [1, {"c": 2}]}}),
        ("{}", {}),
    ],
)
def test_broken_json_is_read_by_its_meaning(text: str, value: Any) -> None:
    assert lenient_json.read(text, 0)[0] == value


@pytest.mark.parametrize("text", ["", "   ", ")", "{a b}", "{a}", '{"a" b}'])
def test_what_has_no_value_is_refused(text: str) -> None:
    with pytest.raises(lenient_json.Unreadable):
        lenient_json.read(text, 0)


@pytest.mark.parametrize(
    ("spec", "written", "arguments"),
    [
        (SEARCH_PAGES, '{"query": " tides "}', {"query": "tides", "k": 5}),
        (SEARCH_PAGES, '{"query": "tides", "k": "3", "odd": 1}', {"query": "tides", "k": 3}),
        (SEARCH_PAGES, '{"query": "tides", "k": 3.0, "source": null}', {"query": "tides", "k": 3}),
        (SEARCH_PAGES, '{"query": 2020}', {"query": "2020", "k": 5}),
        (TODO, '{"operation": "add", "items": "one"}', {"operation": "add", "items": ["one"]}),
        (TODO, '{"operation": "list"}', {"operation": "list"}),
    ],
)
def test_arguments_are_read_as_the_schema_wants_them(spec: ToolSpec, written: str, arguments: Any) -> None:
    assert read_arguments(spec, written) == arguments


@pytest.mark.parametrize(
    ("spec", "written", "reason"),
    [
        (SEARCH_PAGES, "{}", "`query` is missing"),
        (SEARCH_PAGES, "", "`query` is missing"),
        (SEARCH_PAGES, '"tides"', "no JSON object"),
        (SEARCH_PAGES, ")", "no JSON object"),
        (SEARCH_PAGES, '{"query": ""}', "`query` is empty"),
        (SEARCH_PAGES, '{"query": ["a"]}', "`query` must be a text"),
        (SEARCH_PAGES, json.dumps({"query": "x" * 301}), "longer than 300 characters"),
        (SEARCH_PAGES, '{"query": "a", "k": 0}', "`k` must be a whole number from 1 to 10"),
        (SEARCH_PAGES, '{"query": "a", "k": 2.5}', "`k` must be"),
        (SEARCH_PAGES, '{"query": "a", "k": true}', "`k` must be"),
        (SEARCH_PAGES, '{"query": "a", "k": "many"}', "`k` must be"),
        (SEARCH_PAGES, '{"query": "a", "k": 1e999}', "`k` must be"),
        (TODO, '{"operation": "drop"}', "`operation` must be one of add, done, list"),
        (TODO, json.dumps({"operation": "add", "items": ["x"] * 11}), "longer than 10 items"),
    ],
)
def test_arguments_that_do_not_fit_say_why(spec: ToolSpec, written: str, reason: str) -> None:
    with pytest.raises(BadArguments, match=reason):
        read_arguments(spec, written)


def sentences_of(node: Grammar) -> st.SearchStrategy[str]:
    """Texts that a grammar allows, drawn by its parts."""
    if isinstance(node, Text):
        return st.just(node.value)
    if isinstance(node, Choice):
        return st.sampled_from(node.options).flatmap(sentences_of)
    if isinstance(node, Sequence):
        return st.tuples(*map(sentences_of, node.parts)).map("".join)
    members = "".join(sorted(node.of.members))
    others = st.characters(exclude_characters=members, exclude_categories=["Cs"])
    own = others if node.of.is_complement else st.sampled_from(members)
    return st.lists(own, min_size=node.low, max_size=min(node.high, node.low + 5)).map("".join)


def test_what_the_grammar_allows_is_read_as_it_was_meant() -> None:
    specs = {spec.name: spec for spec in TOOLS}
    grammar = reply_grammar(TOOLS, max_answer_chars=0)

    @given(sentences_of(grammar))
    def check(text: str) -> None:
        matcher = Matcher(grammar).advance(text)
        assert matcher is not None
        assert matcher.is_complete
        call = parse(text, TOOLS).call
        assert call is not None
        written = json.loads(text)
        assert (call.name, json.loads(call.arguments)) == (written["tool"], written["arguments"])
        assert set(json.loads(call.arguments)) >= set(specs[call.name].parameters["required"])

    check()


def test_a_grammar_allows_an_answer_only_where_it_may_come() -> None:
    may_answer = Matcher(reply_grammar(SMALL_TOOLS, max_answer_chars=50))
    must_search = Matcher(reply_grammar(SMALL_TOOLS, max_answer_chars=0))
    assert may_answer.begins_with(ANSWER[0])
    assert not must_search.begins_with(ANSWER[0])
    ended = may_answer.advance(f"{ANSWER}It is 16 m [1].")
    assert ended is not None
    assert ended.is_complete


def test_the_description_shows_calls_that_can_be_read() -> None:
    lines = [line for line in describe([SEARCH_PAGES, READ_PAGE, CALCULATOR]).split("\n") if line[0] == "{"]
    assert [parse(line, TOOLS).call.name for line in lines] == ["search_pages", "read_page", "calculator"]  # type: ignore[union-attr]
