"""What the reader chose."""

RECORDS: dict = {
    # a site pattern of the reader (protocol/rules.py) and whether it allows or forbids reading
    "Rule": {"effect": ("enum", "allow", "deny"), "pattern": "str"},
    "Preferences": {"other_windows": "bool"},  # whether tabs of other windows are listed
    "Settings": {
        "version": "int",
        "rules": ("list", "Rule"),
        "categories_off": ("list", "str"),  # categories of protocol/rules.py that may be read
        "preferences": "Preferences",
    },
}
