"""Never-read rules: default categories, the reader's own, private networks, settings as they are stored."""

import ipaddress
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.protocol import codec
from tabwise.protocol.addresses import host_of, is_private_host, path_of
from tabwise.protocol.rules import CATEGORIES, read_pattern, why_never_read
from tabwise.protocol.settings import default_preferences, default_settings, encode_settings, sound_settings


def settings(*rules: tuple[str, str], off: tuple[str, ...] = ()) -> dict[str, Any]:
    own = [{"effect": effect, "pattern": pattern} for effect, pattern in rules]
    return default_settings() | {"rules": own, "categories_off": list(off)}


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://www.paypal.com/myaccount/summary", "bank"),
        ("https://onlinebanking.smalltown-savings.example/login", "bank"),
        ("https://banking.kreis.example/", "bank"),
        ("https://www.pkobp.bank/", "bank"),
        ("https://mail.google.com/mail/u/0/#inbox/1", "mail"),
        ("https://intranet.example.com/owa/?path=/mail", "mail"),
        ("https://mychart.hospital.example/MyChart/", "health"),
        ("https://vault.bitwarden.com/#/vault", "passwords"),
        ("https://www.irs.gov/account/summary", "government"),
        ("https://accounts.google.com/signin", "government"),
        ("http://localhost:8080/", "intranet"),
        ("http://192.168.1.1/admin", "intranet"),
        ("https://wiki/", "intranet"),
        ("https://printer.local/", "intranet"),
        ("https://git.corp.internal/x", "intranet"),
        ("http://[::1]:3000/", "intranet"),
        ("http://[::ffff:a00:1]/", "intranet"),
    ],
)
@pytest.mark.fault("F68")
def test_a_site_of_a_category_is_not_read_by_default(url: str, reason: str) -> None:
    assert why_never_read(url, default_settings()) == reason


@pytest.mark.parametrize(
    "url",
    [
        "https://en.wikipedia.org/wiki/Bank",
        "https://notpaypal.com/",
        "https://paypal.com.example.org/",
        "https://example.org/paypal.com",
        "https://owasp.org/owasp",
        "https://www.irs.gov/newsroom",
        "https://docs.stripe.com/payments",
        "https://mail.python.org/archives/",
        "https://user:10.0.0.1@example.org/",
        "https://stackbanking.example/",
        "file:///home/me/notes.html",
        "https://10.0.0.1.example.org/",
        "https://11.0.0.1/",
    ],
)
def test_other_sites_are_read(url: str) -> None:
    assert why_never_read(url, default_settings()) == ""


@given(st.ip_addresses(v=4))
def test_private_addresses_are_those_of_the_registry(address: ipaddress.IPv4Address) -> None:
    networks = "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16"
    private = any(address in ipaddress.ip_network(network) for network in networks.split())
    assert is_private_host(str(address)) == private
    mapped = ipaddress.IPv6Address(f"::ffff:{address}")
    assert is_private_host(f"[::ffff:{int(mapped) >> 16 & 0xFFFF:x}:{int(mapped) & 0xFFFF:x}]") == private


@pytest.mark.parametrize(
    "network", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fe80::/10"]
)
def test_both_ends_of_a_private_network_are_private(network: str) -> None:
    net = ipaddress.ip_network(network)
    for address in (net[0], net[-1]):
        host = f"[{address}]" if net.version == 6 else str(address)
        assert is_private_host(host)


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("bank", "https://www.chase.com/"),
        ("mail", "https://outlook.office.com/mail/"),
        ("health", "https://www.doctolib.fr/account"),
        ("passwords", "https://lastpass.com/vault"),
        ("government", "https://login.gov/"),
        ("intranet", "http://nas.local/"),
    ],
)
def test_a_category_can_be_switched_off(name: str, url: str) -> None:
    assert why_never_read(url, default_settings()) == name
    assert why_never_read(url, settings(off=(name,))) == ""
    others = tuple(each for each in CATEGORIES if each != name)
    assert why_never_read(url, settings(off=others)) == name


@pytest.mark.parametrize(
    ("rules", "url", "reason"),
    [
        ([("deny", "example.org")], "https://example.org/a", "own"),
        ([("deny", "example.org")], "https://www.example.org/a", "own"),
        ([("deny", "example.org")], "https://shop.example.org/a", ""),
        ([("deny", "*.example.org")], "https://shop.example.org/a", "own"),
        ([("deny", "*.example.org")], "https://example.org/a", "own"),
        ([("deny", "*.example.org")], "https://badexample.org/a", ""),
        ([("deny", "example.org/private")], "https://example.org/private/x", "own"),
        ([("deny", "example.org/private")], "https://example.org/privately", ""),
        ([("deny", "*"), ("allow", "example.org")], "https://example.org/", ""),
        ([("deny", "*"), ("allow", "example.org")], "https://other.example/", "own"),
        ([("deny", "*.example.org"), ("allow", "docs.example.org")], "https://docs.example.org/", ""),
        ([("allow", "*.example.org"), ("deny", "hr.example.org")], "https://hr.example.org/", "own"),
        ([("allow", "example.org"), ("deny", "example.org/hr")], "https://example.org/hr/x", "own"),
        ([("allow", "example.org"), ("deny", "example.org")], "https://example.org/", "own"),
        ([("allow", "127.0.0.1")], "http://127.0.0.1:8000/", ""),
        ([("allow", "mail.google.com")], "https://mail.google.com/mail/u/0/", ""),
    ],
)
def test_the_most_exact_rule_of_the_reader_decides(
    rules: list[tuple[str, str]], url: str, reason: str
) -> None:
    assert why_never_read(url, settings(*rules)) == reason
    assert why_never_read(url, settings(*reversed(rules))) == reason


@pytest.mark.parametrize(
    ("typed", "pattern"),
    [
        (" Example.ORG ", "example.org"),
        ("https://example.org/", "example.org"),
        ("https://me@example.org:8443/private/?q=1#top", "example.org/private/"),
        ("*.example.org", "*.example.org"),
        ("*", "*"),
        ("http://[::1]:3000/", "[::1]"),
        ("wiki", "wiki"),
        ("xn--mller-kva.example", "xn--mller-kva.example"),
    ],
)
def test_a_site_can_be_typed_or_pasted(typed: str, pattern: str) -> None:
    assert read_pattern(typed) == (pattern, "")
    assert read_pattern(pattern) == (pattern, "")


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("a" * 201, "long"),
        ("müller.example", "ascii"),
        ("two words", "host"),
        ("exa*mple.org", "wildcard"),
        ("example.*", "wildcard"),
        ("example.org/*", "wildcard"),
        ("*/path", "wildcard"),
        ("..", "host"),
        ("a..b", "host"),
        ("[nonsense]", "host"),
        ("exa$mple.org", "host"),
        ("https://", "host"),
    ],
)
def test_what_is_no_site_is_refused_with_the_reason(typed: str, fault: str) -> None:
    assert read_pattern(typed) == ("", fault)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused_and_reading_again_changes_nothing(typed: str) -> None:
    pattern, fault = read_pattern(typed)
    assert bool(pattern) != bool(fault)
    assert not pattern or read_pattern(pattern) == (pattern, "")


def test_host_and_path_of_an_address() -> None:
    url = "HTTPS://user:secret@Example.org.:8443/a/b?c=/d#e"
    assert host_of(url) == "example.org"
    assert path_of(url) == "/a/b"
    assert path_of("https://example.org?x=/y") == "/"
    assert host_of("chrome://settings") == ""


def test_settings_come_back_as_they_were_stored() -> None:
    kept = settings(("deny", "*.example.org"), ("allow", "127.0.0.1"), off=("mail",))
    kept["preferences"]["other_windows"] = True
    assert sound_settings(json.loads(encode_settings(kept))) == kept


def test_settings_that_break_the_schema_are_not_stored() -> None:
    with pytest.raises(codec.Malformed, match=r"settings\.rules\[0\]\.effect"):
        encode_settings(settings(("perhaps", "example.org")))


def test_damaged_settings_keep_every_rule_that_can_be_understood() -> None:
    good = {"effect": "deny", "pattern": "example.org"}
    stored = {
        "version": 7,
        "rules": [good, {"effect": "deny"}, 3, {"effect": "deny", "pattern": "é"}],
        "categories_off": ["mail", "unheard of", 4],
        "preferences": {"other_windows": "yes"},
        "more": 1,
    }
    sound = sound_settings(stored)
    assert sound["rules"] == [good]
    assert sound["categories_off"] == ["mail"]
    assert sound["preferences"] == default_preferences()
    encode_settings(sound)


def test_a_choice_that_cannot_be_understood_leaves_the_others() -> None:
    stored = {"preferences": {"other_windows": True, "mode": "guess", "k": "many", "strict": True}}
    kept = sound_settings(stored)["preferences"]
    assert kept == default_preferences() | {"other_windows": True, "strict": True}


FIELDS = st.sampled_from(["rules", "categories_off", "preferences", "version", "effect", "pattern"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner) | st.dictionaries(FIELDS, inner),
    max_leaves=9,
)


@given(ANYTHING)
def test_anything_stored_gives_settings_that_hold(stored: Any) -> None:
    encode_settings(sound_settings(stored))
