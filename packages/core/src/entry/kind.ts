/**
 * Where an entry stands in the tree:
 * - `node`: a person sees it; it hangs under the leaf and becomes it.
 * - `path`: acts on the path it is on (a model change, extension state, anything unknown); it becomes the leaf too.
 * - `aside`: hangs under the leaf and leaves it where it is (an edit, a label, a name); children hung under it by other
 *   tools belong to the node above it.
 */
export type Place = 'node' | 'path' | 'aside'

/** One byte per entry in the columns. The numbers are saved in column files: append, never renumber. */
export const Kind = {
  other: 0,
  message: 1,
  compaction: 2,
  branch_summary: 3,
  custom_message: 4,
  custom: 5,
  model_change: 6,
  thinking_level_change: 7,
  service_tier_change: 8,
  mode_change: 9,
  context_change: 10,
  mcp_tool_selection: 11,
  active_tools_change: 12,
  ttsr_injection: 13,
  session_init: 14,
  context_edit: 15,
  reset_boundary: 16,
  leaf: 17,
  label: 18,
  session_info: 19,
  title_change: 20,
  usage: 21,
  model_usage: 22,
  credential_pin: 23,
  /** `custom` with customType `treeline/edit`. */
  edit: 24,
  /** `custom` with customType `treeline/generation`: stands for the node it announces until that node's line arrives. */
  generation: 25,
  /** Any other `custom` whose customType starts with `treeline/`. */
  treeline: 26,
} as const
export type Kind = (typeof Kind)[keyof typeof Kind]

const NAMES = Object.keys(Kind) as (keyof typeof Kind)[]
const BY_TYPE = new Map<string, Kind>(
  NAMES.filter((name) => name !== 'other' && name !== 'edit' && name !== 'generation' && name !== 'treeline').map(
    (name) => [name, Kind[name]],
  ),
)

const NODES: readonly Kind[] = [Kind.message, Kind.compaction, Kind.branch_summary, Kind.custom_message]
const ASIDES: readonly Kind[] = [
  Kind.label,
  Kind.session_info,
  Kind.title_change,
  Kind.usage,
  Kind.model_usage,
  Kind.credential_pin,
  Kind.edit,
  Kind.treeline,
]
/** By kind, because it is asked for every line of a log. */
const PLACES: readonly Place[] = NAMES.map((name) => {
  if (NODES.includes(Kind[name])) return 'node'
  return ASIDES.includes(Kind[name]) ? 'aside' : 'path'
})

export const EDIT_TYPE = 'treeline/edit'
export const GENERATION_TYPE = 'treeline/generation'
export const TREELINE_PREFIX = 'treeline/'

/** `customType` matters only for `custom` entries. */
export function kindOf(type: string, customType?: unknown): Kind {
  if (type === 'custom' && typeof customType === 'string' && customType.startsWith(TREELINE_PREFIX)) {
    if (customType === EDIT_TYPE) return Kind.edit
    return customType === GENERATION_TYPE ? Kind.generation : Kind.treeline
  }
  return BY_TYPE.get(type) ?? Kind.other
}

/** A generation is placed as a path entry: the node it announces is what a reader sees. */
export function placeOf(kind: Kind): Place {
  return PLACES[kind] ?? 'path'
}

/** Kinds whose body the tree itself must know; the scanner hands these over parsed. They are small by nature. */
export function treeReadsBody(kind: Kind): boolean {
  return (
    kind === Kind.edit ||
    kind === Kind.generation ||
    kind === Kind.label ||
    kind === Kind.session_info ||
    kind === Kind.title_change
  )
}

/** Message roles as one byte. The numbers are saved in column files: append, never renumber. */
export const Role = {
  none: 0,
  user: 1,
  assistant: 2,
  system: 3,
  toolResult: 4,
  bashExecution: 5,
  pythonExecution: 6,
  custom: 7,
  developer: 8,
  fileMention: 9,
  /** A role no tool we know writes; of a model change, that it is for a role of its own. */
  other: 10,
} as const
export type Role = (typeof Role)[keyof typeof Role]

const ROLE_BY_NAME = new Map<string, Role>(
  (Object.keys(Role) as (keyof typeof Role)[]).filter((n) => n !== 'none' && n !== 'other').map((n) => [n, Role[n]]),
)

export function roleOf(name: unknown): Role {
  if (typeof name !== 'string') return Role.none
  // v2 files spell the role `hookMessage`; migration renames it, so a scan must agree with it.
  return name === 'hookMessage' ? Role.custom : (ROLE_BY_NAME.get(name) ?? Role.other)
}
