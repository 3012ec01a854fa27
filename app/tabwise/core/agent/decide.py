"""The agent's loop without its surroundings: what was observed goes in, what is to be done comes out.

    begin                     → AskModel; a run with calls to begin with: UseTools, until they are made
    Replied with calls        → UseTools: those that are sound; the others are refused, with the reason
    Replied with an answer    → Conclude, unless nothing was looked at: then once AskModel again
    Replied with nothing      → AskModel again, once
    Returned                  → AskModel; at a limit for the answer alone, without tools
    Failed, or a limit passed → GiveUp

Nothing that a model wrote is trusted: a call must name a tool of the run and fit its schema, and the same
call is done once. The runner in the engine acts, and tells how long the run has taken.
"""

import json
from collections.abc import Sequence
from dataclasses import replace

from tabwise.core.agent import prompts
from tabwise.core.agent.arguments import BadArguments, read_arguments
from tabwise.core.agent.fitting import fit
from tabwise.core.agent.lenient_json import Unreadable, read
from tabwise.core.agent.state import (
    FILTERED,
    REPEATING,
    SILENT,
    STEPS_UP,
    TIME_UP,
    UNREAD,
    AgentState,
    AskModel,
    Conclude,
    Dialect,
    Failed,
    GiveUp,
    Observation,
    Refusal,
    Replied,
    Returned,
    Setup,
    ToolResult,
    ToolUse,
    Turn,
    UseTools,
)
from tabwise.core.agent.stated import stated_calculation
from tabwise.core.agent.text_protocol import parse, render_call, reply_grammar
from tabwise.core.agent.tools import CALCULATOR, MAX_QUERY_CHARS, SEARCH_PAGES, TODO
from tabwise.core.answers.followup import Turn as PastTurn
from tabwise.core.answers.model_text import visible
from tabwise.core.chat import Completion, Finish, Message, Prompt, Role, ToolCall

CLOSING_SHARE = 0.8
"""Of the time: behind it the next reply must be the answer."""
CHARS_PER_TOKEN = 4
_MAY_REPEAT = frozenset({TODO.name})


def begin(setup: Setup, past: Sequence[PastTurn] = ()) -> Turn:
    """Return the first turn of a run; `past` is the conversation so far, oldest first."""
    state = AgentState(setup, prompts.opening(setup, past))
    if setup.calls_first:
        return _call_first(state)
    return _ask(_close_if_due(state, 0.0))


def decide(state: AgentState, observation: Observation) -> Turn:
    """Return the state after an observation and what is to be done now."""
    if isinstance(observation, Failed):
        return Turn(state, GiveUp(observation.reason))
    if isinstance(observation, Replied):
        return _on_reply(state, observation.completion, observation.elapsed_ms)
    return _on_results(state, observation)


def first_calls(question: str) -> tuple[ToolCall, ...]:
    """What is called for a small model before it is asked: a search, and what the question has calculated."""
    calls = [ToolCall("first-1", SEARCH_PAGES.name, json.dumps({"query": question[:MAX_QUERY_CHARS]}))]
    expression = stated_calculation(question)
    if expression:
        calls.append(ToolCall("first-2", CALCULATOR.name, json.dumps({"expression": expression})))
    return tuple(calls)


def _call_first(state: AgentState) -> Turn:
    call = state.setup.calls_first[state.n_first]
    return _use(replace(state, n_first=state.n_first + 1), [call], "")


def _on_reply(state: AgentState, completion: Completion, elapsed_ms: float) -> Turn:
    state = replace(state, n_steps=state.n_steps + 1)
    if completion.finish is Finish.FILTERED:
        return Turn(state, GiveUp(FILTERED))
    calls, answer = _read(state, completion)
    if calls and state.closing:
        return Turn(state, GiveUp(state.closing))
    if calls:
        return _use(state, calls, completion.text)
    if not answer:
        return _nudge(state, SILENT, "", elapsed_ms)
    if not state.has_looked:
        return _nudge(state, UNREAD, completion.text, elapsed_ms)
    return Turn(state, Conclude(answer, is_cut=completion.finish is Finish.LENGTH))


def _read(state: AgentState, completion: Completion) -> tuple[tuple[ToolCall, ...], str]:
    """The calls of a reply with an id each, or the text of its answer."""
    if state.setup.dialect is Dialect.NATIVE:
        calls, answer = completion.tool_calls, visible(completion.text, is_whole=True).strip()
    else:
        reply = parse(completion.text, state.setup.tools)
        calls, answer = (reply.call,) if reply.call else (), reply.answer
    used = {call.id for message in state.messages for call in message.tool_calls}
    own: list[ToolCall] = []
    for i, call in enumerate(calls):
        is_new = call.id != "" and call.id not in used
        own.append(call if is_new else replace(call, id=f"call-{state.n_steps}-{i + 1}"))
        used.add(own[-1].id)
    return tuple(own), answer


def _use(state: AgentState, calls: Sequence[ToolCall], text: str) -> Turn:
    uses: list[ToolUse] = []
    refusals: list[Refusal] = []
    done, n_repeats = set(state.done), state.n_repeats
    for i, call in enumerate(calls):
        checked = _checked(state, call, i)
        key = _key(checked)
        if key in done and call.name not in _MAY_REPEAT:
            n_repeats += 1
            checked = Refusal(call.id, call.name, call.arguments, prompts.REPEATED)
        done.add(key)
        if isinstance(checked, ToolUse):
            uses.append(checked)
        else:
            refusals.append(checked)
    state = replace(
        state,
        messages=(*state.messages, _called(state, calls, text)),
        has_looked=state.has_looked or bool(uses),
        n_repeats=n_repeats,
        done=frozenset(done),
        pending=tuple(calls),
        refusals=tuple(refusals),
    )
    return Turn(state, UseTools(tuple(uses), tuple(refusals)))


def _key(call: ToolUse | Refusal) -> str:
    """The same for calls that say the same."""
    if isinstance(call, Refusal):
        return f"{call.name} refused {call.arguments}"
    return f"{call.name} {json.dumps(call.arguments, sort_keys=True)}"


def _checked(state: AgentState, call: ToolCall, position: int) -> ToolUse | Refusal:
    """A call as it can be done, or why it cannot; `position` among the calls of its reply."""
    specs = {spec.name: spec for spec in state.setup.tools}
    limit = state.setup.limits.max_calls_per_step
    if position >= limit:
        reason = prompts.TOO_MANY_CALLS.format(n=limit)
    elif call.name not in specs:
        reason = prompts.UNKNOWN_TOOL.format(name=call.name[:60], names=", ".join(specs))
    else:
        try:
            return ToolUse(call.id, call.name, read_arguments(specs[call.name], call.arguments))
        except BadArguments as error:
            reason = f"{error}."
    return Refusal(call.id, call.name, call.arguments, reason)


def _called(state: AgentState, calls: Sequence[ToolCall], text: str) -> Message:
    """The model's own reply as it stands in the conversation; of a text, the call alone."""
    if state.setup.dialect is Dialect.NATIVE:
        return Message(Role.ASSISTANT, text, tuple(map(_sound, calls)))
    return Message(Role.ASSISTANT, render_call(calls[0].name, json.loads(calls[0].arguments)))


def _sound(call: ToolCall) -> ToolCall:
    """A call with arguments that are JSON: providers refuse a conversation with others."""
    try:
        arguments, _ = read(call.arguments.strip(), 0)
    except Unreadable:
        arguments = {}
    return replace(call, arguments=json.dumps(arguments if isinstance(arguments, dict) else {}))


def _on_results(state: AgentState, observation: Returned) -> Turn:
    by_id = {
        refusal.call_id: ToolResult(refusal.call_id, refusal.reason, False) for refusal in state.refusals
    }
    by_id |= {result.call_id: result for result in observation.results}
    results = [_result_message(state, call, by_id[call.id]) for call in state.pending]
    state = replace(state, messages=(*state.messages, *results), pending=(), refusals=())
    if state.n_first < len(state.setup.calls_first):
        return _call_first(state)
    return _ask_in_time(state, observation.elapsed_ms)


def _result_message(state: AgentState, call: ToolCall, result: ToolResult) -> Message:
    text = prompts.as_data(result.text, state.setup.key) if result.is_data else result.text
    if state.setup.dialect is Dialect.NATIVE:
        return Message(Role.TOOL, text, tool_call_id=call.id)
    return Message(Role.USER, f"Result of {call.name}:\n{text}", tool_call_id=call.id)


def _nudge(state: AgentState, reason: str, text: str, elapsed_ms: float) -> Turn:
    if reason in state.nudges or state.closing:
        return Turn(state, GiveUp(reason))
    said = (Message(Role.ASSISTANT, text),) if text else ()
    messages = (*state.messages, *said, prompts.nudge(reason))
    return _ask_in_time(replace(state, messages=messages, nudges=state.nudges | {reason}), elapsed_ms)


def _ask_in_time(state: AgentState, elapsed_ms: float) -> Turn:
    if elapsed_ms >= state.setup.limits.max_ms:
        return Turn(state, GiveUp(TIME_UP))
    return _ask(_close_if_due(state, elapsed_ms))


def _close_if_due(state: AgentState, elapsed_ms: float) -> AgentState:
    limits = state.setup.limits
    if elapsed_ms >= CLOSING_SHARE * limits.max_ms:
        reason = TIME_UP
    elif state.n_steps >= limits.max_steps - 1:
        reason = STEPS_UP
    elif state.n_repeats >= limits.max_repeats:
        reason = REPEATING
    else:
        return state
    return replace(state, closing=reason, messages=(*state.messages, prompts.closing(reason)))


def _ask(state: AgentState) -> Turn:
    return Turn(state, AskModel(_prompt(state)))


def _prompt(state: AgentState) -> Prompt:
    setup, limits = state.setup, state.setup.limits
    tools = () if state.closing else setup.tools
    is_native = setup.dialect is Dialect.NATIVE
    of_tools = sum(setup.count(json.dumps(spec.parameters) + spec.description) for spec in tools)
    messages = fit(
        state.messages,
        lambda message: message.tool_call_id != "",
        count=setup.count,
        room=setup.context_tokens - limits.max_output_tokens - (of_tools if is_native else 0),
        note=prompts.LEFT_OUT,
    )
    if is_native:
        return Prompt(messages, limits.max_output_tokens, tools)
    may_answer = bool(state.has_looked or state.closing)
    max_chars = CHARS_PER_TOKEN * limits.max_output_tokens if may_answer else 0
    grammar = reply_grammar(tools, max_answer_chars=max_chars)
    return Prompt(messages, limits.max_output_tokens, grammar=grammar)
