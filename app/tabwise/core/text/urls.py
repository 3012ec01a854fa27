"""One name for one page: the canonical form of its address.

Two tabs that show the same page must give the same source, so what does not choose the page is removed: the
fragment, the default port, tracking parameters. What may choose it stays as written: path, order of the other
parameters, the host's own letters.

A page may name its canonical address. It is believed only when it stays on the same host and does not fold a
whole site into its front page, a common mistake of templates.
"""

import re
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

from tabwise.core.model import SourceId
from tabwise.core.text.characters import collapse, repair_surrogates

_GIVEN_FILE = "file:"
_HASH_CHARS = 12
_DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}
_TRACKING_PREFIXES = ("utm_", "pk_", "piwik_", "mtm_", "matomo_", "hsa_", "vero_", "oly_")
_TRACKING_NAME_LIST = """
fbclid gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid msclkid yclid ymclid twclid ttclid igshid
igsh li_fat_id mc_cid mc_eid mkt_tok _hsenc _hsmi __hssc __hstc __hsfp hsctatracking s_cid srsltid epik
rdt_cid sc_cid ef_id wickedid _ga _gl at_medium at_campaign cmpid trk_contact ml_subscriber
ml_subscriber_hash
"""
_TRACKING_NAMES = frozenset(_TRACKING_NAME_LIST.split())


def canonical_source(url: str, canonical_url: str = "") -> SourceId:
    """Return the source a URL belongs to; `canonical_url` is what the page itself says, believed with care.

    A text that is no URL is its own source. Never raises.
    """
    url = repair_surrogates(url)
    parts = _split(url)
    if parts is None or not parts.netloc:
        return SourceId(_without_fragment(url))
    said = _split(repair_surrogates(canonical_url))
    if said is not None and _may_replace(said, parts):
        parts = said
    return SourceId(_normal_form(parts))


def given_file_url(name: str) -> str:
    """The address of a file that was given by hand: its name is all that is known of its place."""
    return _GIVEN_FILE + quote(collapse(name))


def given_file_source(url: str, content_hash: str) -> SourceId:
    """The source of a given file: two of one name are two sources unless what they say is the same."""
    return SourceId(f"{url}#{content_hash[:_HASH_CHARS]}")


def is_given_file(url: str) -> bool:
    """Whether an address is one of `given_file_url`, which leads nowhere."""
    return url.startswith(_GIVEN_FILE) and not url.startswith(_GIVEN_FILE + "/")


def display_site(url: str) -> str:
    """Return the site as people say it: the host without `www.` and default port, or a file's name."""
    parts = _split(url)
    if parts is None:
        return collapse(url)
    if parts.netloc:
        host = _host(parts)
        return host.removeprefix("www.") or host
    path = parts.path.rstrip("/")
    return collapse(unquote(path.rsplit("/", 1)[-1])) or collapse(url)


def web_address(href: str, base: str) -> str:
    """Return what a link on the page at `base` leads to, "" unless that is a page of the web."""
    try:
        parts = _split(urljoin(base, href.strip()))
    except ValueError:
        return ""
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    return repair_surrogates(urlunsplit(parts))


def moment_url(url: str, seconds: int | None) -> str | None:
    """Return the address that plays the recording at `url` from a moment, None where we do not know how.

    YouTube: https://support.google.com/youtube, "share a video from a specific time", the parameter `t`.
    """
    parts = _split(url)
    if parts is None or seconds is None or parts.scheme.lower() not in ("http", "https"):
        return None
    host = _host(parts).removeprefix("www.").removeprefix("m.")
    is_watch_page = host == "youtube.com" and parts.path == "/watch"
    if not is_watch_page and host != "youtu.be":
        return None
    query = [pair for pair in parts.query.split("&") if pair and pair.partition("=")[0] != "t"]
    return urlunsplit((*parts[:3], "&".join([*query, f"t={seconds}s"]), ""))


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url.strip())
        parts.port  # noqa: B018 - reading it is what checks it
    except ValueError:
        return None
    return parts


def _may_replace(said: SplitResult, seen: SplitResult) -> bool:
    if said.scheme.lower() not in ("http", "https") or seen.scheme.lower() not in ("http", "https"):
        return False
    if _host(said).removeprefix("www.") != _host(seen).removeprefix("www."):
        return False
    return not (_is_root(said) and not _is_root(seen))


def _is_root(parts: SplitResult) -> bool:
    return parts.path in ("", "/") and not _kept_query(parts.query)


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:
        host = f"[{host}]"
    if parts.port is None or parts.port == _DEFAULT_PORTS.get(parts.scheme.lower()):
        return host
    return f"{host}:{parts.port}"


def _normal_form(parts: SplitResult) -> str:
    user, at, _ = parts.netloc.rpartition("@")
    return urlunsplit(
        (parts.scheme.lower(), user + at + _host(parts), parts.path or "/", _kept_query(parts.query), "")
    )


def _kept_query(query: str) -> str:
    return "&".join(pair for pair in query.split("&") if pair and not _is_tracking(pair.partition("=")[0]))


def _is_tracking(name: str) -> bool:
    lowered = name.lower()
    return lowered in _TRACKING_NAMES or lowered.startswith(_TRACKING_PREFIXES)


def _without_fragment(url: str) -> str:
    return re.sub(r"#.*", "", url, flags=re.DOTALL).strip()
