import type { EntryDraft } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import fc from 'fast-check'

/** Numbers choose variants; 0 is always the plain one, so that what fast-check shrinks to is easy to read. */
interface Step {
  readonly kind: string
  readonly words: number
  readonly to: number
  readonly detail: number
}

const kinds = fc.constantFrom(
  ...['user', 'answer', 'turn', 'turn', 'user', 'answer', 'turn', 'turn', 'turn', 'unanswered', 'failed', 'aborted'],
  ...['bash', 'hidden', 'note', 'branch_summary', 'system', 'model_change', 'context_edit', 'reset', 'result'],
  ...['compaction', 'compaction', 'mute', 'mute', 'pin', 'branch', 'branch', 'unmute', 'delete', 'graft', 'copy'],
)

const steps: fc.Arbitrary<Step> = fc.record({
  kind: kinds,
  words: fc.oneof({ weight: 6, arbitrary: fc.nat(40) }, { weight: 1, arbitrary: fc.nat(1500) }),
  to: fc.nat(1000),
  detail: fc.nat(9),
})

/**
 * Conversations as they come about: turns with tools, answers that failed or were cancelled, calls nobody answered,
 * branches, earlier compactions, what was muted, pinned, moved and withdrawn. Run `fillSession` with one.
 */
export function arbitrarySteps(maxLength = 30): fc.Arbitrary<readonly Step[]> {
  return fc.array(steps, { maxLength, size: 'max' })
}

/** Does all of it in a session of its own. What cannot be done in the state it has come to is left out. */
export async function fillSession(list: readonly Step[]): Promise<Session> {
  const store = await openMemoryStore()
  const session = await store.create({ cwd: '/project' })
  const writer = new Writer(session)
  for (const [index, step] of list.entries()) await writer.take(step, index)
  return session
}

const text = (mark: string, words: number) => `${mark} ${'word '.repeat(words)}`.trim()

/** Class: it remembers what it wrote. */
class Writer {
  private readonly session: Session
  private readonly nodeIds: string[] = []
  private lastCallId = 'none'

  constructor(session: Session) {
    this.session = session
  }

  async take(step: Step, index: number): Promise<void> {
    const mark = `m${index}`
    const nodeId = this.nodeIds[step.to % Math.max(1, this.nodeIds.length)]
    switch (step.kind) {
      case 'mute':
      case 'unmute':
        return this.edit(nodeId, (id) => ({ op: step.kind as 'mute', nodeIds: [id] }))
      case 'pin':
        return this.edit(nodeId, (id) => ({ op: 'meta', nodeId: id, patch: { pinned: step.detail < 7 } }))
      case 'delete':
        return this.edit(nodeId, (id) => ({ op: 'delete', nodeIds: [id], how: 'splice' }))
      case 'branch':
        return this.edit(nodeId, (id) => ({ op: 'leaf', leafId: id }))
      case 'graft':
      case 'copy': {
        const targetId = this.nodeIds[step.detail % Math.max(1, this.nodeIds.length)] ?? null
        const mode = step.kind === 'copy' ? ('copy' as const) : ('move' as const)
        return this.edit(nodeId, (id) => ({ op: 'graft', sourceId: id, targetId, mode }))
      }
      default:
        for (const draft of this.drafts(step, mark)) {
          const entry = await this.session.append(draft)
          if (isNode(draft)) this.nodeIds.push(entry.id)
        }
    }
  }

  /** A refusal is the answer to a wish that made no sense. */
  private async edit(
    nodeId: string | undefined,
    make: (id: string) => Parameters<Session['edit']>[0]['operations'][number],
  ): Promise<void> {
    if (nodeId !== undefined) await this.session.edit({ operations: [make(nodeId)] }).catch(() => {})
  }

  private drafts(step: Step, mark: string): readonly EntryDraft[] {
    const { kind, words, detail } = step
    const said = text(mark, words)
    switch (kind) {
      case 'user':
        return [message({ role: 'user', content: detail < 8 ? said : [{ type: 'text', text: said }, IMAGE] })]
      case 'answer':
        return [message(answer([{ type: 'text', text: said }], detail === 0 ? 'length' : 'stop', words))]
      case 'failed':
      case 'aborted':
        return [message(answer([{ type: 'text', text: said }], kind === 'failed' ? 'error' : 'aborted', words))]
      case 'turn':
      case 'unanswered':
        return this.turn(step, mark)
      case 'result':
        return [message(result(this.lastCallId, said, false))]
      case 'bash':
      case 'hidden':
        return [message({ role: 'bashExecution', command: mark, output: said, excludeFromContext: kind === 'hidden' })]
      case 'note':
        return [{ type: 'custom_message', customType: 'note', content: said, display: true }]
      case 'branch_summary':
        return [{ type: 'branch_summary', fromId: 'root', summary: said, details: FILES }]
      case 'system':
        return [message({ role: 'system', content: said, sections: { [`s${detail}`]: detail > 5 ? null : mark } })]
      case 'model_change':
        return [{ type: 'model_change', model: 'scripted/one' }]
      case 'reset':
        return [{ type: 'reset_boundary' }]
      case 'context_edit': {
        const targetId = this.nodeIds[step.to % Math.max(1, this.nodeIds.length)] ?? 'none'
        return [{ type: 'context_edit', targetId, replacement: detail < 5 ? null : { content: said } }]
      }
      default: {
        const firstKeptEntryId = this.nodeIds.at(-1 - (step.to % 6)) ?? 'none'
        return [{ type: 'compaction', summary: said, firstKeptEntryId, tokensBefore: 1, details: FILES }]
      }
    }
  }

  /** An answer that calls tools, and the results one under the other; not all of them when it was stopped. */
  private turn({ kind, words, detail, to }: Step, mark: string): readonly EntryDraft[] {
    const calls = Array.from({ length: 1 + (detail % 3) }, (_, i) => `${to % 7 === 0 ? 'same' : mark}-${i}`)
    const blocks = calls.map((id, i) => {
      const name = ['read', 'write', 'bash'][i]!
      return { type: 'toolCall', id, name, arguments: { path: `src/${to % 5}.ts`, content: text(mark, words / 8) } }
    })
    this.lastCallId = calls.at(-1)!
    const answered = kind === 'turn' ? calls : calls.slice(1)
    const asked = message(answer([{ type: 'text', text: mark }, ...blocks], 'toolUse', words))
    return [asked, ...answered.map((id) => message(result(id, text(mark, words), detail === 9)))]
  }
}

const IMAGE = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }
const FILES = { readFiles: ['src/old.ts'], modifiedFiles: ['src/0.ts'] }

function message(said: Readonly<Record<string, unknown>>): EntryDraft {
  return { type: 'message', message: { ...said, timestamp: 1 } }
}

function answer(content: readonly unknown[], stopReason: string, words: number): Readonly<Record<string, unknown>> {
  const usage = { input: words * 2, output: words, cacheRead: 0, cacheWrite: 0 }
  return { role: 'assistant', content, stopReason, ...(words % 3 > 0 && { usage }) }
}

function result(toolCallId: string, said: string, isError: boolean): Readonly<Record<string, unknown>> {
  return { role: 'toolResult', toolCallId, toolName: 'read', content: [{ type: 'text', text: said }], isError }
}

function isNode({ type }: EntryDraft): boolean {
  return ['message', 'custom_message', 'branch_summary', 'compaction'].includes(type)
}
