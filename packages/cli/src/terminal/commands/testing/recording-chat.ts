import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { type Agent, createAgent } from '@treeline/agent'
import type { Session } from '@treeline/store'
import { onTestFinished } from 'vitest'
import { type Context, createContext } from '../../../context.ts'
import { createOutput } from '../../../output/output.ts'
import { tempFolder } from '../../../testing/run-treeline.ts'
import type { ChatActions, View } from '../../chat-actions.ts'
import type { ChoiceQuestion } from '../../dialog/dialog.ts'
import { runSlash } from '../run-slash.ts'

/** A chat without a screen: a real store and agent, the demo model, and a note of all that a command did. */
export class RecordingChat implements ChatActions {
  readonly signal = new AbortController().signal
  readonly agent: Agent
  readonly context: Context
  readonly cwd: string
  session: Session
  shown: string[] = []
  warned: string[] = []
  readonly opened: View[] = []
  /** What the user answers to questions, one after another: a key or a line. */
  answers: string[] = []
  editor = ''
  reloads = 0
  hasQuit = false

  constructor(parts: Pick<ChatActions, 'agent' | 'context' | 'cwd' | 'session'>) {
    this.agent = parts.agent
    this.context = parts.context
    this.cwd = parts.cwd
    this.session = parts.session
  }

  show(text: string): void {
    this.shown.push(text)
  }

  warn(text: string): void {
    this.warned.push(text)
  }

  async choose<T extends string>({ choices }: ChoiceQuestion<T>): Promise<T | undefined> {
    const key = this.answers.shift()
    return choices.find((choice) => choice.key === key)?.value
  }

  async askLine(): Promise<string | undefined> {
    return this.answers.shift()
  }

  setEditor(text: string): void {
    this.editor = text
  }

  open(view: View): void {
    this.opened.push(view)
  }

  async switchTo(session: Session): Promise<void> {
    await this.session.close()
    this.session = session
  }

  async reload(): Promise<void> {
    this.reloads++
  }

  quit(): void {
    this.hasQuit = true
  }

  /** Lets the demo answer; gives the ids of prompt and answer. */
  async say(text: string): Promise<readonly string[]> {
    const ids: string[] = []
    for await (const event of this.agent.run(this.session, text)) {
      if (event.type === 'prompted' || event.type === 'finished') ids.push(event.nodeId)
    }
    await this.agent.idle()
    return ids
  }

  /** Runs a command that is to go well and gives what it showed last. */
  async slash(line: string): Promise<string> {
    this.shown = []
    this.warned = []
    await runSlash(this, line)
    if (this.warned.length > 0) throw new Error(this.warned.join('\n'))
    return this.shown.at(-1) ?? ''
  }

  /** The same for one that is to be refused. */
  async refused(line: string): Promise<string> {
    this.warned = []
    await runSlash(this, line)
    return this.warned.join('\n')
  }
}

/** A chat in a project of its own, with a home of its own; closed after the test. */
export async function recordingChat(
  given: {
    readonly openSession?: (cwd: string) => Promise<Session>
    readonly env?: Readonly<Record<string, string>>
  } = {},
): Promise<RecordingChat> {
  const root = tempFolder()
  const [cwd, home] = [join(root, 'project'), join(root, 'home')]
  mkdirSync(cwd)
  const env = {
    HOME: join(root, 'user'),
    TREELINE_HOME: home,
    LANG: 'C.UTF-8',
    TREELINE_DEMO_DELAY_MS: '0',
    ...given.env,
  }
  const screen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const out = createOutput({ stdout: screen, stderr: screen, isJson: false, env })
  const { signal } = new AbortController()
  const stdin = () => Object.assign(Readable.from([]), { isTTY: false })
  const context = createContext({ out, homeDir: home, env, cwd, signal, stdin, stderr: screen })
  const agent = await createAgent({ home, cwd, env, flags: { model: 'demo/demo' } })
  const session = await (given.openSession?.(cwd) ?? (await context.store()).create({ cwd }))
  const chat = new RecordingChat({ agent, context, cwd, session })
  onTestFinished(async () => {
    await chat.session.close()
    await agent.close()
    await context[Symbol.asyncDispose]()
  })
  return chat
}
