import { type Entry, TreelineError } from '@treeline/core'
import { type BlobRef, hashOf } from '../blobs/blob-ref.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { findEntryRefs } from '../blobs/find-refs.ts'

type BlobProblem = 'blob_missing' | 'blob_damaged'

/** Looks at every blob once, however many entries name it; the first entry that does is told of what is wrong. */
export class BlobCheck {
  private readonly blobs: BlobStore
  private readonly seen = new Set<string>()

  constructor(blobs: BlobStore) {
    this.blobs = blobs
  }

  async check(entry: Entry): Promise<[BlobProblem, string][]> {
    const problems: [BlobProblem, string][] = []
    for (const ref of findEntryRefs(entry)) {
      const hash = hashOf(ref)
      if (this.seen.has(hash)) continue
      this.seen.add(hash)
      const problem = await this.look(ref)
      if (problem !== undefined) problems.push([problem, hash])
    }
    return problems
  }

  private async look(ref: BlobRef): Promise<BlobProblem | undefined> {
    try {
      return (await this.blobs.read(ref)) === undefined ? 'blob_missing' : undefined
    } catch (error) {
      // One that cannot be read at all is as good as damaged, and must not end the check of the others (I7).
      if (error instanceof TreelineError) return 'blob_damaged'
      throw error
    }
  }
}
