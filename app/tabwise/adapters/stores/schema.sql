-- The library file, version 1. Spans are code points of page.text.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE page (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,       -- order of first adding
    source TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    text TEXT NOT NULL,
    blocks TEXT NOT NULL,                        -- JSON: [[kind, start, end, level], ...]
    moments TEXT NOT NULL,                       -- JSON: [[start, end, seconds], ...]
    links TEXT NOT NULL,                         -- JSON: [[start, end, url], ...] of entries of lists
    has_video INTEGER NOT NULL,                  -- 1: the page shows a player
    content_hash TEXT NOT NULL,
    captured_at REAL NOT NULL,                   -- ms since the epoch
    n_removed INTEGER NOT NULL,
    n_total_chars INTEGER NOT NULL,
    n_read_chars INTEGER NOT NULL,
    n_pages INTEGER NOT NULL,                    -- of a document with pages, else 0
    places TEXT NOT NULL,                        -- JSON: [[start, end, page number, x, y, width, height], ...]
    removed INTEGER NOT NULL DEFAULT 0           -- 1: taken out, can still be restored
);
CREATE TABLE chunk (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL REFERENCES page (source) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    heading_path TEXT NOT NULL,                  -- JSON list
    embedding_text TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    n_tokens INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX chunk_by_source ON chunk (source, ordinal);
CREATE INDEX chunk_by_hash ON chunk (content_hash);
CREATE TABLE vector (
    content_hash TEXT PRIMARY KEY,
    codes BLOB NOT NULL,                         -- int8, one per dimension
    scale REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE attempt (source TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE mirrored (                          -- what a vector store on the network has acknowledged
    destination TEXT NOT NULL,
    source TEXT NOT NULL,
    fingerprint TEXT NOT NULL,                   -- of the page, its chunks and whether they had vectors
    PRIMARY KEY (destination, source)
) WITHOUT ROWID;
