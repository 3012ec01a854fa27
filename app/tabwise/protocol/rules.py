"""Never-read rules: which sites are not read unless the reader says so.

Categories of sites hold what nobody wants in a library by accident. A category is a list of patterns:

    example.com         the host and every host below it
    example.com/mail    the same, for addresses whose path begins so
    label:webmail       any host that has this label (webmail.example.com)
    /owa                any host, for addresses whose path begins with this segment

The lists name the large sites and the words such sites are made of. They cannot name every bank; pages with a
visible password or card field are therefore asked about on top of this (see the engine).

The reader's own rules come first, and the most exact of them decides: the longer host, then the longer path,
then "deny". Their patterns are `example.com`, `*.example.com` (it and all below), either with a path, or `*`.
"""

from tabwise.protocol.addresses import host_of, is_private_host, path_of

# the order of the settings page; MicroPython's dicts have none
CATEGORIES = ("bank", "mail", "health", "passwords", "government", "intranet")
_PATTERNS: dict = {
    "bank": """
        label:banking label:ebanking label:e-banking label:netbanking label:onlinebanking label:online-banking
        label:internetbanking label:homebanking label:bank
        paypal.com venmo.com wise.com revolut.com klarna.com dashboard.stripe.com checkout.stripe.com
        pay.google.com pay.amazon.com alipay.com squareup.com cash.app zellepay.com
        chase.com bankofamerica.com wellsfargo.com citi.com citibank.com capitalone.com usbank.com pnc.com
        truist.com ally.com americanexpress.com discover.com td.com rbcroyalbank.com scotiabank.com bmo.com
        cibc.com hsbc.com hsbc.co.uk barclays.co.uk lloydsbank.co.uk natwest.com santander.co.uk
        nationwide.co.uk halifax-online.co.uk monzo.com starlingbank.com
        deutsche-bank.de commerzbank.de sparkasse.de dkb.de n26.com ing.de ing.nl rabobank.nl abnamro.nl
        credit-agricole.fr societegenerale.fr mabanque.bnpparibas labanquepostale.fr boursorama.com
        ubs.com postfinance.ch raiffeisen.ch erstebank.at bbva.es caixabank.es santander.com
        intesasanpaolo.com unicredit.it nordea.com danskebank.dk seb.se swedbank.se dnb.no
        commbank.com.au westpac.com.au anz.com.au nab.com.au hdfcbank.com icicibank.com onlinesbi.sbi
        itau.com.br bradesco.com.br nubank.com.br mizuhobank.co.jp smbc.co.jp
        schwab.com fidelity.com vanguard.com robinhood.com etrade.com interactivebrokers.com
        coinbase.com kraken.com binance.com
    """.split(),
    "mail": """
        label:webmail label:roundcube label:owa /owa /webmail /roundcube
        mail.google.com outlook.live.com outlook.office.com outlook.office365.com outlook.cloud.microsoft
        mail.yahoo.com mail.aol.com mail.proton.me mail.protonmail.com app.fastmail.com
        mail.zoho.com mail.zoho.eu app.tuta.com mail.tutanota.com icloud.com/mail
        navigator.web.de navigator.gmx.net navigator.gmx.com
        mail.yandex.ru mail.yandex.com e.mail.ru mail.163.com mail.qq.com mail.naver.com
        app.hey.com
    """.split(),
    "health": """
        label:mychart label:patientportal label:patient-portal label:myhealth
        healthcare.gov myhealth.va.gov healthy.kaiserpermanente.org followmyhealth.com onemedical.com
        teladoc.com healow.com patientaccess.com access.login.nhs.uk nhsapp.service.nhs.uk
        doctolib.fr doctolib.de doctolib.it assure.ameli.fr dossier.mes-services.ameli.fr monespacesante.fr
        myhealthrecord.gov.au 1177.se sundhed.dk kanta.fi helsenorge.no you.23andme.com
    """.split(),
    "passwords": """
        passwords.google.com my.1password.com my.1password.eu my.1password.ca vault.bitwarden.com
        vault.bitwarden.eu lastpass.com app.dashlane.com keepersecurity.com keepersecurity.eu pass.proton.me
        app.nordpass.com icloud.com/passwords label:vaultwarden
    """.split(),
    "government": """
        accounts.google.com login.microsoftonline.com login.live.com appleid.apple.com account.apple.com
        login.gov id.me sa.www4.irs.gov irs.gov/account ssa.gov/myaccount secure.ssa.gov studentaid.gov
        tax.service.gov.uk signin.account.gov.uk account.gov.uk elster.de id.bund.de impots.gouv.fr
        franceconnect.gouv.fr digid.nl mijn.overheid.nl mijn.belastingdienst.nl clave.gob.es
        sede.agenciatributaria.gob.es agenziaentrate.gov.it spid.gov.it skatteverket.se skat.dk borger.dk
        suomi.fi vero.fi altinn.no finanzonline.bmf.gv.at my.gov.au online.ato.gov.au cra-arc.gc.ca
        myir.ird.govt.nz incometax.gov.in uidai.gov.in gov.br/acesso sso.acesso.gov.br
    """.split(),
    "intranet": [],  # decided by the address itself: see `is_private_host`
}
MAX_PATTERN_CHARS = 200
_HOST_CHARS = "abcdefghijklmnopqrstuvwxyz0123456789-_."


def why_never_read(url: str, settings: dict) -> str:
    """Return what keeps `url` from being read: "own" for a rule of the reader, a category, or "".

    `settings` is a Settings record. An address without a host (a file) is kept by none.
    """
    host = host_of(url)
    if not host:
        return ""
    path = path_of(url)
    effect = _own_effect(host, path, settings["rules"])
    if effect:
        return "own" if effect == "deny" else ""
    return _category(host, path, settings["categories_off"])


def stays_here(url: str, settings: dict) -> bool:
    """Whether a rule of the reader keeps what this page says from leaving for another machine.

    The patterns are those of never-read rules; an address without a host (a file) is kept by none.
    """
    host, path = host_of(url), path_of(url)
    rules = [{"effect": "deny", "pattern": pattern} for pattern in settings["never_leaves"]]
    return host != "" and _own_effect(host, path, rules) == "deny"


def read_pattern(text: str) -> tuple:
    """Read what a reader typed or pasted as a site. Returns (pattern, "") or ("", what is wrong).

    What is wrong is "empty", "long", "ascii" (the browser's own form is needed), "wildcard" or "host".
    Scheme, user, port, query and fragment of a pasted address are left out; a lone "/" is no path.
    """
    text = text.strip()
    if not text:
        return "", "empty"
    if len(text) > MAX_PATTERN_CHARS:
        return "", "long"
    rest = text.rpartition("://")[2] if "://" in text else text
    rest = rest.partition("#")[0].partition("?")[0]
    place, _, path = rest.partition("/")
    host = _host_in(place)
    for char in rest:
        if not " " < char < "\x7f":
            return "", "host" if char in " \t" else "ascii"
    if host == "*":
        return ("", "wildcard") if path else (host, "")
    bare = host[2:] if host.startswith("*.") else host
    if "*" in bare or "*" in path:
        return "", "wildcard"
    if not _is_host(bare):
        return "", "host"
    return (host + "/" + path if path else host), ""


def _host_in(place: str) -> str:
    host = place.rpartition("@")[2].lower()
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].rstrip(".")


def _is_host(host: str) -> bool:
    if host.startswith("["):
        inside = host[1:-1]
        return host.endswith("]") and inside.count(":") >= 2 and not inside.strip("0123456789abcdef:.")
    return host.strip(_HOST_CHARS) == "" and host != "" and "" not in host.split(".")


def _own_effect(host: str, path: str, rules: list) -> str:
    best: tuple = ()
    for rule in rules:
        wanted_host, slash, wanted_path = rule["pattern"].partition("/")
        if _is_named(host, wanted_host) and (not slash or _begins(path, "/" + wanted_path)):
            exact = not wanted_host.startswith("*")
            size = (len(wanted_host.lstrip("*.")), exact, len(wanted_path), rule["effect"] == "deny")
            best = max(best, size + (rule["effect"],))
    return best[-1] if best else ""


def _is_named(host: str, pattern: str) -> bool:
    if pattern == "*":
        return True
    if pattern.startswith("*."):
        return _is_below(host, pattern[2:])
    return host == pattern or host == "www." + pattern


def _category(host: str, path: str, off: list) -> str:
    """The first category in the order of CATEGORIES that holds an address and is not switched off."""
    found = {"intranet"} if is_private_host(host) else set()
    labels = host.split(".")
    for place in range(len(labels)):
        for name, wanted in _BY_HOST.get(".".join(labels[place:]), ()):
            if _begins(path, wanted):
                found.add(name)
        found.update(_BY_LABEL.get(labels[place], ()))
    found.update(_BY_PATH.get(path.split("/")[1], ()))
    for name in CATEGORIES:
        if name in found and name not in off:
            return name
    return ""


def _lookups() -> tuple:
    """The patterns by what they are found by, so that a list of many tabs costs a few look-ups for each."""
    by_host: dict = {}
    by_label: dict = {}
    by_path: dict = {}
    for name in CATEGORIES:
        for pattern in _PATTERNS[name]:
            host, _, path = pattern.partition("/")
            if pattern.startswith("label:"):
                by_label.setdefault(pattern[6:], []).append(name)
            elif host:
                by_host.setdefault(host, []).append((name, "/" + path))
            else:
                by_path.setdefault(path, []).append(name)
    return by_host, by_label, by_path


def _is_below(host: str, name: str) -> bool:
    return host == name or host.endswith("." + name)


def _begins(path: str, prefix: str) -> bool:
    """Whether a path begins with whole segments: /owa begins /owa/mail, not /owasp."""
    prefix = prefix.rstrip("/")
    return path == prefix or path.startswith(prefix + "/")


_BY_HOST, _BY_LABEL, _BY_PATH = _lookups()
