-- The library file, version 1. Spans are code points of page.text.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE page (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,       -- order of first adding
    source TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    captured_at REAL NOT NULL,                   -- ms since the epoch
    n_removed INTEGER NOT NULL,
    n_total_chars INTEGER NOT NULL,
    n_read_chars INTEGER NOT NULL,
    n_pages INTEGER NOT NULL,                    -- of a document with pages, else 0
    n_moments INTEGER NOT NULL,
    has_video INTEGER NOT NULL,                  -- 1: the page shows a player
    n_words INTEGER NOT NULL,
    n_chunks INTEGER NOT NULL,
    stamp INTEGER NOT NULL,                      -- of the snapshot, under which index_part has it; 0: nowhere
    removed INTEGER NOT NULL DEFAULT 0           -- 1: taken out, can still be restored
);
CREATE INDEX page_removed ON page (removed) WHERE removed;
CREATE TABLE page_body (                         -- apart, so that lists need not read past the texts
    seq INTEGER PRIMARY KEY REFERENCES page (seq) ON DELETE CASCADE,
    text TEXT NOT NULL,
    blocks TEXT NOT NULL,                        -- JSON: [[kind, start, end, level], ...]
    moments TEXT NOT NULL,                       -- JSON: [[start, end, seconds], ...]
    links TEXT NOT NULL,                         -- JSON: [[start, end, url], ...] of entries of lists
    places TEXT NOT NULL                         -- JSON: [[start, end, page number, x, y, width, height], ...]
);
CREATE TABLE chunk (
    seq INTEGER NOT NULL REFERENCES page (seq) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    id TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    heading_path TEXT NOT NULL,                  -- JSON list
    embedding_text TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    n_tokens INTEGER NOT NULL,
    PRIMARY KEY (seq, ordinal)
) WITHOUT ROWID;
CREATE INDEX chunk_by_hash ON chunk (content_hash);
CREATE TABLE vector (                            -- of pages whose vectors are not yet complete
    content_hash TEXT PRIMARY KEY,
    codes BLOB NOT NULL,                         -- int8, one per dimension
    scale REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE page_vectors (                      -- all vectors of a page, by ordinal
    seq INTEGER PRIMARY KEY REFERENCES page (seq) ON DELETE CASCADE,
    codes BLOB NOT NULL,                         -- int8, n_chunks rows
    scales BLOB NOT NULL,                        -- float32, little-endian
    checksum INTEGER NOT NULL                    -- crc32 of codes, then of scales
);
CREATE TABLE index_part (                        -- derived: what the index needs of some pages, see page_part
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    n_postings INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE attempt (source TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE mirrored (                          -- what a vector store on the network has acknowledged
    destination TEXT NOT NULL,
    source TEXT NOT NULL,
    fingerprint TEXT NOT NULL,                   -- of the page, its chunks and whether they had vectors
    PRIMARY KEY (destination, source)
) WITHOUT ROWID;
CREATE TABLE summary (
    content_hash TEXT PRIMARY KEY,               -- of the page that was read
    asked TEXT NOT NULL,                         -- the engine that was wanted
    engine TEXT NOT NULL,                        -- the one that wrote it
    headline TEXT NOT NULL,                      -- JSON: [text, start, end, verdict]
    sentences TEXT NOT NULL,                     -- JSON: a list of the same
    made_at REAL NOT NULL,                       -- ms since the epoch
    read_share REAL NOT NULL                     -- of the page's text that was read for it
) WITHOUT ROWID;
CREATE TABLE summary_part (                      -- what a model wrote of parts of a page, and of runs of them
    source TEXT NOT NULL REFERENCES page (source) ON DELETE CASCADE,
    part_hash TEXT NOT NULL,                     -- of what was read, the engine and what it was asked
    text TEXT NOT NULL,
    PRIMARY KEY (source, part_hash)
) WITHOUT ROWID;
CREATE TABLE thread (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    created_at REAL NOT NULL,                    -- ms since the epoch
    updated_at REAL NOT NULL,
    is_pinned INTEGER NOT NULL,
    head TEXT NOT NULL,                          -- the last turn that is shown
    removed INTEGER NOT NULL DEFAULT 0           -- 1: taken out, can still be restored
) WITHOUT ROWID;
CREATE TABLE turn (
    id TEXT PRIMARY KEY,
    thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    parent TEXT NOT NULL,                        -- the turn before it, "" for the first
    question TEXT NOT NULL,
    state TEXT NOT NULL,                         -- running, done, stopped, interrupted, failed
    asked_at REAL NOT NULL,                      -- ms since the epoch
    request TEXT NOT NULL,                       -- JSON: what was asked of which pages
    answer TEXT NOT NULL,                        -- JSON, "" before there is one
    plain TEXT NOT NULL,                         -- the answer's text alone
    receipt TEXT NOT NULL,                       -- JSON, "" before there is one
    error TEXT NOT NULL,                         -- code of a turn that failed, else ""
    answer_id TEXT NOT NULL,                     -- of the one answer that `receipt` is of, else ""
    removed INTEGER NOT NULL DEFAULT 0           -- 1: taken out, can still be restored
) WITHOUT ROWID;
CREATE INDEX turn_by_thread ON turn (thread, asked_at);
CREATE INDEX turn_by_answer ON turn (answer_id) WHERE answer_id <> '';
