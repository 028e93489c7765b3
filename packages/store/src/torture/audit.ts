import { basename, dirname } from 'node:path'
import { decodeLog, type Entry, Flag } from '@treeline/core'
import { openMemoryStore } from '../memory-store.ts'
import type { Session } from '../session/session.ts'
import type { SessionStorage } from '../storage/storage.ts'
import type { SessionStore } from '../store.ts'
import type { Ledger, Page } from './ledger.ts'
import { OLD_PATH, OLD_TEXTS } from './old-log.ts'
import { HOME, readBytes } from './place-log.ts'
import { saysTheSame } from './sample-entry.ts'

export interface AuditOptions {
  /** The old log's text from before it was migrated. */
  readonly original: string
  /** After a failed sync lines are written again, so that an id may stand on two. */
  readonly mayRepeat?: boolean
}

/**
 * The oracle: acknowledged ⊆ recovered ⊆ attempted, nothing twice, every body as it was sent, damage reported where there
 * is damage and nowhere else. Returns what is wrong, in words.
 */
export async function auditStore(storage: SessionStorage, ledger: Ledger, options: AuditOptions): Promise<string[]> {
  const wrong: string[] = []
  await using store = await openMemoryStore({ storage, home: HOME })
  for (const [id, page] of ledger.pages) {
    if (await store.exists(id)) wrong.push(...(await auditSession(storage, store, id, page, options)))
    else if (page.isMade) wrong.push(`session ${id} is gone`)
  }
  for (const [ref, bytes] of ledger.blobs) {
    const found = await store.readBlob(ref)
    if (found === undefined || Buffer.compare(found, bytes) !== 0) wrong.push('a blob is not what was put')
  }
  return [...wrong, ...(await auditOld(storage, store, options.original))]
}

async function auditSession(
  storage: SessionStorage,
  store: SessionStore,
  id: string,
  page: Page,
  { mayRepeat = false }: AuditOptions,
): Promise<string[]> {
  await using session = await store.open(id, { acceptDamage: true })
  const wrong: string[] = session.id === id ? [] : [`says it is ${session.id}`]
  const seen = new Map<string, Entry>()
  for await (const entry of session.entries()) {
    if (seen.has(entry.id) && !mayRepeat) wrong.push(`${entry.id} is there twice`)
    seen.set(entry.id, entry)
  }
  for (const draft of page.acknowledged.values()) if (!seen.has(draft.id!)) wrong.push(`${draft.id} is gone`)
  for (const entry of seen.values())
    if (entry.type === 'message') wrong.push(...(await auditBody(session, entry, page)))
  const { ids, columns, edits } = session.tree
  for (const muted of page.muted) if (!columns.has(ids.find(muted), Flag.muted)) wrong.push(`${muted} is not muted`)
  for (const [labelled, label] of page.labels) {
    if (edits.labels.get(labelled)?.label !== label) wrong.push(`the label of ${labelled} is gone`)
  }
  wrong.push(...auditDamage(session, readBytes(storage, session.path)))
  return wrong.map((text) => `${id}: ${text}`)
}

async function auditBody(session: Session, entry: Entry, page: Page): Promise<string[]> {
  const draft = page.attempted.get(entry.id)
  if (draft === undefined) return session.id === 'old' ? [] : [`nobody sent ${entry.id}`]
  if (saysTheSame(entry, draft)) return []
  const full = await session.readFull(entry.id)
  return full !== undefined && saysTheSame(full.entry, draft) ? [] : [`${entry.id} says something else`]
}

/** Every body was read by now: what is wrong must be known, and be what a full decoding finds wrong (I2). */
function auditDamage(session: Session, bytes: Uint8Array): string[] {
  const { skipped, unreadable, tornAt } = session.report()
  const isDamage = ({ severity }: { severity: string }): boolean => severity === 'damage'
  const reported = [...skipped.filter(isDamage).map(({ line }) => line), ...unreadable.map((e) => e.details.line!)]
  const lineAt = (offset: number): number =>
    Buffer.from(bytes.subarray(0, offset)).toString('latin1').split('\n').length
  if (tornAt !== undefined) reported.push(lineAt(tornAt))
  const injected = decodeLog(bytes).skipped.filter(isDamage)
  const [told, real] = [new Set(reported), new Set(injected.map(({ line }) => line))]
  const isSame = told.size === real.size && [...told].every((line) => real.has(line))
  return isSame ? [] : [`damage on lines ${[...real]}, reported on ${[...told]}`]
}

/** Old or new, never neither; and once it is new, the original lies beside it (I5). */
async function auditOld(storage: SessionStorage, store: SessionStore, original: string): Promise<string[]> {
  const now = await storage.readText(OLD_PATH)
  const kept = storage.listFilesSync(dirname(OLD_PATH), `${basename(OLD_PATH)}.v1*`)
  const originals = await Promise.all(kept.map((path) => storage.readText(path)))
  if (now !== original && !originals.includes(original)) return ['old: the original was not kept']
  await using session = await store.openPath(OLD_PATH, { acceptDamage: true })
  const texts: unknown[] = []
  for await (const { message } of session.entries()) texts.push((message as { content: unknown } | undefined)?.content)
  return OLD_TEXTS.every((text) => texts.includes(text)) ? [] : ['old: entries of the old version are gone']
}
