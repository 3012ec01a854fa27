"""Whole runs of a local model as tables: the session is a script, the policy is the product's."""

import json
import math
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.chat import Finish, Message, Prompt, Role
from tabwise.core.grammar import Choice, Grammar, Matcher, Text, json_string
from tabwise.core.grammar import Sequence as Sequence_
from tabwise.core.llm import relevance
from tabwise.core.llm.drafting import Drafter, agreed
from tabwise.core.llm.endings import TextGuard, loop_period, without_loop
from tabwise.core.llm.generation import (
    PREFILL_TOKENS,
    Advance,
    Generated,
    Limits,
    Response,
    Verify,
    generate,
    log_probabilities,
    n_shared,
    prefill,
)
from tabwise.core.llm.sampling import TopTokens, choose, top_tokens
from tabwise.core.llm.template import disarm, render_chatml
from tabwise.core.llm.vocabulary import Vocabulary, token_texts
from tiny_tokenizer import CONTROL, END, tokenizer_json

LIMITS = Limits(max_output_tokens=50, end_tokens=frozenset({END}), first_token_alone=False)
VOCABULARY = Vocabulary(token_texts(tokenizer_json()))


def decode(tokens: Sequence[int]) -> str:
    return bytes(token for token in tokens if token < 256).decode("utf-8", "replace")


class Script:
    """A session whose model writes a fixed text, then ends; it would rather write than keep to a grammar."""

    def __init__(self, text: str, prompt: Sequence[int] = (1, 2, 3)) -> None:
        self._tokens = [*text.encode(), END]
        self._prompt = list(prompt)
        self._held: list[int] = []
        self._follows_grammar = False
        self.fed: list[tuple[int, int]] = []
        self.pieces: list[str] = []
        self.n_wanted: set[int] = set()

    def run(self, limits: Limits = LIMITS, cached: Sequence[int] = ()) -> Generated:
        run = generate(
            self._prompt,
            cached,
            limits,
            vocabulary=VOCABULARY,
            decode=decode,
            on_text=self.pieces.append,
            chance=random.Random(1),
        )
        answer: Response = None
        self._held, self._follows_grammar = list(cached), limits.grammar is not None
        while True:
            try:
                request = run.send(answer)
            except StopIteration as end:
                generated: Generated = end.value
                return generated
            self.fed.append((request.past, len(request.tokens)))
            self._held = [*self._held[: request.past], *request.tokens]
            if isinstance(request, Advance):
                answer = None
                continue
            if isinstance(request, Verify):
                ends = range(request.past + 1, len(self._held) + 1)
                answer = np.array([self._next(self._held[:end]) for end in ends], np.int32)
                continue
            self.n_wanted.add(request.k)
            logits = np.zeros(259, np.float32)
            logits[self._next(self._held)] = 9.0
            allow = None if request.allow is None else np.array(request.allow, np.int32)
            answer = top_tokens(logits, request.k, allow)

    def _next(self, held: list[int]) -> int:
        """The token of the text behind what is held; nonsense behind tokens that are not of it."""
        n_written = len(held) - len(self._prompt)
        is_of_it = self._follows_grammar or held[len(self._prompt) :] == self._tokens[:n_written]
        return self._tokens[min(n_written, len(self._tokens) - 1)] if is_of_it else 0x7E


def test_the_text_ends_where_the_model_ends_it() -> None:
    script = Script("Two tides a day.")
    generated = script.run()
    assert (generated.text, generated.finish) == ("Two tides a day.", Finish.STOP)
    assert "".join(script.pieces) == "Two tides a day."
    assert len(generated.tokens) == 16


@pytest.mark.fault("F47")
def test_the_hard_cap_ends_it() -> None:
    generated = Script("abcdefghij").run(replace(LIMITS, max_output_tokens=4))
    assert (generated.text, generated.finish) == ("abcd", Finish.LENGTH)


@pytest.mark.parametrize(
    ("limits", "n_wanted"),
    [
        (LIMITS, 1),
        (replace(LIMITS, temperature=0.7), 64),
        (replace(LIMITS, grammar=Choice((Text("ab"), Text("cd")))), 64),
    ],
)
def test_one_token_is_asked_for_where_none_is_chosen_among(limits: Limits, n_wanted: int) -> None:
    script = Script("ab")
    script.run(limits)
    assert script.n_wanted == {n_wanted}


def test_a_stop_is_not_shown_not_even_its_beginning() -> None:
    script = Script("Yes.\nQuestion: and now?")
    generated = script.run(replace(LIMITS, stops=("\nQuestion:",)))
    assert (generated.text, generated.finish) == ("Yes.", Finish.STOP)
    assert "".join(script.pieces) == "Yes."


def test_what_only_looked_like_a_stop_is_shown_in_the_end() -> None:
    script = Script("A\nQuest")
    assert script.run(replace(LIMITS, stops=("\nQuestion:",))).text == "A\nQuest"
    assert "".join(script.pieces) == "A\nQuest"


@pytest.mark.fault("F47")
def test_a_loop_is_cut_to_its_first_turn() -> None:
    generated = Script("Well! " + "It is so. " * 40).run(replace(LIMITS, max_output_tokens=400))
    assert generated.finish is Finish.LENGTH
    assert generated.text == "Well! It is so."
    assert len(generated.tokens) < 60


@pytest.mark.fault("F47")
def test_thoughts_are_left_out() -> None:
    script = Script("<think>\nHm, 12?\n</think>\n\nTwelve.")
    assert script.run().text == "Twelve."
    assert "".join(script.pieces) == "Twelve."


def test_thoughts_whose_first_mark_the_template_wrote_are_left_out_in_the_end() -> None:
    assert Script("so it is\n</think>\nTwelve.").run().text == "Twelve."


def test_half_a_character_is_never_shown() -> None:
    script = Script("Café 🙂!")
    script.run()
    assert "".join(script.pieces) == "Café 🙂!"
    assert not any("\ufffd" in piece for piece in script.pieces)


@pytest.mark.parametrize(
    ("wants", "grammar", "written"),
    [
        ("no", Choice((Text("yes"), Text("no"))), "no"),
        ("nonsense", Choice((Text("yes"), Text("no"))), "no"),
        ("yell", Choice((Text("yes"), Text("no"))), "yes"),
        ('"tide"', json_string(10), '"tide"'),
    ],
)
def test_a_grammar_is_kept_whatever_the_model_wants(wants: str, grammar: Grammar, written: str) -> None:
    generated = Script(wants).run(replace(LIMITS, grammar=grammar))
    assert (generated.text, generated.finish) == (written, Finish.STOP)


@given(st.text(max_size=30))
def test_what_a_grammar_lets_through_is_a_sentence_of_it(wants: str) -> None:
    parts = (
        Text('{"tool": "'),
        Choice((Text("find"), Text("add"))),
        Text('", "q": '),
        json_string(8),
        Text("}"),
    )
    generated = Script(wants).run(replace(LIMITS, grammar=Sequence_(parts), max_output_tokens=80))
    matcher = Matcher(Sequence_(parts)).advance(generated.text)
    assert matcher is not None
    assert matcher.is_complete or generated.finish is Finish.LENGTH


def test_a_prompt_is_fed_in_pieces_and_its_known_beginning_is_not() -> None:
    prompt = [i % 250 for i in range(300)]
    cold = Script("x", prompt)
    cold.run(replace(LIMITS, first_token_alone=True))
    assert cold.fed[:4] == [(0, 1), (1, 128), (129, 128), (257, 43)]
    warm = Script("x", prompt)
    warm.run(replace(LIMITS, first_token_alone=True), cached=[*prompt[:290], 7, 7])
    assert warm.fed[0] == (290, 10)
    same = Script("x", prompt)
    same.run(cached=prompt)
    assert same.fed[0] == (299, 1)


def test_a_copied_sentence_takes_few_calls() -> None:
    source = "The tidal range in the Bay of Fundy is 16 metres."
    script = Script("It says: The tidal range in the Bay of Fundy is 16 metres.", source.encode())
    generated = script.run(replace(LIMITS, max_output_tokens=90, max_draft_tokens=7))
    assert generated.text == "It says: The tidal range in the Bay of Fundy is 16 metres."
    assert "".join(script.pieces) == generated.text
    assert len(script.fed) < len(generated.tokens) // 2


@given(st.text("ab ", max_size=60), st.text("ab .", max_size=60), st.integers(1, 70), st.integers(1, 9))
def test_drafts_change_nothing_but_the_calls(source: str, text: str, limit: int, n_draft: int) -> None:
    plain = Script(text, [1, *source.encode()])
    drafted = Script(text, [1, *source.encode()])
    limits = replace(LIMITS, max_output_tokens=limit, stops=("b.",))
    assert plain.run(limits) == drafted.run(replace(limits, max_draft_tokens=n_draft))
    assert "".join(plain.pieces) == "".join(drafted.pieces)
    assert len(drafted.fed) <= len(plain.fed)
    assert max(past + n for past, n in drafted.fed) <= 1 + len(source) + limit


def test_nothing_is_drafted_under_a_grammar_or_by_chance() -> None:
    for change in ({"grammar": Choice((Text("yes yes yes yes"),))}, {"temperature": 0.7}):
        script = Script("yes yes yes yes", b"yes yes yes yes")
        script.run(replace(LIMITS, max_draft_tokens=7, **change))
        assert {n for _, n in script.fed[1:]} == {1}


def test_a_draft_is_what_followed_last_time() -> None:
    drafter = Drafter([1, 2, 3, 9, 9, 1, 2, 3, 7, 8, 1, 2, 3])
    assert drafter.draft(2) == (7, 8)
    assert drafter.draft(0) == ()
    drafter.append(5)
    assert drafter.draft(7) == ()
    assert Drafter([1]).draft(7) == ()


def test_a_draft_counts_as_far_as_the_model_agrees() -> None:
    assert agreed((4, 5, 6), (4, 5, 9, 1)) == [4, 5, 9]
    assert agreed((4,), (4, 8)) == [4, 8]
    assert agreed((4, 5), (3, 5, 6)) == [3]


@given(st.lists(st.integers(0, 3), max_size=8), st.lists(st.integers(0, 3), min_size=1, max_size=8))
def test_what_is_shared_is_equal_and_leaves_one_to_compute(cached: list[int], tokens: list[int]) -> None:
    n = n_shared(cached, tokens)
    assert n < len(tokens)
    assert cached[:n] == tokens[:n]
    assert n == len(tokens) - 1 or n == len(cached) or cached[n] != tokens[n]


@given(st.integers(1, 700), st.integers(0, 699), st.booleans())
def test_pieces_are_the_prompt_in_order(n: int, past: int, first_alone: bool) -> None:
    tokens = list(range(n))
    pieces = prefill(tokens, min(past, n - 1), first_alone=first_alone)
    assert [token for piece in pieces for token in piece.tokens] == tokens[min(past, n - 1) :]
    assert all(piece.past == piece.tokens[0] for piece in pieces)
    assert all(len(piece.tokens) <= PREFILL_TOKENS for piece in pieces)


def test_likeliest_tokens_come_in_order_equal_ones_by_number() -> None:
    logits = np.array([0.5, 2.0, 2.0, -1.0, 7.0], np.float32)
    assert top_tokens(logits, 3).tokens.tolist() == [4, 1, 2]
    assert top_tokens(logits, 9, np.array([3, 0], np.int32)).tokens.tolist() == [0, 3]


def test_chance_follows_the_probabilities_within_the_nucleus() -> None:
    top = TopTokens(np.array([5, 6, 7], np.int32), np.log(np.array([0.6, 0.38, 0.02], np.float32)))
    chance = random.Random(3)
    drawn = [choose(top, (0, 1, 2), temperature=1.0, chance=chance) for _ in range(4_000)]
    assert 7 not in drawn
    assert drawn.count(5) / len(drawn) == pytest.approx(0.6 / 0.98, abs=0.03)


def test_without_temperature_the_best_is_chosen() -> None:
    top = TopTokens(np.array([5, 6], np.int32), np.array([1.0, 0.9], np.float32))
    assert choose(top, (0, 1), temperature=0.0, chance=random.Random()) == 5
    assert choose(top, (1,), temperature=2.0, chance=random.Random()) == 6


@pytest.mark.parametrize(
    ("tokens", "period"),
    [
        ([1, 2, 3] * 8, 3),
        ([1, 2, 3] * 7, 0),
        ([9, 9, *([4] * 24)], 1),
        (list(range(10)) * 3, 10),
        (list(range(10)) * 2, 0),
        ([], 0),
    ],
)
def test_loops_by_their_period(tokens: list[int], period: int) -> None:
    assert loop_period(tokens) == period


def test_the_first_turn_of_a_loop_stays() -> None:
    assert without_loop([7, *([1, 2, 3] * 9)], 3) == [7, 1, 2, 3]


@given(st.text("abc<think>/\n", max_size=40))
def test_what_was_shown_is_how_the_text_begins(text: str) -> None:
    guard = TextGuard(("bc",))
    shown = "".join(guard.grow(text[: i + 1]) for i in range(len(text)))
    shown += guard.finish(text)
    assert "bc" not in guard.text
    assert shown.startswith(guard.text) or "</think>" in text


CONTROL_TEXT = st.text("<|im_endstar>", max_size=30)


@given(st.lists(st.one_of(CONTROL_TEXT, st.sampled_from(CONTROL)), max_size=6))
def test_no_control_token_is_left_in_what_others_wrote(parts: list[str]) -> None:
    disarmed = disarm("".join(parts), CONTROL)
    assert not any(token in disarmed for token in CONTROL)
    assert disarmed.replace(" ", "") == "".join(parts)


def test_chatml_begins_with_a_system_turn_and_ends_where_the_model_goes_on() -> None:
    prompt = Prompt((Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Why?")), 5)
    assert render_chatml(prompt) == (
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n"
    )
    assert render_chatml(Prompt((Message(Role.USER, "Why?"),), 5)).startswith("<|im_start|>system\n")


@pytest.mark.native
def test_tokens_have_the_texts_that_decoding_gives_them() -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(json.dumps(tokenizer_json()))
    for token in range(128):
        assert VOCABULARY.text(token) == tokenizer.decode([token])
    assert [VOCABULARY.text(token) for token in (0xC3, 256, END)] == ["", "", ""]


def test_log_probabilities_are_those_of_the_softmax() -> None:
    logits = np.array([[0.0, math.log(3.0)], [1000.0, 0.0]], np.float32)
    np.testing.assert_allclose(log_probabilities(logits, [1, 0]), [math.log(0.75), 0.0], atol=1e-6)


def test_gain_is_the_mean_above_the_prior() -> None:
    rows = [np.array([-1.0, -2.0], np.float32), np.array([-4.0, -4.0], np.float32)]
    np.testing.assert_allclose(relevance.gains(rows, np.array([-3.0, -3.0], np.float32)), [1.5, -1.0])
