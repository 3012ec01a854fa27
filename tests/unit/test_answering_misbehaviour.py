"""Small models and services that misbehave: whatever they do, an answer from the pages comes."""

import asyncio
import itertools
import json
from collections.abc import Callable

import pytest

from asking import GOOD, RANGE, Run, ask, kinds, verdicts
from desk import Desk
from fakes import BreaksOff, Reply, ScriptedModel, capture_of
from tabwise.core.chat import Completion, Finish, Prompt
from tabwise.errors import HostError, ModelError, ProviderError


@pytest.mark.parametrize(
    "leak",
    [
        f"<think>The user asks about tides.</think>{GOOD}",
        f"The user asks about tides.</think>\n{GOOD}",
        f"{GOOD}<|im_end|>\n<|im_start|>user\nAnd now?",
        f"{GOOD}\nQuestion: What is bread?",
    ],
)
def test_reasoning_and_template_tokens_are_not_shown(run: Run, leak: str) -> None:
    answer, _, _ = ask(run, leak)
    assert [sentence["text"] for sentence in answer["sentences"]] == [GOOD.replace(" [1]", "")]


@pytest.mark.fault("F47")
def test_a_loop_is_stopped_and_what_was_said_before_is_kept(run: Run) -> None:
    answer, model, _ = ask(run, f"{GOOD} " + "It rises and falls and rises again. " * 200)
    assert answer["sentences"][0]["verdict"] == "supported"
    assert len(answer["sentences"]) <= 2
    assert kinds(answer) == ["stopped_early"]
    assert len(json.dumps(answer)) < 20_000
    assert len(model.prompts) == 1


def test_an_answer_that_was_cut_at_the_limit_ends_with_a_whole_sentence(run: Run) -> None:
    cut = Completion(f"{GOOD} Spring tides occur around the", Finish.LENGTH)
    answer, _, _ = ask(run, cut)
    assert [sentence["text"] for sentence in answer["sentences"]] == [GOOD.replace(" [1]", "")]
    assert kinds(answer) == ["stopped_early"]


@pytest.mark.fault("F53")
def test_a_prompt_that_a_service_cut_without_a_word_is_noticed(run: Run) -> None:
    answer, model, _ = ask(run, Completion(GOOD, Finish.STOP, n_prompt_tokens=100, n_output_tokens=20))
    (notice,) = answer["notices"]
    n_counted = sum(model.count(message.text) + 8 for message in model.prompts[0].messages)
    assert (notice["kind"], notice["text"]) == ("prompt_cut", f"100/{n_counted}")


@pytest.mark.fault("F53")
def test_a_service_that_counts_as_we_do_is_not_suspected(run: Run) -> None:
    assert ask(run, GOOD)[0]["notices"] == []


@pytest.mark.fault("F50")
def test_what_was_checked_before_a_stream_broke_off_is_kept(run: Run) -> None:
    broken = BreaksOff(GOOD + " Spring tides occ", ProviderError("network_lost"))
    answer, _, _ = ask(run, broken)
    assert verdicts(answer) == ["supported"]
    assert answer["notices"][0]["text"] == "network_lost"
    assert answer["fallback"] is None


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (ProviderError("network_refused", subject="https://api.example"), "network_refused"),
        (ProviderError("egress_refused", subject="https://api.example"), "egress_refused"),
        (ModelError("model_unavailable"), "model_unavailable"),
        (HostError("host_failed"), "host_failed"),
        (BreaksOff("The lar", ProviderError("network_lost")), "network_lost"),
        ("", "reply_empty"),
        ("<think>for ever and ever", "reply_empty"),
        ("NOT IN THE SOURCES", "reply_declined"),
        ("Bread is baked by the moon on Mondays.", "reply_unsupported"),
    ],
)
@pytest.mark.fault("F60")
def test_whatever_a_model_does_sentences_of_the_pages_answer(run: Run, reply: Reply, code: str) -> None:
    answer, _, _ = ask(run, reply)
    assert answer["fallback"]["code"] == code
    assert answer["engine"] == "extractive"
    assert "16.3 metres" in answer["sentences"][0]["text"]
    assert set(verdicts(answer)) == {"supported"}


@pytest.mark.parametrize("reply", ["", "NOT IN THE SOURCES", "Bread is baked by the moon on Mondays."])
def test_what_a_model_was_given_is_told_though_its_reply_was_of_no_use(run: Run, reply: str) -> None:
    answer, model, _ = ask(run, reply)
    assert answer["fallback"]
    prompt = model.prompts[0].messages[-1].text
    assert answer["given"]
    for one in answer["given"]:
        assert f"[{one['number']}] {one['title']}" in prompt


def test_what_never_reached_a_model_was_not_given(run: Run) -> None:
    answer, _, _ = ask(run, ProviderError("network_refused", subject="https://api.example"))
    assert (answer["given"], answer["dropped"]) == ([], [])


def test_a_model_that_is_not_there_is_named(run: Run) -> None:
    answer, _, _ = ask(run, GOOD, engine="catalogue:gone")
    assert answer["fallback"]["code"] == "model_unavailable"
    assert answer["sentences"]


@pytest.mark.fault("F51")
def test_a_prompt_that_is_too_long_after_all_is_made_shorter(run: Run) -> None:
    long = capture_of(
        "https://long.example/",
        "Tidal range",
        *(
            f"The tidal range in the Bay of Fundy was measured {i} times in the year {1900 + i}." * 3
            for i in range(60)
        ),
    )
    answer, model, _ = ask(
        run,
        ModelError("prompt_too_long"),
        "The tidal range was measured in the Bay of Fundy.",
        tabs={1: long},
    )
    first, second = (sum(len(message.text) for message in prompt.messages) for prompt in model.prompts)
    assert second < first
    assert answer["engine"] == "provider:scripted"


def test_a_model_with_hardly_any_context_leaves_the_answer_to_the_pages(run: Run) -> None:
    answer, model, _ = ask(run, model=ScriptedModel(context_tokens=64))
    assert answer["fallback"]["code"] == "prompt_too_long"
    assert model.prompts == []
    assert answer["sentences"]


def test_stopping_a_question_stops_the_model_at_once(run: Run) -> None:
    class Endless(ScriptedModel):
        """A model that writes for ever and notes when it is stopped."""

        is_stopped = False

        async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
            try:
                for number in itertools.count():
                    on_text(f"The tide number {number} rises in the bay of the sea [1]. ")
                    await asyncio.sleep(0)
            finally:
                self.is_stopped = True
            raise AssertionError

    model = Endless()

    async def scenario(desk: Desk) -> None:
        desk.models.models["provider:scripted"] = model
        await desk.add(1)
        request = desk.send("ask", question=RANGE, sources=[], engine="provider:scripted")
        while not any(event["type"] == "sentence" for event in desk.events):
            await asyncio.sleep(0)
        desk.send("cancel", target=request)
        await desk.service.settle()
        assert desk.end_of(request)["type"] == "cancelled"
        assert model.is_stopped

    run(scenario)
