import type { ImageBlock, TextBlock } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { z } from 'zod'

/** What a tool gets to work with. */
export interface ToolContext {
  readonly session: Session
  /** Where the branch it is called from ends. */
  readonly tipId: string | null
  /** The project's folder; relative paths start here. */
  readonly cwd: string
  readonly toolCallId: string
  /** What must not appear in an output: keys of providers. */
  readonly secrets: readonly string[]
  /** Aborted when the turn is cancelled. A tool ends soon after, with what it has. */
  readonly signal: AbortSignal
  /** Shown while it runs; not kept. */
  onOutput(text: string): void
}

export interface ToolOutput {
  readonly content: readonly (TextBlock | ImageBlock)[]
  readonly isError?: boolean
  /** For programs and people, not for the model. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Exactly what a call will do, for the question whether it may. Shown as it is, sanitised and uncropped. */
export interface ToolPreview {
  /** One line: `bash`, `write src/a.ts`. */
  readonly title: string
  /** The command, the difference, the new file. */
  readonly body?: string
  readonly language?: 'shell' | 'diff' | 'text'
  /** An edit of something outside the project, or of what makes programs run: see `decide`. */
  readonly isOutsideProject?: boolean
}

/**
 * Something a model can do. `effect` decides who is asked: `read` runs unasked, `edit` changes files of the project,
 * `run` does anything.
 */
export interface Tool<Input = never> {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly effect: 'read' | 'edit' | 'run'
  /** Running it twice does no harm: a call that a crash cut off may be repeated without asking. */
  readonly isRepeatable: boolean
  preview(input: Input, context: ToolContext): Promise<ToolPreview> | ToolPreview
  /** Failures a model can learn from are an output with `isError`, or thrown; both reach it as text. */
  run(input: Input, context: ToolContext): Promise<ToolOutput>
}

// biome-ignore lint/suspicious/noExplicitAny: each tool takes what its own schema admits, and only `runTool` calls it.
export type AnyTool = Tool<any>
