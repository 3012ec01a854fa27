"""Questions: answers with their citations, searching, and showing a passage."""

from tabwise.protocol.tables.threads import KEPT, NOT_KEPT
from tabwise.protocol.tables.words import FUSION_MODES, STAGES, VERDICTS

PLANS = ("answer", "read", "compare")
DROP_REASONS = ("outside_window", "no_room", "after_full", "never_leaves", "too_long")
ANSWER_NOTICES = ("instructions", "marks_removed", "sentences_left_out", "prompt_cut", "stopped_early")

RECORDS: dict = {
    # a span of a saved page; offsets in code points of the page text
    "Citation": {
        "number": "int",
        "source": "str",
        "url": "str",
        "title": "str",
        "chunk_id": "str",
        "start": "int",
        "end": "int",
        "quote": "str",
        "before": "str",
        "after": "str",
        "page_number": ("optional", "int"),  # of a document with pages, from 1
        "seconds": ("optional", "int"),  # when it is said, of a line of a transcript
        "link": ("optional", "str"),  # where an entry of a list leads: absolute, http or https
    },
    "Sentence": {
        "text": "str",
        "citations": ("list", "int"),  # numbers of Citation
        "verdict": ("enum",) + VERDICTS,
        "reasons": ("list", "str"),
    },
    "Hit": {
        "chunk_id": "str",
        "source": "str",
        "url": "str",
        "title": "str",
        "heading_path": ("list", "str"),
        "text": "str",
        "start": "int",
        "end": "int",
        "score": "float",
        "dense": ("optional", "float"),
        "lexical": "float",
        "rank_dense": ("optional", "int"),
        "rank_lexical": ("optional", "int"),
        "rank_fused": ("optional", "int"),  # before hits were spread over pages
        "word_order": "float",  # part of the score: phrases of the query and nearness of its words
        "recency": "float",  # part of the score: how new the page is, when that was asked for
    },
    # a page that find as you type came up with; offsets in code points of the page text
    "FoundPage": {
        "source": "str",
        "url": "str",
        "title": "str",
        "by_meaning": "bool",  # it has no word of the text
        "excerpt": "str",  # "" when only title or address matched
        "start": "int",
        "end": "int",
    },
    # which pages to search; empty or 0 is no limit, times of capture in ms since the epoch
    "Filter": {
        "sites": ("list", "str"),  # hosts, with the hosts below them
        "after": "float",
        "before": "float",
        "prefer_recent": "bool",
    },
    "Timing": {"stage": ("enum",) + STAGES, "ms": "float"},
    # an earlier question of the conversation, the text of its answer and the pages that one is from
    "Turn": {"question": "str", "answer": "str", "sources": ("list", "str")},
    # how a question was understood; topics: what is compared, one query each
    "Plan": {
        "kind": ("enum",) + PLANS,
        "question": "str",  # standing alone
        "queries": ("list", "str"),
        "topics": ("list", "str"),
        "language": "str",  # BCP 47
        "is_follow_up": "bool",
        "by_model": "bool",  # not by the rules
    },
    # a passage that was really in the prompt, or read; offsets in code points of the page text
    "Given": {
        "number": "int",  # in the prompt; citations are numbered anew
        "source": "str",
        "url": "str",
        "title": "str",
        "start": "int",
        "end": "int",
        "n_tokens": "int",
    },
    # what was left out of the prompt; source "" for a turn of the conversation
    "Dropped": {
        "kind": ("enum", "turn", "source", "section"),
        "name": "str",
        "source": "str",
        "n_tokens": "int",  # 0 where it was not counted
        "reason": ("enum",) + DROP_REASONS,
    },
    # instructions: a passage has text (`text`) that looks like instructions to a machine, at `citation` when
    # it is cited; marks_removed: the numbers the model made up; sentences_left_out: how many, by strict mode;
    # prompt_cut: tokens read / tokens sent; stopped_early: "" for a loop or limit, else an error code
    "AnswerNotice": {
        "kind": ("enum",) + ANSWER_NOTICES,
        "text": "str",
        "source": "str",
        "citation": ("optional", "int"),
    },
    # why the chosen engine did not answer: an error code, reply_empty, reply_declined (it said that the
    # sources do not answer), reply_unsupported (they bear nothing of it out), model_too_small (to summarise)
    "Fallback": {"code": "str", "subject": "str"},
    "AgreementRow": {"topic": "str", "cells": ("list", ("optional", "Sentence"))},
    # topics by pages, a cell each; cells cite like sentences
    "Agreement": {
        "sources": ("list", {"source": "str", "url": "str", "title": "str"}),
        "rows": ("list", "AgreementRow"),
    },
    "Answer": {
        "id": "str",  # names its receipt
        "question": "str",
        "plan": "Plan",
        "found": "bool",
        "engine": "str",  # what wrote it: "extractive", or the id of a language model
        "engine_label": "str",
        "semantic": "bool",  # false while the embedder is not there: lexical search only
        "sentences": ("list", "Sentence"),
        "citations": ("list", "Citation"),
        "hits": ("list", "Hit"),
        "timings": ("list", "Timing"),
        "store": ("enum", "local", "qdrant"),  # who searched
        "why_local": "str",  # why not the vector store that was set up: an error code, mirror_behind; else ""
        "missing": ("list", "str"),  # parts of the question for which nothing was found
        "fallback": ("optional", "Fallback"),
        "given": ("list", "Given"),
        "dropped": ("list", "Dropped"),
        "notices": ("list", "AnswerNotice"),
        "agreement": ("optional", "Agreement"),
    },
    # one page of `ask_each`: whether it has something on the question, and if so its own answer
    "PageAnswer": {
        "source": "str",
        "url": "str",
        "title": "str",
        "relevant": "bool",
        "score": "float",  # of its best passage, 0 for none
        "answer": ("optional", "Answer"),
    },
}

REQUESTS: dict = {
    "ask": {
        "question": "str",
        "sources": ("list", "str"),  # canonical URLs, empty means all
        "filter": "Filter",
        "k": "int",  # passages to answer from
        "mode": ("enum",) + FUSION_MODES,
        "history": ("list", "Turn"),  # of the conversation, oldest first
        "style": ("enum", "auto", "answer", "read"),  # auto: the question decides
        "engine": "str",  # "" for the one of the settings
        "strict": ("optional", "bool"),  # null for the choice of the settings
    },
    # the same question to every page in scope, one by one
    "ask_each": {
        "question": "str",
        "sources": ("list", "str"),
        "filter": "Filter",
        "mode": ("enum",) + FUSION_MODES,
        "history": ("list", "Turn"),  # as for `ask`
        "engine": "str",
        "strict": ("optional", "bool"),
    },
    "search": {
        "query": "str",
        "sources": ("list", "str"),
        "filter": "Filter",
        "k": "int",
        "mode": ("enum",) + FUSION_MODES,
    },
    # pages for a text that is being typed: `found` comes at once, the result adds those near in meaning
    "find": {"text": "str", "k": "int"},
    # `others`: more citations of the same page, to be marked beside it
    "show": {"citation": "Citation", "others": ("list", "Citation")},
}

# fields that `encode_request` writes when the sender leaves them out; on the wire all are there
NO_FILTER: dict = {"sites": [], "after": 0, "before": 0, "prefer_recent": False}
DEFAULTS: dict = {
    "ask": {
        "filter": NO_FILTER,
        "k": 8,
        "mode": "convex",
        "history": [],
        "style": "auto",
        "engine": "",
        "strict": None,
    },
    "ask_each": {"filter": NO_FILTER, "mode": "convex", "history": [], "engine": "", "strict": None},
    "search": {"filter": NO_FILTER},
    "show": {"others": []},
}
for _kept in ("ask", "ask_each"):
    REQUESTS[_kept].update(KEPT)
    DEFAULTS[_kept].update(NOT_KEPT)

RESULTS: dict = {
    "ask": "Answer",
    "ask_each": ("list", "PageAnswer"),
    "search": ("list", "Hit"),
    "find": ("list", "FoundPage"),
    "show": {"found": "bool", "tab_id": "int"},
}

EVENTS: dict = {
    "page_answer": {"page": "PageAnswer"},  # of `ask_each`, in the order of the result
    "found": {"pages": ("list", "FoundPage")},
    "sentence": {"index": "int", "sentence": "Sentence", "citations": ("list", "Citation")},
}
