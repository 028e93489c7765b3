import type { StorageReader } from './storage.ts'

/** Syncs of a file that is still being written, one at a time, so that the last one finds little left to do. */
export class EarlySync {
  private readonly file: Pick<StorageReader, 'datasync'>
  private running: Promise<void> | undefined
  private failed: { readonly error: unknown } | undefined

  constructor(file: Pick<StorageReader, 'datasync'>) {
    this.file = file
  }

  /** Begins one, unless one is under way. Throws when an earlier one failed: what it was about may be lost (D5). */
  begin(): void {
    if (this.failed !== undefined) throw this.failed.error
    this.running ??= this.run()
  }

  /** Resolves when none is under way, whatever came of it: the sync that has to follow fails when one of these did. */
  async done(): Promise<void> {
    await this.running
  }

  private async run(): Promise<void> {
    try {
      await this.file.datasync()
    } catch (error) {
      this.failed = { error }
    }
    this.running = undefined
  }
}
