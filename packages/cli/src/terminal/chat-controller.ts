import type { Agent, ApprovalAnswer, ApprovalQuestion, Prompt } from '@treeline/agent'
import { expandPasted, recallPasted } from '@treeline/agent'
import type { Session } from '@treeline/store'
import type { Context } from '../context.ts'
import { t } from '../output/language.ts'
import { askAboutLeaving } from './ask-about-leaving.ts'
import type { ChatActions, View } from './chat-actions.ts'
import { ChatScreen } from './chat-screen.ts'
import { runSlash } from './commands/run-slash.ts'
import type { ChoiceQuestion, Dialog } from './dialog/dialog.ts'
import { refuseUnanswered } from './following/refuse-unanswered.ts'
import { goToNode } from './go-to-node.ts'
import { attachMentions } from './mentions/attach-mentions.ts'
import { expandTexts } from './pasting/expand-texts.ts'
import { pasteClipboard, pasteInto } from './pasting/paste.ts'
import { toRemembered } from './pasting/remembered.ts'
import type { Picked } from './picker/picker-row.ts'
import { resumeHere } from './picker/resume-here.ts'
import { readStatus } from './read-status.ts'
import { SessionCost } from './session-cost.ts'
import { turnTeller } from './tell-turn.ts'
import { readTrunk, toSaid } from './transcript/transcript.ts'

export interface ControllerParts {
  readonly agent: Agent
  readonly context: Context
  readonly session: Session
  readonly cwd: string
  /** Told of every prompt. */
  readonly onPrompt: (session: Session, prompt: string) => Promise<void>
  readonly onSwitch: (session: Session, before: Session) => Promise<void>
  /** Told what waited and was never sent. */
  readonly onQuit: (unsent: readonly string[]) => void
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
  private cost: SessionCost | undefined
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

  /** A long paste stands as a placeholder until it is sent, and so does an image whose file was dropped. */
  paste(text: string): Promise<string> {
    return pasteInto(this.session, text, this.cwd)
  }

  pasteClipboard(): Promise<string> {
    return pasteClipboard(this.session, this.cwd, this.context.env)
  }

  /** As it is said again here: what is long or was pasted stands as a placeholder. Never rejects. */
  recall(said: string): Promise<string> {
    return recallPasted(this.session, said).catch(() => said)
  }

  /** What waits comes back into the editor: who stops the model wants to say something else. */
  cancel(): void {
    this.giveBackQueued()
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
    if (this.isBusy) return this.refuseBusy()
    await this.guarded(() => this.busy(() => goToNode(this, nodeId)))
  }

  /** From the list of `/fork`: goes on in a copy that ends there. */
  async pickFork(nodeId: string): Promise<void> {
    this.closeView()
    await this.submit(`/fork ${nodeId}`)
  }

  /** From the list of sessions: goes on there. */
  async resume(picked: Picked): Promise<void> {
    this.closeView()
    if (this.isBusy) return this.refuseBusy()
    const work = async () => {
      if (!(await resumeHere(this, picked))) this.open('sessions')
    }
    await this.guarded(() => this.busy(work))
  }

  /** From the tree: the branch that is left may be summed up. Gives what keeps the user in the tree. */
  async pickInTree(nodeId: string, isEdited: boolean): Promise<string | undefined> {
    if (this.isBusy) return t('The model is at work. Esc closes the tree, and once more cancels.')
    const leaving = await askAboutLeaving(this, nodeId)
    if (leaving === undefined) return undefined
    this.closeView()
    const work = () => {
      const tool = t('summing up the branch')
      if (leaving.summarise) this.screen.set({ live: { text: '', isThinking: false, tool } })
      return goToNode(this, nodeId, { ...leaving, isEdited })
    }
    await this.guarded(() => this.busy(work))
    return undefined
  }

  /** After edits in the tree. */
  async showAnew(): Promise<void> {
    await this.guarded(() => this.reload())
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
    this.screen.reprint({ isUnfolded: !this.screen.getSnapshot().isUnfolded })
  }

  async switchTo(session: Session): Promise<void> {
    const before = this.session
    this.session = session
    if (before !== session) await before.close()
    await this.reload()
    // Last, because what is said about the new one stands below its transcript.
    if (before !== session) await this.parts.onSwitch(session, before)
  }

  async reload(): Promise<void> {
    this.screen.replace(await readTrunk(this.session))
    await this.refreshStatus()
  }

  quit(): void {
    const { queued } = this.screen.getSnapshot()
    this.cancel()
    this.parts.onQuit(queued)
  }

  async refreshStatus(): Promise<void> {
    const { session } = this
    const status = await readStatus(this.agent, session)
    if (this.cost?.session !== session) this.cost = new SessionCost(session)
    const cost = await this.cost.read()
    this.screen.set({ status: { ...this.screen.getSnapshot().status, ...status, ...cost } })
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
    if (text.startsWith('/')) {
      this.screen.echo(text)
      return this.busy(() => runSlash(this, text))
    }
    if (text.startsWith('!')) return this.shell(text)
    await this.turn(text)
  }

  /** For the model: with what was pasted in its place and the files it names. What cannot be sent goes back into the editor. */
  private async toPrompt(text: string): Promise<Prompt | undefined> {
    try {
      refuseUnanswered(this.session)
      const pasted = await expandPasted(this.session, text)
      const { prompt, problems } = await attachMentions(this.agent.env, pasted, text, this.signal)
      for (const problem of problems) this.warn(problem)
      await this.parts.onPrompt(this.session, toRemembered(pasted))
      return prompt
    } catch (error) {
      this.screen.giveBack(text)
      if (!this.signal.aborted) this.warn(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  private async shell(text: string): Promise<void> {
    const isExcluded = text.startsWith('!!')
    const typed = text.slice(isExcluded ? 2 : 1).trim()
    if (typed === '') return this.warn(t('Say what to run: !ls, or !!ls to keep it from the model.'))
    await this.busy(async (signal) => {
      const command = await expandTexts(this.session, typed)
      this.screen.set({ live: { text: '', isThinking: false, tool: `! ${command}`, output: '' } })
      const onOutput = (said: string) => this.screen.addOutput(said)
      const { entry } = await this.agent.shell(this.session, { command, isExcluded, signal, onOutput })
      this.screen.add(...toSaid(entry))
    })
  }

  private async turn(text: string): Promise<void> {
    await this.busy(async (signal) => {
      const prompt = await this.toPrompt(text)
      if (prompt === undefined) return
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
  private async takeQueued(): Promise<readonly Prompt[]> {
    const { queued } = this.screen.getSnapshot()
    const at = queued.findIndex((text) => /^[/!]/.test(text))
    const taken = at < 0 ? queued : queued.slice(0, at)
    if (taken.length > 0) this.screen.set({ queued: queued.slice(taken.length) })
    const prompts: Prompt[] = []
    for (const text of taken) {
      const prompt = await this.toPrompt(text)
      if (prompt !== undefined) prompts.push(prompt)
    }
    return prompts
  }

  /** A list may stand open when what waited is begun. */
  private refuseBusy(): void {
    this.warn(t('The model is at work. Cancel it first, or wait for it.'))
  }

  private giveBackQueued(): void {
    const { queued } = this.screen.getSnapshot()
    if (queued.length === 0) return
    this.screen.set({ queued: [] })
    this.screen.giveBack(queued.join('\n'))
  }

  /** What goes wrong is shown; the chat goes on. What waited for it may not be wanted any more. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!this.isBusy) this.giveBackQueued()
      this.warn(error instanceof Error ? error.message : String(error))
    }
  }
}
