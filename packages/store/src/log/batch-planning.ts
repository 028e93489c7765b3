import { ROOT, type Tree } from '@treeline/core'
import type { LineBuffer } from './line-buffer.ts'
import type { LogReader } from './log-reader.ts'
import type { Planning } from './session-log.ts'

/** The planning of one batch: its lines, and the tree that takes them in when somebody looks. */
export class BatchPlanning implements Planning {
  /** Set when the tree could not take lines in: that is nobody's fault who asked for it. */
  failure: { readonly error: unknown } | undefined
  private readonly reader: LogReader
  private readonly lines: LineBuffer

  constructor(reader: LogReader, lines: LineBuffer) {
    this.reader = reader
    this.lines = lines
  }

  get tree(): Tree {
    try {
      if (this.lines.pushTo(this.reader)) this.reader.sync()
      return this.reader.tree
    } catch (error) {
      this.failure = { error }
      throw error
    }
  }

  get lastMessageId(): string | undefined {
    return this.lines.lastMessageId
  }

  readonly isTaken = (id: string): boolean => this.lines.hasMessage(id) || this.reader.tree.ids.find(id) > ROOT
}
