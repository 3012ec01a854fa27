"""Every sentence the panel shows, in one table.

A value is a text with {names}, or a pair (one, many) chosen by `n`. Each error code of the protocol
has one plain sentence and one action: (sentence, label of the action, what the action does).
"""

from tabwise.ui.text import number

WORDS = {
    # frame
    "product": "Tabwise",
    "chat": "Chat",
    "pages": "Pages",
    "views": "Views",
    "pages_saved": ("{n} page saved", "{n} pages saved"),
    "engine_starting": "Starting…",
    "engine_ready": "Ready. Everything stays on this computer",
    "engine_restarting": "Restarting…",
    "engine_failed": "Stopped",
    "restarting_long": "The engine stopped and is being restarted. Your question goes on.",
    "restarted": "The engine stopped and was restarted; your question went on.",
    "undo": "Undo",
    "close": "Close",
    # composer
    "question": "Your question",
    "question_hint": "Ask your pages…",
    "ask": "Ask",
    "stop": "Stop",
    "asking": "Asking",
    "scope_label": "Pages to ask",
    "scope_all": ("the {n} saved page", "all {n} saved pages"),
    "scope_open": ("{n} open page", "{n} open pages"),
    "scope_this": "this page only",
    "scope_none": "no pages yet",
    # first run
    "welcome": "Ask your open tabs",
    "welcome_more": "Add a page, ask a question. "
    "Every sentence of the answer is checked against the page it cites.",
    "private": "Everything runs and stays on this computer.",
    "try_asking": "Try asking",
    "ready_to_ask": "What would you like to know?",
    "example_points": "What are the main points of “{title}”?",
    "example_numbers": "Which numbers and dates does “{title}” give?",
    "example_know": "What should I know about “{title}”?",
    # answers
    "working": "Working",
    "answer": "Answer",
    "nothing_found": "Nothing on your pages answers this.",
    "nothing_found_more": "Try other words, or add a page that covers it.",
    "stopped": "You stopped this answer. What was found so far is shown.",
    "stopped_empty": "You stopped this question before an answer was found.",
    "lexical_only": "Word search only while the model loads",
    "sources": "Sources",
    "source_chip": "Source {number}: {title}. Show the passage",
    "show_passage": "Show the passage on the page",
    "card_hint": "Press to see it on the page",
    "card_hint_page": "On page {n}. Press to see it there",
    "card_hint_time": "At {time}. Press to go there",
    "cited_pages": "p. {numbers}",
    "open_entry": "Open entry {number}",
    "passage_gone": "The page has changed: these words are no longer on it.",
    "ask_again": "Ask again",
    "copy": "Copy",
    "copied": "Copied as Markdown",
    "copy_failed": "The browser did not allow copying.",
    "how": "How this was answered",
    "how_engine": "Answered by {engine}",
    "how_passages": ("{n} passage considered", "{n} passages considered"),
    "engine_extractive": "sentences taken from your pages, without a language model",
    "all_supported": ("Checked: supported by its source", "Checked: all {n} sentences supported"),
    "checked": "Checked: {parts}",
    "announce_asked": "Searching your pages.",
    "announce_answer": ("Answer ready, {n} sentence.", "Answer ready, {n} sentences."),
    "announce_error": "No answer. {sentence}",
    "not_all_added": ("1 page could not be added.", "{n} pages could not be added."),
    "announce_pages": ("{n} page added.", "{n} pages added."),
    # verdicts
    "supported": "Supported by its source",
    "partly": "Partly supported by its source",
    "contradicted": "Contradicted by its source",
    "not_found": "Not found in its source",
    "uncited": "No source given",
    "count_supported": "{n} supported",
    "count_partly": "{n} partly",
    "count_contradicted": "{n} contradicted",
    "count_not_found": "{n} not found",
    "count_uncited": "{n} without a source",
    # stages
    "stage_read": "Reading",
    "stage_chunk": "Cutting into passages",
    "stage_embed": "Learning the meaning",
    "stage_store": "Saving",
    "stage_plan": "Understanding the question",
    "stage_retrieve": "Searching your pages",
    "stage_extract": "Choosing sentences",
    "stage_verify": "Checking against the pages",
    "stage_count": "{done} of {total} {unit}",
    # pages
    "add_tab": "Add this tab",
    "add_again": "Update this tab",
    "add_ticked": "Add ticked ({n})",
    "add_all": "Add all ({n})",
    "update_all": "Update all ({n})",
    "add_one": "Add",
    "add_files": "Add files",
    "files": "Files",
    "file_input": "PDF, HTML, Markdown or text files",
    "drop_here": "Drop PDF, HTML, Markdown or text files to add them",
    "file_kind": (
        "“{name}” was not added: PDF, HTML, Markdown and text files can be read.",
        "{n} files were not added: PDF, HTML, Markdown and text files can be read.",
    ),
    "announce_file": "{name} added.",
    "announce_file_failed": "{name}: {sentence}",
    "dismiss_file": "Dismiss {name}",
    "add_label": "Add {title}",
    "tick_label": "Tick {title}",
    "filter": "Filter by title or site",
    "open_tabs": "Open tabs",
    "library": "In your library",
    "no_match": "No tab or page matches “{filter}”.",
    "no_tabs": "The tabs of this window appear here.",
    "no_library": "Pages you add stay here after their tabs are closed.",
    "this_tab": "This tab",
    "untitled": "Untitled page",
    "waiting": "Waiting…",
    "reading": "Reading…",
    "waking": "Waking it up…",
    "loading": "Loading…",
    "asleep_saved": "asleep: its saved copy answers",
    "changed": "changed since it was added",
    "update": "Update",
    "other_windows": "Tabs of other windows",
    "list_windows": "List the tabs of all windows",
    "only_this_window": "List this window only",
    "n_words": ("{n} word", "{n} words"),
    "n_pages": ("{n} page", "{n} pages"),
    "unchanged": "unchanged",
    "updated": "updated",
    "part_read": "first {read} of {total} characters",
    "no_captions": "no captions shown on this page",
    "n_removed": ("{n} invisible character left out", "{n} invisible characters left out"),
    "job": ("Adding {n} page", "Adding {n} pages"),
    "job_rows": "{done} of {total}",
    "job_stopping": "Stopping…",
    "remove": "Remove",
    "remove_label": "Remove {title} from the library",
    "removed": "Removed “{title}”.",
    "open_page": "Open {title}",
    # never-read rules: the reason in a row
    "never_own": "You asked not to read this site.",
    "never_bank": "A bank or payment site: not read unless you say so.",
    "never_mail": "A mailbox: not read unless you say so.",
    "never_health": "A health portal: not read unless you say so.",
    "never_passwords": "A password manager: not read unless you say so.",
    "never_government": "A sign-in or government account: not read unless you say so.",
    "never_intranet": "An address of a private network: not read unless you say so.",
    "read_once": "Read this once",
    "read_once_label": "Read this once: {title}",
    "always_allow": "Always allow this site",
    "confirm": "Add it anyway",
    "confirm_label": "Add it anyway: {title}",
    "leave_out": "Leave it out",
    # access to sites
    "sites_wanted": ("May Tabwise read this site?", "May Tabwise read these {n} sites?"),
    "and_more": (" and {n} more", " and {n} more"),
    "allow_sites": ("This site", "These {n} sites"),
    "allow_everywhere": "All sites, from now on",
    "not_now": "Not now",
    "sites_hint": "The browser asks once more. You can take it back in the settings.",
    "selection_added": "The selection is in your library.",
    "quoted": "About “{text}”: ",
    # settings
    "settings": "Settings",
    "settings_unsaved": "The browser could not save the settings.",
    "section_reading": "What is read",
    "section_library": "Library",
    "section_about": "About Tabwise",
    "categories": "Never read unless you say so",
    "categories_more": "Pages of these sites are left out of “Add all” and are not added without your word. "
    "Pages with a visible password or card field ask first, wherever they are.",
    "category_bank": "Banks and payment",
    "category_bank_more": "Known banks, brokers, payment services, and addresses such as banking.example.com",
    "category_mail": "Mail",
    "category_mail_more": "Mailboxes such as Gmail, Outlook and Proton, and webmail of any provider",
    "category_health": "Health portals",
    "category_health_more": "Patient portals, insurers' portals, appointment services",
    "category_passwords": "Password managers",
    "category_passwords_more": "1Password, Bitwarden, Dashlane, Google Password Manager and others",
    "category_government": "Sign-in, tax and government accounts",
    "category_government_more": "Sign-in pages of Google, Microsoft and Apple, tax and identity services",
    "category_intranet": "Private networks",
    "category_intranet_more": "localhost, 10.x, 192.168.x, names such as wiki, nas.local, git.internal",
    "own_rules": "Your own rules",
    "own_rules_more": "The most exact rule decides, before the list above. "
    "Write example.com, *.example.com for everything below it, or example.com/private for a part.",
    "rule_label": "Site",
    "rule_hint": "example.com or *.example.com",
    "rule_deny": "Never read",
    "rule_allow": "Allow",
    "rule_is_deny": "never read",
    "rule_is_allow": "allowed",
    "rule_remove": "Remove the rule for {site}",
    "rule_added": "Rule for {site} added.",
    "rule_removed": "Rule for {site} removed.",
    "rule_empty": "Write a site first, for example example.com.",
    "rule_long": "This is too long for a site.",
    "rule_ascii": "Copy the site's address from the address bar: letters outside a–z are written in "
    "another form there.",
    "rule_wildcard": "A star stands only at the start, as in *.example.com.",
    "rule_host": "This is not the name of a site.",
    "no_rules": "None yet.",
    "granted_sites": "Sites Tabwise may read",
    "granted_sites_more": "Given by you when you added a tab. Taking one back keeps what was already added.",
    "no_sites": "None. The browser asks when you add a tab.",
    "all_sites": "All sites",
    "give_back": "Take back",
    "give_back_label": "Take back: {site}",
    "windows_pref": "List the tabs of all windows",
    "library_counts": ("{n} page", "{n} pages"),
    "library_passages": ("{n} passage", "{n} passages"),
    "library_size": "{size} on this computer",
    "library_unknown": "The library is not open yet.",
    "clear": "Remove everything…",
    "clear_sure": ("Remove the {n} page for good?", "Remove all {n} pages?"),
    "clear_yes": "Remove everything",
    "cleared": "The library is empty.",
    "keep": "Keep them",
    "about_version": "Version {version}",
    "about_leaves": "What leaves this computer",
    "about_leaves_more": "Nothing. Pages, questions and answers are read, searched and kept on this "
    "computer. There is no account, no telemetry, and no request to a server of ours.",
    "about_licences": "Licences of what is inside",
}

# why a sentence was not simply supported, by the code of the verifier's reason; {subject} is what follows it
REASONS = {
    "number": "it does not say {subject}",
    "date": "it does not say {subject}",
    "name": "it does not name {subject}",
    "quote": "it does not have the words “{subject}”",
    "negation": "it says the opposite",
    "opposite": "it says the opposite",
    "comparison": "it compares the other way round",
    "missing": "part of this is not in it",
}

# what is said of a file where the sentence below speaks of a page
FILE_ERRORS = {
    "page_empty": "There is no text in this file.",
    "page_too_short": "There is too little text in this file to ask about.",
    "page_unreadable": "This file cannot be read as text.",
    "page_set_aside": "Reading this file stopped the engine twice, so it was set aside.",
}

# code: (sentence, action label, action)
ERRORS = {
    "page_system": (
        "This is a page of the browser itself, which extensions may not read.",
        "Dismiss",
        "dismiss",
    ),
    "page_empty": ("This page looks empty: select text on it and add that.", "Add selection", "selection"),
    "page_too_short": ("There is too little text on this page to ask about.", "Try again", "retry"),
    "page_unreadable": ("This page cannot be read as text.", "Dismiss", "dismiss"),
    "page_never_read": ("A never-read rule keeps this page out.", "Read this once", "read_once"),
    "page_has_password": (
        "This page has a password field: add it yourself if you want.",
        "Add it",
        "confirm",
    ),
    "page_has_payment": (
        "This page has a payment card field: add it yourself if you want.",
        "Add it",
        "confirm",
    ),
    "page_set_aside": (
        "Reading this page stopped the engine twice, so it was set aside.",
        "Dismiss",
        "dismiss",
    ),
    "page_has_no_text": ("This PDF holds pictures of text only.", "Dismiss", "dismiss"),
    "page_locked": ("This PDF is locked with a password.", "Dismiss", "dismiss"),
    "file_missing": ("The file is no longer there.", "Dismiss", "dismiss"),
    "file_too_large": ("This file is larger than 50 MB, which is too much to read.", "Dismiss", "dismiss"),
    "file_unreachable": ("The site did not hand this file out again.", "Try again", "retry"),
    "file_not_kept": (
        "Only the text of this file is kept, so open the file yourself to see the page.",
        "Dismiss",
        "dismiss",
    ),
    "question_empty": ("There is no question yet.", "Write one", "edit"),
    "question_too_long": ("The question is longer than 10,000 characters.", "Shorten it", "edit"),
    "library_empty": ("There are no pages to ask yet.", "Add this tab", "add"),
    "source_unknown": ("This page is no longer in your library.", "Refresh the list", "refresh"),
    "model_unavailable": ("The model could not be started.", "Try again", "retry"),
    "model_mismatch": ("These pages were indexed with another model.", "Add them again", "pages"),
    "prompt_too_long": ("This is more than the model can read at once.", "Shorten it", "edit"),
    "address_invalid": ("This is no address of a service.", "Open the settings", "settings"),
    "network_offline": ("This computer is offline.", "Try again", "retry"),
    "network_refused": ("Nobody answers at this address.", "Try again", "retry"),
    "network_blocked": ("The browser may not read what this service answers.", "Dismiss", "dismiss"),
    "network_timeout": ("The service did not answer in time.", "Try again", "retry"),
    "network_lost": ("The connection broke off.", "Try again", "retry"),
    "egress_refused": ("You did not allow sending this there.", "Dismiss", "dismiss"),
    "store_corrupt": ("The library file is damaged.", "Set it aside and start a new one", "reset"),
    "store_full": ("There is no room left to save pages.", "Remove some pages", "pages"),
    "store_newer": ("The library was written by a newer version of Tabwise.", "Check again", "retry"),
    "store_locked": ("The library is in use by another window.", "Try again", "retry"),
    "tab_gone": ("The tab was closed before it was read.", "Dismiss", "dismiss"),
    "tab_navigated": ("The tab went to another page while it was read.", "Try again", "retry"),
    "tab_asleep": ("Asleep: its page has to be loaded again.", "Wake and add", "wake"),
    "tab_needs_permission": ("Tabwise may not read this site yet.", "Allow", "allow"),
    "tab_timeout": ("The page did not answer in time.", "Try again", "retry"),
    "tab_is_private": ("Private tabs are never read.", "Dismiss", "dismiss"),
    "file_access_off": (
        "Local files are read once “Allow access to file URLs” is on in the extension's details.",
        "Try again",
        "retry",
    ),
    "host_failed": ("The browser could not do this.", "Try again", "retry"),
    "engine_lost": ("The engine stopped and could not be restarted.", "Try again", "retry"),
    "wire_invalid": ("Two parts of Tabwise do not understand each other.", "Reload the panel", "reload"),
    "internal": ("Something went wrong inside Tabwise.", "Try again", "retry"),
}


def say(key: str, **values: object) -> str:
    """Return the text of `key` with its {names} filled in; whole numbers get thousands separators."""
    entry = WORDS[key]
    text = str(entry) if isinstance(entry, str) else entry[0 if values["n"] == 1 else 1]
    filled = {}
    for name in values:
        value = values[name]
        filled[name] = number(value) if isinstance(value, int) else value
    return text.format(**filled)


def error_sentence(code: str) -> str:
    """Return the plain sentence of an error code."""
    return ERRORS[code][0]


def file_sentence(code: str) -> str:
    """Return the plain sentence of an error code about a file."""
    return FILE_ERRORS.get(code) or error_sentence(code)


def error_action(code: str) -> tuple:
    """Return (label, action) of an error code."""
    return ERRORS[code][1:]


def verdict_text(verdict: str, reasons: list) -> str:
    """Return a verdict with its reasons as one line for a reader."""
    said: list = []
    for reason in reasons:
        code, _, subject = reason.partition(":")
        text = REASONS.get(code, "").format(subject=subject)
        if text and text not in said:
            said.append(text)
    return say(verdict) + (": " + "; ".join(said) if said and verdict != "supported" else "")
