"""How large a file may be that is read whole: a PDF of a tab, a file that the reader gave."""

MAX_FILE_BYTES = 50_000_000
