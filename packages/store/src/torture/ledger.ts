import type { EntryDraft } from '@treeline/core'
import type { BlobRef } from '../blobs/blob-ref.ts'

/** What was asked of a session, and what of it was promised. */
export interface Page {
  readonly attempted: Map<string, EntryDraft>
  readonly acknowledged: Map<string, EntryDraft>
  readonly muted: Set<string>
  readonly labels: Map<string, string>
  /** Whether the session itself was acknowledged. */
  isMade: boolean
}

/** The oracle's memory. */
export class Ledger {
  readonly pages = new Map<string, Page>()
  readonly blobs = new Map<BlobRef, Uint8Array>()

  page(sessionId: string): Page {
    const page = this.pages.get(sessionId) ?? {
      attempted: new Map(),
      acknowledged: new Map(),
      muted: new Set(),
      labels: new Map(),
      isMade: false,
    }
    this.pages.set(sessionId, page)
    return page
  }

  try(sessionId: string, drafts: Iterable<EntryDraft>): void {
    const { attempted } = this.page(sessionId)
    for (const draft of drafts) attempted.set(draft.id!, draft)
  }

  keep(sessionId: string, drafts: Iterable<EntryDraft>): void {
    const { acknowledged } = this.page(sessionId)
    for (const draft of drafts) acknowledged.set(draft.id!, draft)
  }

  /** A fork has of its source what came along, as it was at that time. */
  keepFork(sourceId: string, id: string, ids: readonly string[]): void {
    const source = this.page(sourceId)
    const fork = this.page(id)
    fork.isMade = true
    for (const taken of ids) {
      const draft = source.attempted.get(taken)
      const label = source.labels.get(taken)
      if (draft !== undefined) fork.acknowledged.set(taken, draft)
      if (source.muted.has(taken)) fork.muted.add(taken)
      if (label !== undefined) fork.labels.set(taken, label)
    }
  }
}
