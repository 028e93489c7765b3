import { join } from 'node:path'
import { type ModelReply, startModelServer } from '@treeline/agent/testing'
import { type Entry, listBranches } from '@treeline/core'
import { openFileStore } from '@treeline/store'
import { onTestFinished } from 'vitest'
import { NO_LOCAL_MODELS } from './no-local-models.ts'
import { tempFolder } from './run-treeline.ts'
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts'

const QUICK = { TREELINE_DEMO_DELAY_MS: '0' }
/** So slow that what is tested happens long before the end of the answer. */
export const SLOW = { TREELINE_DEMO_DELAY_MS: '25' }

/** A project of its own, in which the chat is started and started again. */
export function project(env: Readonly<Record<string, string>> = QUICK) {
  const cwd = tempFolder()
  const home = join(tempFolder(), 'home')
  const open = async (words: readonly string[] = [], options: TerminalOptions = {}) => {
    const terminal = await openTerminal(words, {
      ...{ cwd, home, ...options },
      env: { ...NO_LOCAL_MODELS, ...env, ...options.env },
    })
    await terminal.waitFor(isIdle)
    // The first frame comes before keys are taken one by one.
    await terminal.waitFor(() => terminal.output.includes('\u001b[?2004h'))
    // Who answers is known last, after everything else that the first frame does without.
    await terminal.waitFor((screen) => screen.some((row) => /^[\w-]+\/\S+/.test(row)))
    return terminal
  }
  return { cwd, home, open }
}

/** A chat with a model server that gives these answers, and the last of them as a title. */
export async function served(replies: readonly ModelReply[]) {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  const left = [...replies]
  // What is asked for without tools is a title.
  server.reply(({ body }) => (body.tools === undefined ? undefined : left.shift()) ?? replies.at(-1) ?? {})
  const made = project({ OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: `${server.url}/v1` })
  return { ...made, server, open: (options?: TerminalOptions) => made.open(['--model', 'openai/gpt-6-luna'], options) }
}

/** Nothing runs, and the editor is empty: what it says then is seen. */
export function isIdle(screen: readonly string[]): boolean {
  const text = screen.join('\n')
  return /^[❯>] Ask something/m.test(text) && !text.includes('Esc cancels')
}

/** Types it, sees it stand in the editor, and sends it. */
export async function say(terminal: Terminal, text: string): Promise<void> {
  await terminal.type(text)
  await terminal.waitFor((screen) => inEditor(screen).includes(text))
  await terminal.press('enter')
}

/** Says it and waits for the demo's answer. */
export async function ask(terminal: Terminal, text: string): Promise<void> {
  await say(terminal, text)
  await terminal.waitFor(`You said: “${text}”`)
  await terminal.waitFor(isIdle)
}

/** What stands in the editor: from the last prompt mark on, without the status line. */
export function inEditor(screen: readonly string[]): string {
  const from = screen.findLastIndex((row) => /^[❯>] /.test(row))
  if (from < 0) return ''
  const rows = screen.slice(from).filter((row) => row !== '')
  return rows
    .slice(0, -1)
    .join('\n')
    .replace(/^[❯>] /, '')
}

export const all = (terminal: Terminal) => [...terminal.scrollback(), ...terminal.screen()].join('\n')

/** The one session of a home, as it is on disk. */
export async function readKept(home: string) {
  await using store = await openFileStore({ home })
  const [only, ...others] = await store.list()
  if (only?.id === undefined || others.length > 0) throw new Error(`${home} has not one session.`)
  await using session = await store.open(only.id)
  const entries: Entry[] = []
  for await (const entry of session.entries()) entries.push(entry)
  const branches = listBranches(session.tree)
  return { id: session.id, leafId: session.leafId, branches, entries, text: JSON.stringify(entries) }
}
