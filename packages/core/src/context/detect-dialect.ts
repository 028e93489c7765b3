import type { SessionHeader, TitleSlot } from '../entry/entry.ts'
import { Kind } from '../entry/kind.ts'
import type { Dialect } from './dialect.ts'

const OURS: readonly Kind[] = [Kind.edit, Kind.generation, Kind.treeline]
const OMP_ONLY: readonly Kind[] = [Kind.title_change, Kind.reset_boundary, Kind.model_usage, Kind.credential_pin]
/** Not `session_info`, which Treeline writes into other tools' files too; a file with that alone is Pi's anyway. */
const PI_ONLY: readonly Kind[] = [Kind.context_edit, Kind.usage, Kind.leaf, Kind.active_tools_change]
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
 * Which tool a log belongs to, by what is in it: nothing in a v3 file names its writer. `kinds` are those that occur in it.
 * `sealed` says that the header line ends in Treeline's checksum: then Treeline began it. What Treeline appended to a file
 * that another tool began changes nothing about whose it is. Marks only one tool leaves are looked at first; a file
 * without any is what Pi writes.
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
  // A tool that rewrites our header may put a field of its own behind the checksum.
  if (sealed || headerHas('crc') || (header === undefined && has(OURS))) return 'treeline'
  if (titleSlot !== undefined || has(OMP_ONLY) || OMP_HEADER_FIELDS.some(headerHas)) return 'omp'
  if (has(PI_ONLY)) return 'pi'
  const hasXcshId = typeof header?.id === 'string' && SNOWFLAKE.test(header.id)
  return hasXcshId || has(XCSH_FAMILY) || headerHas('titleSource') ? 'xcsh' : 'pi'
}
