import type { SessionHeader, TitleSlot } from '../entry/entry.ts'
import { Kind } from '../entry/kind.ts'
import type { Dialect } from './dialect.ts'

const OURS: readonly Kind[] = [Kind.edit, Kind.generation, Kind.treeline]
const OMP_ONLY: readonly Kind[] = [Kind.title_change, Kind.reset_boundary, Kind.model_usage, Kind.credential_pin]
const PI_ONLY: readonly Kind[] = [Kind.session_info, Kind.context_edit, Kind.usage, Kind.leaf, Kind.active_tools_change]
/** Also written by oh-my-pi, of which xcsh is a fork; a file without oh-my-pi's own marks is taken for xcsh's. */
const XCSH_FAMILY: readonly Kind[] = [
  Kind.context_change,
  Kind.mcp_tool_selection,
  Kind.service_tier_change,
  Kind.mode_change,
  Kind.ttsr_injection,
  Kind.session_init,
]
const OMP_HEADER_FIELDS = ['additionalDirectories', 'previousSessionFiles', 'providerPromptCacheKey']
const SNOWFLAKE = /^[0-9a-f]{16}$/

/**
 * Which tool wrote a log, by what is in it: nothing in a v3 file names its writer. `kinds` are those that occur in it.
 * Marks only one tool leaves are looked at first; a file without any is what Pi writes. `sealed` says that the header line
 * ends in Treeline's checksum.
 */
export function detectDialect(
  header: Readonly<Partial<SessionHeader>> | undefined,
  titleSlot: TitleSlot | undefined,
  kinds: Iterable<Kind>,
  sealed = false,
): Dialect {
  const present = new Set(kinds)
  const has = (marks: readonly Kind[]) => marks.some((kind) => present.has(kind))
  const headerHas = (field: string) => header !== undefined && Object.hasOwn(header, field)
  if (sealed || has(OURS)) return 'treeline'
  if (titleSlot !== undefined || has(OMP_ONLY) || OMP_HEADER_FIELDS.some(headerHas)) return 'omp'
  if (has(PI_ONLY)) return 'pi'
  const idOfXcsh = typeof header?.id === 'string' && SNOWFLAKE.test(header.id)
  return idOfXcsh || has(XCSH_FAMILY) || headerHas('titleSource') ? 'xcsh' : 'pi'
}
