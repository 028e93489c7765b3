import type { Agent, ApprovalAnswer, ApprovalQuestion, Prompt } from '@treeline/agent'
import { expandPasted, pasteText } from '@treeline/agent'
import { type EditRequestOp, Flag } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Context } from '../context.ts'
import type { ChatActions, View } from './chat-actions.ts'
import { ChatScreen } from './chat-screen.ts'
import { runSlash } from './commands/run-slash.ts'
import type { ChoiceQuestion, Dialog } from './dialog/dialog.ts'
import { goToNode } from './go-to-node.ts'
import { readStatus } from './read-status.ts'
import { turnTeller } from './tell-turn.ts'
import { readTrunk, toSaid } from './transcript/transcript.ts'

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

/** The chat without its screen: takes what the user does, drives the agent, and tells the screen what is to be shown. */
export class ChatController implements ChatActions {
  readonly agent: Agent
  readonly context: Context
  readonly cwd: string
  readonly screen = new ChatScreen()
  session: Session
  private readonly parts: ControllerParts
  private running: AbortController | undefined
  private approved: ((answer: ApprovalAnswer) => void) | undefined

  constructor(parts: ControllerParts) {
    this.parts = parts
    this.agent = parts.agent
    this.context = parts.context
    this.cwd = parts.cwd
    this.session = parts.session
  }

  get signal(): AbortSignal {
    return this.running?.signal ?? new AbortController().signal
  }

  get isBusy(): boolean {
    return this.screen.getSnapshot().isBusy
  }

  /** What was typed. */
  async submit(typed: string): Promise<void> {
    const text = typed.trim()
    if (text === '') return
    if (this.isBusy) {
      this.screen.set({ queued: [...this.screen.getSnapshot().queued, text] })
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
    const { queued } = this.screen.getSnapshot()
    if (queued.length > 0) {
      this.screen.set({ queued: [] })
      this.setEditor(queued.join('\n'))
    }
    this.running?.abort()
  }

  /** To the question that is shown. */
  approve(answer: ApprovalAnswer): void {
    this.screen.set({ question: undefined })
    this.approved?.(answer)
    this.approved = undefined
  }

  /** For the agent: shows the question and waits. */
  readonly ask = (question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> =>
    new Promise((resolve) => {
      this.approved = resolve
      this.screen.set({ question })
      signal.addEventListener('abort', () => this.screen.set({ question: undefined }), { once: true })
    })

  choose<T extends string>(question: ChoiceQuestion<T>): Promise<T | undefined> {
    return this.asked((answer) => ({ type: 'choice', question, answer })) as Promise<T | undefined>
  }

  askLine(title: string, text = ''): Promise<string | undefined> {
    return this.asked((answer) => ({ type: 'line', title, text, answer }))
  }

  /** From a list: goes on there. */
  async pick(nodeId: string): Promise<void> {
    this.closeView()
    await this.guarded(() => this.busy(() => goToNode(this, nodeId)))
  }

  async toggleMute(nodeId: string): Promise<void> {
    const { columns, ids } = this.session.tree
    const op = columns.has(ids.find(nodeId), Flag.muted) ? 'unmute' : 'mute'
    await this.edit([{ op, nodeIds: [nodeId] }])
  }

  async prune(nodeId: string): Promise<void> {
    await this.edit([{ op: 'prune', nodeId, include: 'self' }])
  }

  async edit(operations: readonly EditRequestOp[]): Promise<void> {
    await this.guarded(async () => {
      await this.session.edit({ operations })
      await this.refreshStatus()
    })
  }

  async undo(): Promise<void> {
    await this.guarded(async () => {
      await this.session.undo()
      await this.refreshStatus()
    })
  }

  show(text: string): void {
    this.screen.show(text)
  }

  warn(text: string): void {
    this.screen.warn(text)
  }

  setEditor(text: string): void {
    this.screen.setEditor(text)
  }

  open(view: View): void {
    this.screen.set({ view })
  }

  closeView(): void {
    this.screen.set({ view: undefined })
  }

  /** Thoughts and tools' output whole, or their beginnings. What was printed is printed anew. */
  toggleFold(): void {
    const { said, isUnfolded } = this.screen.getSnapshot()
    this.screen.set({ isUnfolded: !isUnfolded })
    this.screen.replace(said)
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
    this.screen.replace(await readTrunk(this.session))
    await this.refreshStatus()
  }

  quit(): void {
    this.cancel()
    this.parts.onQuit()
  }

  async refreshStatus(): Promise<void> {
    const status = await readStatus(this.agent, this.session)
    this.screen.set({ status: { ...this.screen.getSnapshot().status, ...status } })
  }

  private asked(dialog: (answer: (text: string | undefined) => void) => Dialog): Promise<string | undefined> {
    return new Promise((resolve) => {
      const answer = (text: string | undefined): void => {
        this.screen.set({ dialog: undefined })
        resolve(text)
      }
      this.screen.set({ dialog: dialog(answer) })
    })
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
      this.screen.set({ live: { text: '', isThinking: false, tool: `! ${command}`, output: '' } })
      const onOutput = (said: string) => this.screen.addOutput(said)
      const { entry } = await this.agent.shell(this.session, { command, isExcluded, signal, onOutput })
      this.screen.add(...toSaid(entry))
    })
  }

  private async turn(prompt: Prompt): Promise<void> {
    await this.busy(async (signal) => {
      const steer = () => this.takeQueued()
      const tell = turnTeller(this.screen, this.session)
      for await (const event of this.agent.run(this.session, prompt, { signal, steer })) await tell(event)
    })
    await this.refreshStatus()
  }

  /** While it works nothing else is begun; what is typed meanwhile waits. */
  private async busy(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.running = new AbortController()
    this.screen.set({ isBusy: true })
    try {
      await work(this.running.signal)
    } finally {
      this.running = undefined
      this.screen.set({ isBusy: false, live: undefined, question: undefined, dialog: undefined })
    }
    const [next, ...queued] = this.screen.getSnapshot().queued
    if (next === undefined) return
    this.screen.set({ queued })
    await this.take(next)
  }

  /** Prompts that wait go to the model between two of its calls; commands wait for the end. */
  private takeQueued(): readonly Prompt[] {
    const { queued } = this.screen.getSnapshot()
    const at = queued.findIndex((text) => /^[/!]/.test(text))
    const taken = at < 0 ? queued : queued.slice(0, at)
    if (taken.length > 0) this.screen.set({ queued: queued.slice(taken.length) })
    return taken
  }

  /** What goes wrong is shown; the chat goes on. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.warn(error instanceof Error ? error.message : String(error))
    }
  }
}
