import type { Agent, ApprovalAnswer, ApprovalQuestion, Prompt, TurnEvent } from '@treeline/agent'
import { expandPasted, pasteText, selectNode } from '@treeline/agent'
import { type EditRequestOp, Flag, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Context } from '../context.ts'
import type { ChatActions, View } from './chat-actions.ts'
import { runSlash } from './commands/run-slash.ts'
import { callTitle, readTrunk, type Said, toSaid } from './transcript.ts'

/** What is going on right now and is not in the transcript yet. */
export interface Live {
  readonly text: string
  readonly isThinking: boolean
  /** The tool that runs, and the end of what it prints. */
  readonly tool?: string
  readonly output?: string
}

export interface Status {
  readonly model: string
  readonly tokens: number
  readonly window: number
  readonly cost: number
  readonly mode: string
}

/** All that the screen shows. Replaced, never changed. */
export interface ChatSnapshot {
  /** Changes when the transcript is another one: it is printed anew then. */
  readonly epoch: number
  readonly said: readonly Said[]
  readonly live: Live | undefined
  readonly queued: readonly string[]
  readonly question: ApprovalQuestion | undefined
  readonly isBusy: boolean
  readonly view: View | undefined
  readonly status: Status
  /** What the editor is to hold, with a number that says that it is new. */
  readonly draft: { readonly text: string; readonly version: number }
}

const NO_STATUS: Status = { model: '', tokens: 0, window: 0, cost: 0, mode: 'default' }
const OUTPUT_CHARS = 2_000
const FRAME_MS = 60

export interface ControllerParts {
  readonly agent: Agent
  readonly context: Context
  readonly session: Session
  readonly cwd: string
  /** Told of every prompt. */
  readonly onPrompt: (session: Session, prompt: string) => Promise<void>
  readonly onSwitch: (session: Session) => Promise<void>
  readonly onQuit: () => void
}

/** The chat without its screen: takes what the user does, drives the agent, and tells what is to be shown. */
export class ChatController implements ChatActions {
  readonly agent: Agent
  readonly context: Context
  readonly cwd: string
  session: Session
  private readonly parts: ControllerParts
  private readonly listeners = new Set<() => void>()
  private snapshot: ChatSnapshot
  private running: AbortController | undefined
  private answer: ((answer: ApprovalAnswer) => void) | undefined
  private asked = new Map<string, string>()
  private count = 0
  private telling: NodeJS.Timeout | undefined

  constructor(parts: ControllerParts) {
    this.parts = parts
    this.agent = parts.agent
    this.context = parts.context
    this.cwd = parts.cwd
    this.session = parts.session
    this.snapshot = {
      epoch: 0,
      said: [],
      live: undefined,
      queued: [],
      question: undefined,
      isBusy: false,
      view: undefined,
      status: NO_STATUS,
      draft: { text: '', version: 0 },
    }
  }

  get signal(): AbortSignal {
    return this.running?.signal ?? new AbortController().signal
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly getSnapshot = (): ChatSnapshot => this.snapshot

  /** What was typed. */
  async submit(typed: string): Promise<void> {
    const text = typed.trim()
    if (text === '') return
    if (this.snapshot.isBusy) {
      this.set({ queued: [...this.snapshot.queued, text] })
      return
    }
    await this.guarded(() => this.take(text))
  }

  /** A long paste stands as a placeholder until it is sent. */
  paste(text: string): Promise<string> {
    return pasteText(this.session, text)
  }

  /** What waits comes back into the editor: who stops the model wants to say something else. */
  cancel(): void {
    const { queued } = this.snapshot
    if (queued.length > 0) {
      this.set({ queued: [] })
      this.setEditor(queued.join('\n'))
    }
    this.running?.abort()
  }

  /** To the question that is shown. */
  approve(answer: ApprovalAnswer): void {
    this.set({ question: undefined })
    this.answer?.(answer)
    this.answer = undefined
  }

  /** For the agent: shows the question and waits. */
  readonly ask = (question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> =>
    new Promise((resolve) => {
      this.answer = resolve
      this.set({ question })
      signal.addEventListener('abort', () => this.set({ question: undefined }), { once: true })
    })

  /** M9: a prompt is taken back into the editor, from anything else the conversation goes on. */
  async pick(nodeId: string): Promise<void> {
    this.set({ view: undefined })
    await this.guarded(async () => {
      const { leafId, editorText } = await selectNode(this.session, nodeId)
      await this.agent.leaveBranch(this.session, { toId: leafId })
      if (editorText !== undefined) this.setEditor(editorText)
      await this.reload()
      this.show('Back at an earlier place. What came after it is kept: /tree shows it.')
    })
  }

  async toggleMute(nodeId: string): Promise<void> {
    const { columns, ids } = this.session.tree
    const op = columns.has(ids.find(nodeId), Flag.muted) ? 'unmute' : 'mute'
    await this.guarded(() => this.change([{ op, nodeIds: [nodeId] }]))
  }

  async prune(nodeId: string): Promise<void> {
    await this.guarded(() => this.change([{ op: 'prune', nodeId, include: 'self' }]))
  }

  async undo(): Promise<void> {
    await this.guarded(async () => {
      await this.session.undo()
      await this.refreshStatus()
    })
  }

  show(text: string): void {
    this.add({ key: this.newKey(), kind: 'note', text })
  }

  warn(text: string): void {
    this.add({ key: this.newKey(), kind: 'warning', text })
  }

  setEditor(text: string): void {
    this.set({ draft: { text, version: this.snapshot.draft.version + 1 } })
  }

  open(view: View): void {
    this.set({ view })
  }

  closeView(): void {
    this.set({ view: undefined })
  }

  async switchTo(session: Session): Promise<void> {
    const before = this.session
    this.session = session
    if (before !== session) {
      await this.parts.onSwitch(session)
      await before.close()
    }
    await this.reload()
  }

  async reload(): Promise<void> {
    const said = await readTrunk(this.session)
    this.set({ said, epoch: this.snapshot.epoch + 1 })
    await this.refreshStatus()
  }

  quit(): void {
    this.cancel()
    this.parts.onQuit()
  }

  async refreshStatus(): Promise<void> {
    const { session, agent } = this
    const mode =
      session.config.approvalMode === 'default' ? agent.env.settings.approvalMode : session.config.approvalMode
    try {
      const { model, size } = await agent.preview(session)
      const { tokens } = size
      this.set({
        status: { ...this.snapshot.status, model: model.ref, window: model.info.contextWindow, tokens, mode },
      })
    } catch (error) {
      // A model that cannot be opened is told of when it is asked.
      if (!(error instanceof TreelineError)) throw error
      this.set({ status: { ...this.snapshot.status, mode } })
    }
  }

  private async change(operations: readonly EditRequestOp[]): Promise<void> {
    await this.session.edit({ operations })
    await this.refreshStatus()
  }

  private async take(text: string): Promise<void> {
    if (text.startsWith('/')) return this.busy(() => runSlash(this, text))
    if (text.startsWith('!')) return this.shell(text)
    const prompt = await expandPasted(this.session, text)
    await this.parts.onPrompt(this.session, text)
    await this.turn(prompt)
  }

  private async shell(text: string): Promise<void> {
    const isExcluded = text.startsWith('!!')
    const command = text.slice(isExcluded ? 2 : 1).trim()
    await this.busy(async (signal) => {
      this.set({ live: { text: '', isThinking: false, tool: `! ${command}`, output: '' } })
      const onOutput = (said: string) => this.output(said)
      const { entry } = await this.agent.shell(this.session, { command, isExcluded, signal, onOutput })
      for (const said of toSaid(entry)) this.add(said)
    })
  }

  private async turn(prompt: Prompt): Promise<void> {
    await this.busy(async (signal) => {
      const steer = () => this.takeQueued()
      for await (const event of this.agent.run(this.session, prompt, { signal, steer })) await this.tell(event)
    })
    await this.refreshStatus()
  }

  /** While it works nothing else is begun; what is typed meanwhile waits. */
  private async busy(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.running = new AbortController()
    this.set({ isBusy: true })
    try {
      await work(this.running.signal)
    } finally {
      this.running = undefined
      this.set({ isBusy: false, live: undefined, question: undefined })
    }
    const [next, ...queued] = this.snapshot.queued
    if (next === undefined) return
    this.set({ queued })
    await this.take(next)
  }

  /** Prompts that wait go to the model between two of its calls; commands wait for the end. */
  private takeQueued(): readonly Prompt[] {
    const { queued } = this.snapshot
    const at = queued.findIndex((text) => /^[/!]/.test(text))
    const taken = at < 0 ? queued : queued.slice(0, at)
    if (taken.length > 0) this.set({ queued: queued.slice(taken.length) })
    return taken
  }

  private async tell(event: TurnEvent): Promise<void> {
    switch (event.type) {
      case 'prompted':
        return this.addEntry(event.nodeId)
      case 'started':
        return this.set({ live: { text: '', isThinking: false } })
      case 'delta': {
        const text = this.snapshot.live?.text ?? ''
        const isThinking = event.kind === 'thinking'
        return this.setSoon({ live: { text: isThinking ? text : text + event.text, isThinking } })
      }
      case 'finished':
        this.set({ live: undefined })
        this.addCost(event.usage?.cost?.total ?? 0)
        return this.addEntry(event.nodeId)
      case 'failed':
        this.set({ live: undefined })
        return this.addEntry(event.nodeId)
      case 'tool_asked':
        this.asked.set(event.toolCallId, callTitle(event.name, event.input))
        return
      case 'tool_started':
        return this.set({ live: { text: '', isThinking: false, tool: this.asked.get(event.toolCallId) ?? event.name } })
      case 'tool_output':
        return this.output(event.text)
      case 'tool_done':
        this.set({ live: undefined })
        return this.addEntry(event.nodeId, this.asked.get(event.toolCallId))
      case 'retrying':
        return this.warn(`${event.message} Trying again in ${Math.ceil(event.delayMs / 1000)} s.`)
      case 'compacting':
        return this.show('The conversation is long: summing up its beginning …')
      case 'compacted':
        return this.show(`${event.report.coveredIds.length} messages are summed up now. /undo takes that back.`)
      case 'notice':
        return this.warn(event.message)
      default:
        return
    }
  }

  private output(text: string): void {
    const { live } = this.snapshot
    if (live !== undefined) this.set({ live: { ...live, output: `${live.output ?? ''}${text}`.slice(-OUTPUT_CHARS) } })
  }

  private async addEntry(nodeId: string, title?: string): Promise<void> {
    const entry = await this.session.readEntry(nodeId)
    if (entry === undefined) return
    for (const said of toSaid(entry)) this.add(title === undefined ? said : { ...said, title })
  }

  private addCost(cost: number): void {
    const { status } = this.snapshot
    this.set({ status: { ...status, cost: status.cost + cost } })
  }

  private add(said: Said): void {
    this.set({ said: [...this.snapshot.said, said] })
  }

  /** What goes wrong is shown; the chat goes on. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.warn(error instanceof Error ? error.message : String(error))
    }
  }

  private newKey(): string {
    return `n${this.count++}`
  }

  private set(change: Partial<ChatSnapshot>): void {
    this.snapshot = { ...this.snapshot, ...change }
    clearTimeout(this.telling)
    this.telling = undefined
    for (const listener of this.listeners) listener()
  }

  /** For what comes a hundred times a second and takes a while to lay out. */
  private setSoon(change: Partial<ChatSnapshot>): void {
    this.snapshot = { ...this.snapshot, ...change }
    this.telling ??= setTimeout(() => this.set({}), FRAME_MS)
  }
}
