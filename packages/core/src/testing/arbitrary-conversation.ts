import fc from 'fast-check'
import type { Entry } from '../entry/entry.ts'

const TIME = '2026-01-01T00:00:00.000Z'

const kinds = fc.constantFrom(
  ...['user', 'assistant', 'user', 'assistant', 'toolResult', 'assistant', 'toolResult', 'toolResult', 'user'],
  ...['turn', 'turn', 'turn', 'turn', 'user', 'user', 'assistant', 'assistant', 'toolResult', 'toolResult'],
  ...['system', 'developer', 'bashExecution', 'pythonExecution', 'custom', 'hookMessage', 'fileMention'],
  ...['custom_message', 'branch_summary', 'compaction', 'compaction', 'reset_boundary', 'context_edit', 'context_edit'],
  ...['model_change', 'label', 'generation', 'odd_message', 'extension'],
)

/** Numbers choose variants; 0 is always the plain one, so that what fast-check shrinks to is easy to read. */
interface Step {
  readonly kind: string
  readonly up: number
  readonly form: number
  readonly to: number
  readonly detail: number
  readonly blocks: readonly { readonly form: number; readonly id: number; readonly detail: number }[]
}

const variant = (last: number) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(last) })
const steps: fc.Arbitrary<Step> = fc.record({
  kind: kinds,
  up: variant(9),
  form: variant(15),
  to: fc.nat(7),
  detail: variant(7),
  blocks: fc.array(fc.record({ form: fc.nat(10), id: variant(10), detail: variant(10) }), { maxLength: 4 }),
})

/**
 * Conversations as a hostile tool might have written them: branches, calls without results and results without calls,
 * odd ids, messages of the wrong shape. Parents always come first; `arbitraryEntries({ wild })` covers the rest.
 */
export function arbitraryConversation(options: { readonly maxLength?: number } = {}): fc.Arbitrary<Entry[]> {
  return fc
    .array(steps, { maxLength: options.maxLength ?? 24, size: 'max' })
    .map((list) => JSON.parse(JSON.stringify(new Conversation(list).entries)) as Entry[])
}

class Conversation {
  readonly entries: Entry[] = []
  private markers = 0
  /** Call ids in the order they were made, whatever their type. */
  private readonly callIds: unknown[] = []

  constructor(list: readonly Step[]) {
    for (const [index, step] of list.entries()) {
      const { up } = step
      const back = up < 7 ? 1 : up === 7 ? 2 : 1 + (step.to % Math.max(1, index))
      const parentId = up === 9 ? null : (this.entries.at(-back)?.id ?? null)
      if (step.kind === 'turn') this.addTurn(step, `e${index}`, parentId)
      else this.add(step, `e${index}`, parentId)
    }
  }

  /** What an agent writes: an answer that calls tools, and the results one under the other, unless it was stopped. */
  private addTurn(step: Step, id: string, parentId: string | null): void {
    const called = this.callIds.length
    const blocks = [...step.blocks, { form: 1, id: 0, detail: 0 }]
    this.add({ ...step, kind: 'assistant', form: step.form % 3, blocks }, id, parentId)
    const results = this.callIds.slice(called, step.detail === 7 ? -1 : undefined)
    for (const [at, toolCallId] of results.entries()) {
      const content = [this.text()]
      const message = { role: 'toolResult', toolCallId, toolName: 'read', content, isError: step.form === 1 }
      this.entries.push({ type: 'message', id: `${id}r${at}`, parentId: this.recent(0), timestamp: TIME, message })
    }
  }

  private add(step: Step, id: string, parentId: string | null): void {
    const head = { id, parentId, timestamp: TIME }
    const { kind, form, to } = step
    switch (kind) {
      case 'custom_message': {
        const details = { hidden: this.mark() }
        this.entries.push({
          type: kind,
          ...head,
          customType: 'note',
          content: this.content(form),
          display: true,
          details,
        })
        break
      }
      case 'branch_summary': {
        const summary = form < 10 ? this.mark() : [' \n', '', null, 7, this.mark(), {}][form - 10]
        this.entries.push({ type: kind, ...head, fromId: 'root', summary })
        break
      }
      case 'compaction': {
        const summary = form < 13 ? this.mark() : [' \n', '', null][form - 13]
        this.entries.push({ type: kind, ...head, summary, tokensBefore: 1, ...this.kept(step, id) })
        break
      }
      case 'context_edit':
        this.entries.push({ type: kind, ...head, targetId: this.target(step, id), ...this.replacement(form) })
        break
      case 'model_change':
        this.entries.push({ type: kind, ...head, provider: 'p', modelId: 'm', model: 'p/m', role: 'default' })
        break
      case 'label':
        this.entries.push({ type: kind, ...head, targetId: this.recent(to), label: 'here' })
        break
      case 'generation': {
        const nodeId = `n${id}`
        const data = { nodeId, parentId, model: 'm' }
        this.entries.push({ type: 'custom', ...head, customType: 'treeline/generation', data })
        if (form % 2 === 1) this.entries.push({ type: 'message', ...head, id: nodeId, message: this.assistant(step) })
        break
      }
      case 'reset_boundary':
        this.entries.push({ type: kind, ...head })
        break
      case 'extension':
        this.entries.push({ type: 'custom', ...head, customType: 'ext', data: { hidden: this.mark() } })
        break
      case 'odd_message':
        this.entries.push({ type: 'message', ...head, ...this.oddMessage(form) })
        break
      default:
        this.entries.push({ type: 'message', ...head, message: this.message(step) })
    }
  }

  /** A word that no other text has, and that base64 may hold: see `markersIn`. */
  private mark(): string {
    return `mk${this.markers++}km`
  }

  private recent(back: number): string {
    return this.entries.at(-1 - back)?.id ?? 'none'
  }

  private text(): object {
    return { type: 'text', text: this.mark() }
  }

  private image(form = 0): object {
    const marker = this.mark()
    const data = `AAAA${marker}`.padEnd(Math.ceil((4 + marker.length) / 4) * 4, 'A')
    switch (form) {
      case 1:
        return { type: 'image', data: '', mimeType: 'image/png' }
      case 2:
        return { type: 'image', mimeType: 'image/png' }
      case 3:
        return { type: 'image', data, mimeType: 'text/plain' }
      case 4:
        return { type: 'image', data }
      case 5:
        return { type: 'image', data: `/tmp/not base64.png`, mimeType: 'image/png' }
      default:
        return { type: 'image', data, mimeType: 'image/png' }
    }
  }

  /** What stands where text or blocks belong. */
  private content(form: number): unknown {
    switch (form) {
      case 1:
        return [this.text()]
      case 2:
        return [this.text(), this.text()]
      case 3:
        return [this.text(), this.image()]
      case 4:
        return [this.image()]
      case 5:
        return ''
      case 6:
        return ' \n\t'
      case 7:
        return []
      case 8:
        return [{ type: 'text', text: '' }, this.text(), { type: 'text', text: '\u00a0 ' }]
      case 9:
        return [{ type: 'text', text: ' ' }]
      case 10:
        return null
      case 11:
        return [
          null,
          'loose',
          { type: 'text' },
          { type: 'text', text: 5 },
          { type: 'mystery', data: this.mark() },
          this.text(),
        ]
      case 12:
        return [1, 2, 3, 4, 5].map((broken) => this.image(broken))
      case 13:
        return { type: 'text', text: this.mark() }
      case 14:
        return undefined
      case 15:
        return `${this.mark()}\u0000\ud800`
      default:
        return `${this.mark()} words`
    }
  }

  private message(step: Step): object {
    const { kind, form, detail } = step
    switch (kind) {
      case 'assistant':
        return this.assistant(step)
      case 'toolResult':
        return this.toolResult(step)
      case 'bashExecution':
      case 'pythonExecution': {
        const source = kind === 'bashExecution' ? 'command' : 'code'
        const run = { [source]: this.mark(), output: this.mark(), exitCode: 0, cancelled: false, truncated: false }
        const forms = [{}, { excludeFromContext: true }, { excludeFromContext: false }, { output: '' }, { exitCode: 3 }]
        const odd = [{ cancelled: true }, { truncated: true, fullOutputPath: '/tmp/x' }, { output: null }]
        return { role: kind, ...run, ...[...forms, ...odd][form % 8] }
      }
      case 'fileMention': {
        const file = () => ({ path: this.mark(), content: this.mark(), lineCount: 1 })
        if (detail === 0) return { role: kind, files: [file()] }
        if (detail === 1) return { role: kind, files: [file(), { ...file(), image: this.image() }] }
        return {
          role: kind,
          files: [[], null, [null], [{ path: this.mark(), content: '' }], [file(), 5], 'x'][detail - 2],
        }
      }
      case 'system': {
        const sections = [
          undefined,
          undefined,
          { tone: this.mark() },
          { tone: null },
          { tone: this.mark(), task: this.mark() },
        ]
        const chosen = sections[detail]
        return { role: kind, content: this.content(form), ...(chosen && { sections: chosen }) }
      }
      case 'custom':
      case 'hookMessage':
        return {
          role: kind,
          customType: 'x',
          content: this.content(form),
          display: false,
          details: { at: this.mark() },
        }
      default:
        return { role: kind, content: this.content(form), ...(detail === 1 && { attribution: 'agent' }) }
    }
  }

  private assistant({ form, blocks }: Step): object {
    const stopReason = ['stop', 'toolUse', 'length', 'error', 'aborted', undefined][form % 6]
    const rest = {
      ...(stopReason !== undefined && { stopReason }),
      ...(stopReason === 'error' && { errorMessage: this.mark() }),
    }
    if (form === 13) return { role: 'assistant', content: `${this.mark()} plain`, ...rest }
    if (form === 14) return { role: 'assistant', content: null, ...rest }
    return { role: 'assistant', content: blocks.map((block) => this.assistantBlock(block)), ...rest }
  }

  private assistantBlock({ form, id, detail }: Step['blocks'][number]): unknown {
    switch (form) {
      case 0:
        return this.text()
      case 1:
      case 2:
      case 3:
        return this.toolCall(id, detail)
      case 4:
        return { type: 'thinking', thinking: this.mark() }
      case 5:
        return { type: 'thinking', thinking: this.mark(), thinkingSignature: `sig${this.mark()}` }
      case 6:
        return { type: 'redactedThinking', data: `c2Vj${this.mark()}` }
      case 7:
        return { type: 'text', text: '' }
      case 8:
        return { type: 'text', text: ' \n' }
      case 9:
        return { type: 'thinking', thinking: '', ...(detail === 1 && { thinkingSignature: 'sig' }) }
      default:
        return [null, 'loose', { type: 'text', text: null }, { type: 'image', data: 'AAAA', mimeType: 'image/png' }][
          detail % 4
        ]
    }
  }

  private toolCall(idForm: number, detail: number): object {
    const n = this.callIds.length
    const ids = [`c${n}`, `call|fc_${n}`, '', `${n}`.padStart(100, 'x'), 'dup', this.callIds.at(-1) ?? 'dup', 'call_1']
    const id = [...ids, undefined, 17, `ü${n}`, '__proto__'][idForm]
    this.callIds.push(id)
    const marked = () => ({ path: this.mark(), deep: { list: [1, null, 'x'] } })
    const call = { type: 'toolCall', id, name: 'read', arguments: marked() }
    const odd = [{}, { thoughtSignature: 'sig' }, { name: 'bad name!' }, { name: '' }, { name: undefined }]
    const inputs = [{ arguments: {} }, { arguments: null }, { arguments: [1] }, { arguments: '{"path":1}' }]
    const hostile = { arguments: JSON.parse(`{"__proto__":{"path":"${this.mark()}"}}`) as object }
    return { ...call, ...[...odd, ...inputs, { name: 'n'.repeat(80) }, hostile][detail] }
  }

  private toolResult({ form, to, detail }: Step): object {
    const unknown = [undefined, 'nope', ''][detail - 5]
    const toolCallId =
      detail < 5 && this.callIds.length > 0 ? this.callIds.at(-1 - (to % this.callIds.length)) : unknown
    const toolName = ['read', 'read', 'other', '', undefined][detail] ?? 'read'
    const isError = [false, true, undefined, 'yes'][form % 4]
    const content = this.content([0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15][form] ?? 0)
    return { role: 'toolResult', toolCallId, toolName, content, isError, details: { hidden: this.mark() } }
  }

  private oddMessage(form: number): object {
    const forms: unknown[] = [null, 'words', [], {}, { role: 5, content: this.mark() }, { content: this.mark() }]
    const strange = { role: 'narrator', content: this.mark() }
    return form % 8 === 7 ? {} : { message: [...forms, strange][form % 8] }
  }

  private kept(step: Step, ownId: string): object {
    const { to, detail, form, blocks } = step
    if (detail < 4) {
      const restated = form === 1 && { systemMessage: { role: 'system', content: this.mark() } }
      return { firstKeptEntryId: this.recent(to), ...restated }
    }
    const held = () =>
      blocks.map((block) => this.message({ ...step, kind: block.id % 2 === 0 ? 'assistant' : 'toolResult' }))
    if (form === 2) return { firstKeptEntryId: this.recent(to), retainedTail: held() }
    const label = this.entries.findLast((entry) => entry.type === 'label')?.id ?? 'none'
    const later = `e${Number(ownId.slice(1)) + 1}`
    return [
      { firstKeptEntryId: ownId },
      {},
      { firstKeptEntryId: to % 2 === 0 ? 'e9999' : later },
      { firstKeptEntryId: label },
    ][detail - 4]!
  }

  /** An entry before it, the one the last edit was for, or one that comes later. */
  private target({ to, detail }: Step, ownId: string): string {
    const last = this.entries.findLast((entry) => entry.type === 'context_edit')
    if (detail >= 4 && last !== undefined) return last.targetId as string
    return detail === 3 ? `e${Number(ownId.slice(1)) + 1 + to}` : this.recent(to)
  }

  private replacement(form: number): object {
    if (form < 4) return { replacement: null }
    if (form === 4) return {}
    if (form < 9) return { replacement: { content: this.mark() } }
    const odd = [
      [this.text()],
      [],
      '',
      null,
      5,
      [this.image()],
      [{ type: 'toolCall', id: 'dup', name: 'read', arguments: {} }],
    ]
    return { replacement: { content: odd[form - 9] } }
  }
}
