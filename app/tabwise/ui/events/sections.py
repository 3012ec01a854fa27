"""The list of sections beside the settings: each of its lines leads to one."""


def go(state: dict, event: dict) -> tuple:
    """Bring a section into sight; the focus goes with it, so that the next key is pressed there."""
    return state, [("scroll", event["section"]), ("focus", event["section"])]


TABLE = {"to_section": go}
