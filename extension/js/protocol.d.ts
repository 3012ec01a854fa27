// Rendered from app/tabwise/protocol/schema.py by scripts/buildlib/typedefs.py. Do not edit.

export interface Rule {
  effect: "allow" | "deny";
  pattern: string;
}

export interface Preferences {
  other_windows: boolean;
  engine: string;
  mode: "convex" | "rrf" | "dense" | "lexical";
  k: number;
  strict: boolean;
  appearance: "system" | "light" | "dark";
  language: string;
}

export interface Provider {
  id: string;
  kind: "openai" | "groq" | "gemini" | "azure" | "ollama" | "compatible";
  label: string;
  address: string;
  model: string;
  context_tokens: number;
  calls_tools: boolean;
}

export interface Qdrant {
  enabled: boolean;
  address: string;
  collection: string;
}

export interface Settings {
  version: number;
  rules: Rule[];
  categories_off: string[];
  never_leaves: string[];
  providers: Provider[];
  qdrant: Qdrant;
  preferences: Preferences;
}

export interface Tab {
  tab_id: number;
  window_id: number;
  index: number;
  url: string;
  title: string;
  favicon: string;
  active: boolean;
  loading: boolean;
  asleep: boolean;
  private: boolean;
  last_accessed: number;
}

export interface PageRow {
  source: string;
  url: string;
  title: string;
  n_words: number;
  n_pages: number;
  no_captions: boolean;
  n_chunks: number;
  n_removed: number;
  n_total_chars: number;
  n_read_chars: number;
  captured_at: number;
}

export interface Failure {
  code: string;
  subject: string;
  message: string;
}

export interface RowResult {
  tab_id: number;
  state: "waiting" | "reading" | "added" | "updated" | "unchanged" | "failed";
  page: PageRow | null;
  failure: Failure | null;
}

export interface Stats {
  n_pages: number;
  n_chunks: number;
  n_vectors: number;
  size_bytes: number;
  model: string;
  schema_version: number;
}

export interface Ready {
  version: string;
  stats: Stats;
  pages: PageRow[];
  semantic: boolean;
  boot_ms: number;
}

export interface TabToRead {
  tab_id: number;
  window_id: number;
  index: number;
  url: string;
  title: string;
  favicon: string;
  active: boolean;
  loading: boolean;
  asleep: boolean;
  private: boolean;
  last_accessed: number;
  allowed: boolean;
  confirmed: boolean;
  selection: boolean;
}

export interface Citation {
  number: number;
  source: string;
  url: string;
  title: string;
  chunk_id: string;
  start: number;
  end: number;
  quote: string;
  before: string;
  after: string;
  page_number: number | null;
  seconds: number | null;
  link: string | null;
}

export interface Sentence {
  text: string;
  citations: number[];
  verdict: "supported" | "partly" | "contradicted" | "not_found" | "uncited";
  reasons: string[];
}

export interface Hit {
  chunk_id: string;
  source: string;
  url: string;
  title: string;
  heading_path: string[];
  text: string;
  start: number;
  end: number;
  score: number;
  dense: number | null;
  lexical: number;
  rank_dense: number | null;
  rank_lexical: number | null;
  rank_fused: number | null;
  word_order: number;
  recency: number;
}

export interface FoundPage {
  source: string;
  url: string;
  title: string;
  by_meaning: boolean;
  excerpt: string;
  start: number;
  end: number;
}

export interface Filter {
  sites: string[];
  after: number;
  before: number;
  prefer_recent: boolean;
}

export interface Timing {
  stage: "read" | "chunk" | "embed" | "store" | "plan" | "retrieve" | "extract" | "verify";
  ms: number;
}

export interface Answer {
  question: string;
  found: boolean;
  engine: string;
  semantic: boolean;
  sentences: Sentence[];
  citations: Citation[];
  hits: Hit[];
  timings: Timing[];
}

export interface SelfTestRow {
  mode: "convex" | "rrf" | "dense" | "lexical";
  recall_at_1: number;
  recall_at_3: number;
  recall_at_10: number;
  reciprocal_rank: number;
  query_ms: number;
}

export interface SelfTest {
  n_questions: number;
  n_chunks: number;
  rows: SelfTestRow[];
}

export interface Embedder {
  id: string;
  dimensions: number;
  licence: string;
  stored: string;
  must_reembed: boolean;
}

export interface Requests {
  cancel: { target: string; };
  hello: { };
  index: { tabs: TabToRead[]; };
  add_file: { name: string; url: string; };
  library: { };
  locate: { urls: string[]; };
  remove: { source: string; };
  restore: { source: string; };
  remove_all: { };
  restore_all: { };
  reset_library: { };
  ask: { question: string; sources: string[]; filter: Filter; k: number; mode: "convex" | "rrf" | "dense" | "lexical"; };
  search: { query: string; sources: string[]; filter: Filter; k: number; mode: "convex" | "rrf" | "dense" | "lexical"; };
  find: { text: string; k: number; };
  show: { citation: Citation; };
  self_test: { n_questions: number; };
  embedder: { };
  reembed: { };
}

export interface Results {
  cancel: { stopped: boolean; };
  hello: Ready;
  index: RowResult[];
  add_file: RowResult;
  library: PageRow[];
  locate: ({ url: string; source: string; })[];
  remove: Stats;
  restore: Stats;
  remove_all: Stats;
  restore_all: Stats;
  reset_library: Ready;
  ask: Answer;
  search: Hit[];
  find: FoundPage[];
  show: { found: boolean; tab_id: number; };
  self_test: SelfTest;
  embedder: Embedder;
  reembed: Stats;
}

export interface Events {
  accepted: { };
  progress: { stage: "read" | "chunk" | "embed" | "store" | "plan" | "retrieve" | "extract" | "verify"; done: number; total: number; unit: string; };
  done: { result: any; };
  error: { code: string; subject: string; message: string; retryable: boolean; };
  cancelled: { };
  row: { row: RowResult; };
  found: { pages: FoundPage[]; };
  sentence: { index: number; sentence: Sentence; citations: Citation[]; };
}

export interface Notices {
  engine: { state: "starting" | "ready" | "restarting" | "failed"; epoch: string; detail: string; };
}

export interface HostCalls {
  tab_capture: { args: { tab_id: number; max_chars: number; selection: boolean; }; result: any; };
  passage_show: { args: { url: string; quote: string; before: string; after: string; page_number: number | null; moment_url: string | null; }; result: { found: boolean; tab_id: number; }; };
  settings_get: { args: { }; result: any; };
  settings_set: { args: { settings: Settings; }; result: { }; };
  http_answers: { args: { url: string; limit_ms: number; }; result: { answers: boolean; }; };
}

export interface HostErrors {
  TabGone: "tab_gone";
  TabNavigated: "tab_navigated";
  TabAsleep: "tab_asleep";
  NeedsPermission: "tab_needs_permission";
  TabTimeout: "tab_timeout";
  TabIsPrivate: "tab_is_private";
  SystemPage: "page_system";
  FileAccessOff: "file_access_off";
  HostFailed: "host_failed";
}
