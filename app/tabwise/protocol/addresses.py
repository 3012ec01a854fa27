"""The parts of a web address, for code that runs without a standard library.

The browser has already brought its addresses into normal form (lower case, punycode, numbers of hosts as
dotted quads), so splitting is enough; case and a final dot are evened out for addresses from elsewhere.
"""


def host_of(url: str) -> str:
    """Return the host of a web address without port or user, "" for any other address."""
    scheme, mark, rest = url.partition("://")
    if not mark or scheme.lower() not in ("http", "https"):
        return ""
    for stop in ("/", "?", "#"):
        rest = rest.partition(stop)[0]
    host = rest.rpartition("@")[2].lower()
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].rstrip(".")


def path_of(url: str) -> str:
    """Return the path of a web address, with its leading slash and without query and fragment."""
    rest = url.partition("://")[2].partition("#")[0].partition("?")[0]
    return "/" + rest.partition("/")[2]


def is_private_host(host: str) -> bool:
    """Whether a host is of this machine or a network that is not the public one.

    Names without a dot, the special-use names of RFC 6761, 6762 and 8375 and what routers and companies use
    in their place; addresses of RFC 1918, 6598 and 3927, loopback, and of RFC 4193 and 4291 for IPv6.
    """
    if host.startswith("["):
        return _is_private_v6(host[1:-1])
    numbers = _quad(host)
    if numbers:
        a, b = numbers[0], numbers[1]
        return (
            a in (0, 10, 127)
            or (a, b) in ((192, 168), (169, 254))
            or (a == 172 and 16 <= b <= 31)
            or (a == 100 and 64 <= b <= 127)
        )
    return host != "" and ("." not in host or host.rpartition(".")[2] in _PRIVATE_ENDS)


_PRIVATE_ENDS = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "arpa")


def _quad(host: str) -> list:
    parts = host.split(".")
    if len(parts) != 4:
        return []
    for part in parts:
        if not part.isdigit():
            return []
    return [int(part) for part in parts]


def _is_private_v6(address: str) -> bool:
    if address in ("::", "::1") or address.startswith(("fc", "fd", "fe8", "fe9", "fea", "feb")):
        return True
    # an IPv4 address in IPv6 clothes, as the browser writes it: ::ffff:7f00:1
    if address.startswith("::ffff:"):
        head, _, tail = address[7:].partition(":")
        if tail:
            high, low = int(head, 16), int(tail, 16)
            return is_private_host("%d.%d.%d.%d" % (high >> 8, high & 255, low >> 8, low & 255))
    return False
