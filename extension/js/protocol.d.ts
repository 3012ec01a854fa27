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
  agent_steps: number;
  agent_seconds: number;
  voice: boolean;
  voice_language: string;
  voice_key: string;
  toolbar: "panel" | "popup";
  guide: string[];
  max_threads: number;
  daily_backup: boolean;
  auto_summaries: boolean;
  summary_engine: string;
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
  interests: string[];
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
  stage: "read" | "chunk" | "embed" | "store" | "plan" | "retrieve" | "extract" | "write" | "verify" | "research" | "summarise" | "compare" | "download" | "copy";
  ms: number;
}

export interface Turn {
  question: string;
  answer: string;
  sources: string[];
}

export interface Plan {
  kind: "answer" | "read" | "compare";
  question: string;
  queries: string[];
  topics: string[];
  language: string;
  is_follow_up: boolean;
  by_model: boolean;
}

export interface Given {
  number: number;
  source: string;
  url: string;
  title: string;
  start: number;
  end: number;
  n_tokens: number;
}

export interface Dropped {
  kind: "turn" | "source" | "section";
  name: string;
  source: string;
  n_tokens: number;
  reason: "outside_window" | "no_room" | "after_full" | "never_leaves" | "too_long";
}

export interface AnswerNotice {
  kind: "instructions" | "marks_removed" | "sentences_left_out" | "prompt_cut" | "stopped_early";
  text: string;
  source: string;
  citation: number | null;
}

export interface Fallback {
  code: string;
  subject: string;
}

export interface AgreementRow {
  topic: string;
  cells: (Sentence | null)[];
}

export interface Agreement {
  sources: ({ source: string; url: string; title: string; })[];
  rows: AgreementRow[];
}

export interface Answer {
  id: string;
  question: string;
  plan: Plan;
  found: boolean;
  engine: string;
  engine_label: string;
  semantic: boolean;
  sentences: Sentence[];
  citations: Citation[];
  hits: Hit[];
  timings: Timing[];
  store: "local" | "qdrant";
  why_local: string;
  missing: string[];
  fallback: Fallback | null;
  given: Given[];
  dropped: Dropped[];
  notices: AnswerNotice[];
  agreement: Agreement | null;
}

export interface PageAnswer {
  source: string;
  url: string;
  title: string;
  relevant: boolean;
  score: number;
  answer: Answer | null;
}

export interface SavedBlock {
  kind: "heading" | "paragraph" | "item" | "row" | "code" | "quote" | "caption";
  level: number;
  before: string;
  passage: string;
  after: string;
}

export interface SavedText {
  page: PageRow;
  first: number;
  n_blocks: number;
  blocks: SavedBlock[];
  found: boolean;
}

export interface ItemSpan {
  page: number;
  item: number;
  start: number;
  end: number;
}

export interface Starter {
  kind: "question" | "definition" | "section";
  text: string;
  source: string;
  title: string;
}

export interface ReplayDifference {
  change: "page_gone" | "page_changed" | "model" | "order" | "score" | "version";
  search: number;
  subject: string;
}

export interface Replay {
  same: boolean;
  n_searches: number;
  differences: ReplayDifference[];
}

export interface DifferencePiece {
  edit: "same" | "removed" | "added";
  text: string;
}

export interface Freshness {
  state: "unchanged" | "moved" | "reworded" | "gone";
  basis: "tab" | "saved";
  checked_at: number;
  start: number;
  end: number;
  difference: DifferencePiece[];
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
  n_answered: number;
  n_citations: number;
  n_at_the_place: number;
}

export interface Embedder {
  id: string;
  dimensions: number;
  licence: string;
  stored: string;
  must_reembed: boolean;
  is_own: boolean;
}

export interface EmbedderModel {
  id: string;
  label: string;
  licence: string;
  dimensions: number;
  reads_any_script: boolean;
  size_bytes: number;
  stored_bytes: number;
  state: "absent" | "partial" | "here";
  is_in_use: boolean;
}

export interface EmbedderCatalogue {
  models: EmbedderModel[];
  free_bytes: number;
}

export interface LocalModel {
  id: string;
  engine: string;
  label: string;
  licence: string;
  device: "webgpu" | "wasm";
  context_tokens: number;
  size_bytes: number;
  stored_bytes: number;
  state: "absent" | "partial" | "here";
  is_imported: boolean;
  speed: ModelSpeed | null;
}

export interface ModelSpeed {
  device: string;
  prefill_per_s: number;
  decode_per_s: number;
  is_slow: boolean;
  first_text_ms: number;
  memory_bytes: number;
}

export interface Catalogue {
  models: LocalModel[];
  free_bytes: number;
}

export interface FolderFile {
  name: string;
  url: string;
  size_bytes: number;
}

export interface QdrantFound {
  version: string;
  collection: string;
  exists: boolean;
  n_passages: number;
  older: string[];
}

export interface QdrantState {
  enabled: boolean;
  destination: string;
  n_pages: number;
  n_mirrored: number;
  n_kept_here: number;
}

export interface OfferedModel {
  id: string;
  context_tokens: number;
}

export interface ProviderFound {
  kind: string;
  address: string;
  models: OfferedModel[];
  context_tokens: number;
  calls_tools: boolean;
}

export interface Destination {
  origin: string;
  purpose: "answer" | "summary" | "store" | "check" | "download";
}

export interface EgressTotal {
  origin: string;
  purpose: "answer" | "summary" | "store" | "check" | "download";
  remote: boolean;
  n_requests: number;
  sent_bytes: number;
  received_bytes: number;
  last_at_ms: number;
}

export interface EgressAccount {
  agreed: Destination[];
  totals: EgressTotal[];
}

export interface EgressPage {
  url: string;
  title: string;
}

export interface EgressPreview {
  destination: Destination;
  url: string;
  remote: boolean;
  size_bytes: number;
  n_chars: number;
  pages: EgressPage[];
  text: string;
}

export interface DoctorValue {
  name: string;
  value: string;
}

export interface DoctorLine {
  topic: "library" | "storage" | "memory" | "embedder" | "isolation" | "threads" | "gpu" | "prompt_api" | "summarizer" | "files" | "sites" | "provider" | "qdrant";
  reason: string;
  state: "good" | "limited" | "off" | "broken";
  action: string;
  subject: string;
  values: DoctorValue[];
  code: string;
  message: string;
}

export interface Passage {
  quote: string;
  before: string;
  after: string;
  page_number: number | null;
}

export interface PromptTurn {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface AgentStep {
  number: number;
  parent: number;
  tool: string;
  arguments: string;
  state: "running" | "done" | "failed" | "refused";
  summary: string;
  n_passages: number;
  ms: number;
  by_rule: boolean;
}

export interface Research {
  answer: Answer;
  steps: AgentStep[];
}

export interface SummarySentence {
  text: string;
  start: number;
  end: number;
  verdict: "supported" | "partly" | "contradicted" | "not_found" | "uncited";
}

export interface Summary {
  source: string;
  url: string;
  title: string;
  engine: string;
  headline: SummarySentence;
  sentences: SummarySentence[];
  made_at: number;
  read_share: number;
}

export interface OpenTab {
  url: string;
  last_accessed: number;
}

export interface TabHint {
  url: string;
  source: string;
  flag: "interesting" | "closable" | "neither";
  reasons: ("near_interest" | "no_interest_near" | "unused" | "recently_used" | "saved" | "not_saved")[];
  interest: string;
  similarity: number;
  days_unused: number;
}

export interface ThreadRow {
  id: string;
  title: string;
  created_at: number;
  updated_at: number;
  pinned: boolean;
  n_turns: number;
  head: string;
}

export interface ThreadTurn {
  id: string;
  parent: string;
  question: string;
  state: "running" | "done" | "stopped" | "interrupted" | "failed";
  asked_at: number;
  request: any;
  answer: any;
  sentences: Sentence[];
  citations: Citation[];
  error: string;
  has_receipt: boolean;
  whole: boolean;
}

export interface Thread {
  row: ThreadRow;
  turns: ThreadTurn[];
}

export interface ThreadMatch {
  thread: string;
  turn: string;
  excerpt: string;
  start: number;
  end: number;
}

export interface Backup {
  name: string;
  made_at: number;
  size_bytes: number;
}

export interface DataState {
  backups: Backup[];
  n_lost: number;
  can_undo: boolean;
  stats: Stats | null;
}

export interface Export {
  name: string;
  file_name: string;
  size_bytes: number;
  n_pages: number;
  n_threads: number;
}

export interface ImportCounts {
  added: number;
  newer: number;
  older: number;
  same: number;
  only_here: number;
}

export interface ImportReport {
  pages: ImportCounts;
  threads: ImportCounts;
  damaged: string[];
  n_damaged: number;
  written_at: number;
  program: string;
  schema_version: number;
  vectors: boolean;
  settings: boolean;
}

export interface Imported {
  n_written: number;
  settings: Settings | null;
  stats: Stats;
}

export interface Requests {
  cancel: { target: string; };
  hello: { n_pages: number; };
  index: { tabs: TabToRead[]; };
  add_file: { name: string; url: string; };
  library: { start: number; count: number; };
  locate: { urls: string[]; };
  remove: { source: string; };
  restore: { source: string; };
  remove_all: { };
  restore_all: { };
  reset_library: { };
  ask: { question: string; sources: string[]; filter: Filter; k: number; mode: "convex" | "rrf" | "dense" | "lexical"; history: Turn[]; style: "auto" | "answer" | "read"; engine: string; strict: boolean | null; thread: string; parent: string; };
  ask_each: { question: string; sources: string[]; filter: Filter; mode: "convex" | "rrf" | "dense" | "lexical"; history: Turn[]; engine: string; strict: boolean | null; thread: string; parent: string; };
  search: { query: string; sources: string[]; filter: Filter; k: number; mode: "convex" | "rrf" | "dense" | "lexical"; };
  find: { text: string; k: number; };
  show: { citation: Citation; others: Citation[]; };
  saved_text: { source: string; quote: string; start: number; first: number | null; };
  pdf_passages: { pages: any; passages: Passage[]; };
  starters: { n: number; };
  receipt: { answer: string; };
  replay: { receipt: string; };
  freshness: { citation: Citation; tabs: TabToRead[]; };
  self_test: { n_questions: number; };
  embedder: { };
  embedder_adopt: { files: FolderFile[]; };
  embedder_forget: { };
  embedder_catalogue: { };
  embedder_download: { model: string; };
  embedder_use: { model: string; };
  embedder_remove: { model: string; };
  reembed: { };
  catalogue: { };
  model_download: { model: string; };
  model_remove: { model: string; };
  model_import: { name: string; files: FolderFile[]; };
  model_measure: { engine: string; };
  qdrant_test: { address: string; collection: string; };
  qdrant_sync: { };
  qdrant_state: { };
  provider_test: { provider: Provider; };
  egress_list: { };
  egress_preview: { origin: string; purpose: "answer" | "summary" | "store" | "check" | "download"; };
  egress_agree: { destination: Destination; once: boolean; };
  egress_revoke: { destination: Destination; };
  engine_restart: { };
  doctor: { check: boolean; test: boolean; };
  research: { question: string; sources: string[]; filter: Filter; history: Turn[]; engine: string; strict: boolean | null; max_steps: number; max_seconds: number; thread: string; parent: string; };
  summarise: { sources: string[]; };
  summaries: { sources: string[]; };
  cite: { source: string; start: number; end: number; };
  interest: { tabs: OpenTab[]; };
  threads: { };
  thread: { thread: string; };
  thread_turns: { turns: string[]; };
  find_threads: { text: string; k: number; };
  rename_thread: { thread: string; title: string; };
  pin_thread: { thread: string; pinned: boolean; };
  choose_turn: { thread: string; turn: string; };
  remove_threads: { threads: string[]; };
  remove_turn: { thread: string; turn: string; };
  restore_threads: { thread: string; };
  data_state: { };
  data_seen: { };
  export_library: { };
  look_at_import: { url: string; backup: string; };
  take_import: { mode: "merge" | "replace"; settings: boolean; };
  drop_import: { };
  undo_import: { };
  back_up: { };
  wipe: { };
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
  ask_each: PageAnswer[];
  search: Hit[];
  find: FoundPage[];
  show: { found: boolean; tab_id: number; };
  saved_text: SavedText;
  pdf_passages: ItemSpan[][];
  starters: Starter[];
  receipt: { receipt: string; };
  replay: Replay;
  freshness: Freshness;
  self_test: SelfTest;
  embedder: Embedder;
  embedder_adopt: { id: string; };
  embedder_forget: { id: string; };
  embedder_catalogue: EmbedderCatalogue;
  embedder_download: EmbedderCatalogue;
  embedder_use: { id: string; };
  embedder_remove: EmbedderCatalogue;
  reembed: Stats;
  catalogue: Catalogue;
  model_download: Catalogue;
  model_remove: Catalogue;
  model_import: Catalogue;
  model_measure: ModelSpeed;
  qdrant_test: QdrantFound;
  qdrant_sync: QdrantState;
  qdrant_state: QdrantState;
  provider_test: ProviderFound;
  egress_list: EgressAccount;
  egress_preview: EgressPreview | null;
  egress_agree: EgressAccount;
  egress_revoke: EgressAccount;
  doctor: DoctorLine[];
  engine_restart: { restarts: boolean; };
  research: Research;
  summarise: { n_summaries: number; n_missing: number; };
  summaries: Summary[];
  cite: Citation;
  interest: TabHint[];
  threads: ThreadRow[];
  thread: Thread;
  thread_turns: ThreadTurn[];
  find_threads: ThreadMatch[];
  rename_thread: ThreadRow;
  pin_thread: ThreadRow;
  choose_turn: ThreadRow;
  remove_threads: ThreadRow[];
  remove_turn: ThreadRow[];
  restore_threads: ThreadRow[];
  data_state: DataState;
  data_seen: DataState;
  export_library: Export;
  look_at_import: ImportReport;
  take_import: Imported;
  drop_import: { };
  undo_import: Imported;
  back_up: DataState;
  wipe: { left: string[]; };
}

export interface Events {
  accepted: { };
  progress: { stage: "read" | "chunk" | "embed" | "store" | "plan" | "retrieve" | "extract" | "write" | "verify" | "research" | "summarise" | "compare" | "download" | "copy"; done: number; total: number; unit: string; };
  set_aside: { };
  done: { result: any; };
  error: { code: string; subject: string; message: string; retryable: boolean; };
  cancelled: { };
  row: { row: RowResult; };
  page_answer: { page: PageAnswer; };
  found: { pages: FoundPage[]; };
  sentence: { index: number; sentence: Sentence; citations: Citation[]; };
  egress: { totals: EgressTotal[]; };
  step: { step: AgentStep; };
  summary: { summary: Summary; };
  summary_part: { source: string; text: string; number: number; n_parts: number; };
  threads_dropped: { titles: string[]; };
}

export interface Notices {
  engine: { state: "starting" | "ready" | "restarting" | "failed"; epoch: string; detail: string; };
}

export interface HostCalls {
  tab_capture: { args: { tab_id: number; max_chars: number; selection: boolean; }; result: any; };
  passage_show: { args: { url: string; passages: Passage[]; source: string; title: string; start: number; moment_url: string | null; }; result: { found: boolean; tab_id: number; }; };
  settings_get: { args: { }; result: any; };
  settings_set: { args: { settings: Settings; }; result: { }; };
  summarizer_state: { args: { }; result: { state: "unavailable" | "downloadable" | "downloading" | "available"; }; };
  summarizer_write: { args: { text: string; context: string; language: string; }; result: { text: string; }; };
  summarizer_stop: { args: { }; result: { }; };
  prompt_state: { args: { }; result: { state: "unavailable" | "downloadable" | "downloading" | "available"; }; };
  prompt_open: { args: { session: number; turns: PromptTurn[]; }; result: { context_tokens: number | null; used_tokens: number; }; };
  prompt_measure: { args: { session: number; text: string; }; result: { n_tokens: number; }; };
  prompt_send: { args: { session: number; text: string; }; result: { }; };
  prompt_read: { args: { session: number; }; result: { text: string | null; }; };
  prompt_close: { args: { session: number; }; result: { }; };
  key_get: { args: { name: string; }; result: { value: string; }; };
  key_set: { args: { name: string; value: string; kept: boolean; }; result: { }; };
  key_forget: { args: { name: string; }; result: { }; };
  key_places: { args: { }; result: { session: string[]; kept: string[]; }; };
  ledger_get: { args: { }; result: any; };
  ledger_set: { args: { account: any; }; result: { }; };
  marker_get: { args: { }; result: any; };
  marker_set: { args: { marker: any; }; result: { }; };
  storage_clear: { args: { }; result: { left: string[]; }; };
  host_facts: { args: { }; result: { reads_local_files: boolean; reads_all_sites: boolean; n_sites: number; storage_is_kept: boolean; }; };
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
  SummarizerGone: "model_unavailable";
  SummaryTooLong: "prompt_too_long";
  SummaryRefused: "request_refused";
  PromptGone: "model_unavailable";
  PromptTooLong: "prompt_too_long";
}
