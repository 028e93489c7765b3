import type { AgentMessage } from '@treeline/core'
import { type FilesTouched, filesTouched } from '../compaction/files-touched.ts'
import type { BranchMessage } from './branch-messages.ts'

const MESSAGES_AT_A_TIME = 256

/**
 * Which files were read and changed on a branch. Class: it holds messages for a while, and not all of a branch until the end
 * for the few paths in them.
 */
export class BranchFiles {
  private files = filesTouched([], [])
  private messages: AgentMessage[] = []
  private recorded: unknown[] = []

  /** Newest first: so what a call came to is known before the call. */
  add({ message, details }: BranchMessage): void {
    if (details !== undefined) this.recorded.push(details)
    if (message.role === 'toolResult' && message.isError === true) this.messages.push({ ...message, content: [] })
    if (message.role !== 'assistant') return
    this.messages.push(message)
    if (this.messages.length >= MESSAGES_AT_A_TIME) this.all()
  }

  all(): FilesTouched {
    this.files = filesTouched(this.messages, [this.files, ...this.recorded])
    this.messages = []
    this.recorded = []
    return this.files
  }
}
