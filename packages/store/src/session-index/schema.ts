/** Raised whenever a table or what goes into it changes: an index of another version is thrown away and built anew. */
export const INDEX_VERSION = 3

/** Of nodes. */
export const NodeFlag = { muted: 1, error: 2, pruned: 4, deleted: 8 } as const

/** Docids that share one `zones` row: `docid >> ZONE_BITS`. */
export const ZONE_BITS = 10

export const FacetKind = { tool: 1, path: 2 } as const

/**
 * `files`: one row per log, with what a list shows. `identity`, `size` and `mtime` say when it has to be looked at again,
 * `rows` and `mark` where indexing goes on. `node_states` is a checksum over which of the rows count and how they are
 * flagged: while it stays, what is new in a log changed nothing about the nodes known already.
 *
 * `nodes`: one row per node that has text. `docid` is never used again, and grows with time as far as files were indexed
 * in the order they were written; `zones.newest` bounds the time of the nodes in a stretch of docids from above, so that
 * a search for the newest hits knows when it may stop.
 *
 * `words` and `grams` hold no text, only which docids a term is in: hits are candidates and are verified against the log.
 *
 * `answers`: what each answer cost, by a key that is the same in every fork that holds the line (52 bits of a hash).
 * `is_own` is set for the session that was there first. `time` is 0 where nothing tells it.
 */
export const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE files (
  file_id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  identity TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  rows INTEGER NOT NULL,
  mark TEXT NOT NULL,
  node_states INTEGER NOT NULL DEFAULT 0,
  unreadable_count INTEGER NOT NULL DEFAULT 0,
  session_id TEXT,
  reversed_id TEXT,
  cwd TEXT,
  parent_session TEXT,
  name TEXT,
  first_prompt TEXT,
  created_at TEXT,
  created_ms INTEGER NOT NULL,
  last_active_at TEXT,
  last_active_ms INTEGER NOT NULL,
  entry_count INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  branch_count INTEGER NOT NULL,
  node_count INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  leaf_id TEXT,
  models TEXT NOT NULL,
  tags TEXT NOT NULL,
  is_pinned INTEGER NOT NULL,
  is_archived INTEGER NOT NULL,
  is_linear INTEGER NOT NULL,
  damage_count INTEGER NOT NULL,
  problem TEXT,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  cost REAL NOT NULL,
  own_input_tokens INTEGER NOT NULL,
  own_output_tokens INTEGER NOT NULL,
  own_cache_read_tokens INTEGER NOT NULL,
  own_cache_write_tokens INTEGER NOT NULL,
  own_cost REAL NOT NULL
);
CREATE INDEX files_by_activity ON files (last_active_ms DESC, file_id DESC);
CREATE INDEX files_by_project ON files (cwd, last_active_ms DESC, file_id DESC);
CREATE INDEX files_by_id ON files (session_id);
CREATE INDEX files_by_reversed_id ON files (reversed_id);

CREATE TABLE nodes (
  docid INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  entry_id TEXT NOT NULL,
  offset INTEGER NOT NULL,
  length INTEGER NOT NULL,
  time INTEGER NOT NULL,
  role INTEGER NOT NULL,
  flags INTEGER NOT NULL
);
CREATE INDEX nodes_by_file ON nodes (file_id);

CREATE TABLE facets (
  kind INTEGER NOT NULL,
  value TEXT NOT NULL,
  docid INTEGER NOT NULL,
  PRIMARY KEY (kind, value, docid)
) WITHOUT ROWID;
CREATE INDEX facets_by_node ON facets (docid);

CREATE TABLE zones (zone INTEGER PRIMARY KEY, newest INTEGER NOT NULL);

CREATE TABLE answers (
  key INTEGER NOT NULL,
  file_id INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  cost REAL NOT NULL,
  model TEXT,
  time INTEGER NOT NULL,
  is_own INTEGER NOT NULL,
  PRIMARY KEY (key, file_id)
) WITHOUT ROWID;
CREATE INDEX answers_by_file ON answers (file_id);

CREATE VIRTUAL TABLE words USING fts5(
  text, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE grams USING fts5(
  text, content='', contentless_delete=1, detail=none, tokenize="trigram remove_diacritics 1"
);
`
