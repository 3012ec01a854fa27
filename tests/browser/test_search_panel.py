"""Searching in the real extension: find as you type, dates, ways of searching, vectors of another model."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from harness.browser import ExtensionBrowser, launched

pytestmark = [pytest.mark.native, pytest.mark.browser]

ADD_TIMEOUT_MS = 180_000
ANSWER_TIMEOUT_MS = 120_000
QUESTION = "How large is the tidal range in the Bay of Fundy?"


def add_pages(browser: ExtensionBrowser, site: str) -> Page:
    """The panel in a tab of its own, with both pages added."""
    for name in ("bread", "tides"):
        browser.open_tab(f"{site}/pages/ask/{name}.html")
    panel = browser.open_tab("panel.html")
    panel.locator("[data-test=view-pages]").click()
    panel.locator("[data-test=add-all]").click()
    added = panel.locator("[data-test=tab-row][data-state=added]")
    expect(added).to_have_count(2, timeout=ADD_TIMEOUT_MS)
    expect(panel.locator("[data-test=progress]")).to_have_count(0, timeout=ADD_TIMEOUT_MS)
    return panel


def ask(panel: Page, question: str) -> str:
    """Ask and return the text of the answer."""
    panel.locator("[data-test=view-chat]").click()
    answers = panel.locator("[data-test=answer]")
    n_before = answers.count()
    panel.locator("[data-test=question]").fill(question)
    panel.keyboard.press("Enter")
    expect(answers).to_have_count(n_before + 1)
    expect(answers.last).to_have_attribute("data-state", "done", timeout=ANSWER_TIMEOUT_MS)
    return answers.last.inner_text()


@pytest.fixture(scope="module")
def panel(browser: ExtensionBrowser, site: str) -> Page:
    return add_pages(browser, site)


def test_words_are_found_while_they_are_typed(panel: Page) -> None:
    panel.locator("[data-test=view-pages]").click()
    box = panel.locator("[data-test=filter]")
    box.press_sequentially("annapo", delay=30)
    row = panel.locator("[data-test=found-row]").first
    expect(row.locator("mark")).to_have_text("Annapolis")
    expect(row).to_contain_text("Tides of the Bay of Fundy")
    box.fill("sourdough loaf")
    expect(row).to_contain_text("Sourdough bread")
    expect(row.locator("mark").first).to_be_visible()
    box.fill("")
    expect(panel.locator("[data-test=found-row]")).to_have_count(0)


def test_a_page_without_the_words_is_found_by_meaning(panel: Page) -> None:
    panel.locator("[data-test=view-pages]").click()
    panel.locator("[data-test=filter]").fill("oceanography")
    near = panel.locator("[data-test=found-row]").filter(has_text="by meaning").first
    expect(near).to_contain_text("Tides of the Bay of Fundy", timeout=ANSWER_TIMEOUT_MS)
    panel.locator("[data-test=filter]").fill("")


def test_enter_goes_to_the_passage(panel: Page, browser: ExtensionBrowser) -> None:
    panel.locator("[data-test=view-pages]").click()
    panel.locator("[data-test=filter]").fill("quarter moons")
    expect(panel.locator("[data-test=found-row] mark").first).to_be_visible()
    panel.keyboard.press("Enter")
    tides = next(page for page in browser.context.pages if page.url.endswith("tides.html"))
    lit = "() => [...CSS.highlights.values()].flatMap((marks) => [...marks]).join(' ')"
    tides.wait_for_function(f"() => ({lit})().includes('quarter moons')")
    panel.bring_to_front()
    panel.locator("[data-test=filter]").fill("")


def test_dates_change_an_answer_until_their_chip_is_taken_away(panel: Page) -> None:
    panel.locator("[data-test=view-chat]").click()
    panel.locator("[data-test=narrow]").click()
    panel.locator("[data-test=span--1]").check(force=True)
    panel.locator("[data-test=date-to]").fill("2001-01-01")
    expect(panel.locator("[data-test=kept]")).to_have_text("to 1 Jan 2001")
    assert "16.3 metres" not in ask(panel, QUESTION)
    panel.locator("[data-test=drop]").click()
    expect(panel.locator("[data-test=kept]")).to_have_count(0)
    answer = ask(panel, QUESTION)
    assert "16.3 metres" in answer


def rankings(panel: Page) -> dict[str, list[str]]:
    """The scores of the last answer's search as its receipt shows them, by heading of the list."""
    last = panel.locator("[data-test=answer]").last
    last.locator("[data-test=how-open]").click()
    lists = last.locator("[data-test=receipt] [data-test=search] .ranking")
    expect(lists.first).to_be_visible(timeout=ANSWER_TIMEOUT_MS)
    return {
        one.locator("h4").inner_text(): one.locator(".hit-number").all_inner_texts() for one in lists.all()
    }


def test_an_answer_shows_both_rankings_behind_it(panel: Page) -> None:
    ask(panel, QUESTION)
    assert len([scores for scores in rankings(panel).values() if scores]) == 3


def test_the_way_of_searching_changes_what_is_considered(panel: Page, browser: ExtensionBrowser) -> None:
    settings = browser.open_tab("settings.html")
    together = {}
    for mode in ("lexical", "dense"):
        settings.bring_to_front()
        settings.locator(f"[data-test=mode-{mode}]").check()
        panel.bring_to_front()
        ask(panel, QUESTION)
        together[mode] = list(rankings(panel).values())[-1]
    settings.bring_to_front()
    settings.locator("[data-test=mode-convex]").check()
    settings.close()
    panel.bring_to_front()
    # scores of different searches are numbers of different kinds
    assert together["lexical"]
    assert together["dense"]
    assert together["lexical"] != together["dense"]


def test_ones_own_pages_can_be_measured(panel: Page, browser: ExtensionBrowser) -> None:
    settings = browser.open_tab("settings.html")
    settings.locator("[data-test=measure]").click()
    rows = settings.locator("[data-test=measured] tbody tr")
    expect(rows).to_have_count(4, timeout=ANSWER_TIMEOUT_MS)
    assert "384" in settings.locator("dl[data-test=model]").inner_text()
    settings.close()
    panel.bring_to_front()


def with_another_model(extension: Path, folder: Path) -> Path:
    """A copy of the extension whose embedder goes by another name."""
    shutil.copytree(extension, folder)
    path = folder / "models" / "minilm" / "model.json"
    described = json.loads(path.read_text("utf-8")) | {"id": "another-model"}
    path.write_text(json.dumps(described), "utf-8")
    return folder


@pytest.fixture
def other_model(extension: Path, site: str, tmp_path: Path) -> Iterator[Page]:
    """The panel of a library whose vectors are of another model, in the place of the same extension."""
    place = tmp_path / "extension"
    shutil.copytree(extension, place)
    with launched(place, tmp_path / "profile") as browser:
        browser.allow_site("127.0.0.1")
        add_pages(browser, site)
    shutil.rmtree(place)
    with_another_model(extension, place)
    with launched(place, tmp_path / "profile") as browser:
        yield browser.open_tab("panel.html")


def test_vectors_of_another_model_are_made_again_when_the_reader_says_so(other_model: Page) -> None:
    offer = other_model.locator("[data-test=offer]")
    expect(offer).to_be_visible(timeout=ADD_TIMEOUT_MS)
    assert "16.3 metres" in ask(other_model, QUESTION)
    expect(other_model.locator("[data-test=answer]").last).to_contain_text("Word search only")
    other_model.locator("[data-test=reembed]").click()
    expect(offer).to_have_count(0)
    expect(other_model.locator("[data-test=task-reembed]")).to_have_count(0, timeout=ADD_TIMEOUT_MS)
    assert "Word search only" not in ask(other_model, QUESTION)


STATES = 16
VOCABULARY = ("[UNK]", "<s>", "</s>", "tide", "tidal", "range", "moon", "bread", "loaf", "flour")


def write_model(folder: Path) -> list[Path]:
    """A model of a few words, each with a direction of its own; its tokenizer cuts, which must not hold."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    table = np.eye(len(VOCABULARY), STATES, dtype=np.float32)
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "length"]) for name in names]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["n", "length", STATES])
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    graph = helper.make_graph(nodes, "states", inputs, [output], [numpy_helper.from_array(table, "table")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    ids = {word: number for number, word in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordLevel(ids, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    tokenizer.enable_truncation(4)
    tokenizer.save(str(folder / "tokenizer.json"))
    described = {
        "id": "ten-words",
        "dimensions": STATES,
        "max_tokens": 64,
        "pooling": "mean",
        "query_prefix": "",
        "licence": "MIT",
    }
    (folder / "model.json").write_text(json.dumps(described), "utf-8")
    return [folder / name for name in ("model.json", "tokenizer.json", "model.onnx")]


def test_a_model_of_ones_own_is_used_and_given_up_again(extension: Path, site: str, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    files = write_model(tmp_path / "model")
    with launched(extension, tmp_path / "profile") as browser:
        browser.allow_site("127.0.0.1")
        add_pages(browser, site)
        settings = browser.open_tab("settings.html")
        model = settings.locator("dl[data-test=model]")
        expect(model).to_contain_text("384", timeout=ADD_TIMEOUT_MS)
        settings.locator("#embedder-files").set_input_files(files)
        expect(model).to_contain_text("ten-words", timeout=ADD_TIMEOUT_MS)
        settings.locator("[data-test=reembed]").click(timeout=ADD_TIMEOUT_MS)
        expect(settings.locator("[data-test=offer]")).to_have_count(0)
        expect(settings.locator("[data-test=task-reembed]")).to_have_count(0, timeout=ADD_TIMEOUT_MS)
        panel = browser.open_tab("panel.html")
        assert "Word search only" not in ask(panel, QUESTION)
        settings.bring_to_front()
        settings.locator("#embedder-files").set_input_files([files[0], files[1]])
        expect(settings.locator("[data-test=error]")).to_contain_text("model.onnx", timeout=ADD_TIMEOUT_MS)
        expect(model).to_contain_text("ten-words")
        settings.locator("[data-test=embedder-back]").click()
        expect(model).to_contain_text("384", timeout=ADD_TIMEOUT_MS)
        expect(settings.locator("[data-test=offer]")).to_be_visible(timeout=ADD_TIMEOUT_MS)
