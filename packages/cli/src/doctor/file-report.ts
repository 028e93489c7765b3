import type { OpenedFile } from '@treeline/formats'
import type { Finding, LogDiagnosis } from '@treeline/store'

/** What `doctor FILE --json` prints. */
export interface FileReport {
  /** Whether all of it can be read. */
  readonly ok: boolean
  /** Those that can be read. */
  readonly entries: number
  readonly damage: readonly DamagedRange[]
  readonly warnings: readonly Warning[]
}

/** Bytes that hold nothing usable. What is not known is `null`. */
export interface DamagedRange {
  readonly offset: number | null
  readonly length: number | null
  /** 1-based. */
  readonly line: number | null
  readonly reason: string
}

export interface Warning {
  readonly reason: string
  readonly message: string
  readonly offset?: number
  readonly length?: number
  readonly line?: number
  /** The entry it is about. */
  readonly id?: string
  readonly path?: string
}

/**
 * A line that was cut short at the end counts as damage: its bytes are no entry, though nothing that was acknowledged was
 * lost with it.
 */
export function isDamage({ severity, code }: Finding): boolean {
  return severity === 'damage' || code === 'torn_tail'
}

export function reportOfLog({ entryCount, findings }: LogDiagnosis): FileReport {
  // A header that is damaged is missing as well: that is one damage, and is told where its bytes are.
  const isToldBefore = ({ code, offset = 0 }: Finding) =>
    code === 'no_header' && findings.some((other) => isDamage(other) && (other.offset ?? 0) < offset)
  const isCounted = (finding: Finding) => isDamage(finding) && !isToldBefore(finding)
  const damage = findings.filter(isCounted).map(damagedRange)
  const warnings = findings.filter((finding) => !isCounted(finding)).map(toWarning)
  return { ok: damage.length === 0, entries: entryCount, damage, warnings }
}

/** Of a file that was translated: what its reader noted. */
export function reportOfTranslation(translation: NonNullable<OpenedFile['translation']>): FileReport {
  const { entries, notes } = translation
  const damage = notes
    .filter(({ kind }) => kind === 'damage')
    .map(({ offset, length, line, message }) => ({
      offset: offset ?? null,
      length: length ?? null,
      line: line ?? null,
      reason: message,
    }))
  const warnings = notes
    .filter(({ kind }) => kind !== 'damage')
    .map(({ kind, message, ...place }) => ({ reason: kind, message, ...withoutUndefined(place) }))
  return { ok: damage.length === 0, entries: entries.length, damage, warnings }
}

export function damagedRange({ offset, length, line, code }: Finding): DamagedRange {
  return { offset: offset ?? null, length: length ?? null, line: line ?? null, reason: code }
}

export function toWarning({ code, message, detail, offset, length, line, id, path }: Finding): Warning {
  const said = detail === undefined ? message : `${message} (${detail})`
  return { reason: code, message: said, ...withoutUndefined({ offset, length, line, id, path }) }
}

type Defined<T> = { readonly [K in keyof T]?: NonNullable<T[K]> }

function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Defined<T>
}
