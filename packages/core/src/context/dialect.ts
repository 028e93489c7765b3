/** Whose reading of a path: Pi 1.5, xcsh 19.54, oh-my-pi 18.2, or ours (S22–S24 plus all we understand). */
export type Dialect = 'pi' | 'xcsh' | 'omp' | 'treeline'

/** Where the tools disagree. What is not here, they all do alike. */
export interface DialectRules {
  /** `context_edit` entries omit or replace earlier messages. */
  readonly contextEdits: boolean
  /** A compaction restates the system messages it covers (`systemMessage`): those it keeps are then left out. */
  readonly systemState: false | 'always' | 'when stated'
  /** A compaction whose summary is blank still hides what it covers. */
  readonly blankSummaries: boolean
  /** The context starts anew below a `reset_boundary`. */
  readonly resetBoundary: boolean
  /**
   * A provider's own history (`preserveData.openaiRemoteCompaction`) stands for the kept stretch: for all of it, or
   * through the entry that `providerReplayThroughEntryId` names.
   */
  readonly remoteCompaction: false | 'all' | 'through'
  /** `compaction.retainedTail` holds the kept messages themselves (pi-agent-core 0.74–0.83). */
  readonly retainedTail: boolean
  /** Fields of a compaction that its message carries besides summary and tokensBefore. */
  readonly summaryFields: readonly string[]
  readonly modelSpelling: 'provider+modelId' | 'model' | 'both'
  /** Any assistant message changes the default model, even after an explicit choice. */
  readonly assistantSetsModel: boolean
  /** Service tiers are kept per provider family; a plain value is spread over them. */
  readonly tierByFamily: boolean
  /** Dangling tool calls and failed turns are taken out of the context itself. Ours leaves that to the line. */
  readonly dropsUnsafeTurns: boolean
  /** A plain string where blocks belong (assistant, toolResult) becomes one text block. */
  readonly textToBlocks: boolean
}

const PI: DialectRules = {
  contextEdits: true,
  systemState: 'always',
  blankSummaries: true,
  resetBoundary: false,
  remoteCompaction: false,
  retainedTail: false,
  summaryFields: [],
  modelSpelling: 'provider+modelId',
  assistantSetsModel: true,
  tierByFamily: false,
  dropsUnsafeTurns: false,
  textToBlocks: false,
}

const XCSH: DialectRules = {
  ...PI,
  contextEdits: false,
  systemState: false,
  remoteCompaction: 'all',
  summaryFields: ['shortSummary'],
  modelSpelling: 'model',
}

const OMP: DialectRules = {
  ...XCSH,
  resetBoundary: true,
  remoteCompaction: 'through',
  summaryFields: ['shortSummary', 'warning', 'method', 'tokensAfter'],
  assistantSetsModel: false,
  tierByFamily: true,
  dropsUnsafeTurns: true,
}

/** Remote compaction is off: its payload means something to one provider only, the kept messages to every one (S24). */
const TREELINE: DialectRules = {
  ...PI,
  systemState: 'when stated',
  blankSummaries: false,
  resetBoundary: true,
  retainedTail: true,
  summaryFields: ['shortSummary'],
  modelSpelling: 'both',
  assistantSetsModel: false,
  textToBlocks: true,
}

const RULES: Readonly<Record<Dialect, DialectRules>> = { pi: PI, xcsh: XCSH, omp: OMP, treeline: TREELINE }

export function rulesOf(dialect: Dialect): DialectRules {
  return RULES[dialect]
}
