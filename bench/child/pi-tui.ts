// Pi's chat: its built program in a real terminal, offline, with a key that is never used.
import { type Action, prepared } from './job.ts'
import { runChild } from './run-child.ts'
import { Terminal } from './terminal.ts'
import { settledMemory } from './terminal-memory.ts'

/** The last thing in its first frame: how full the window is. */
const FOOTER = /\(auto\)/

/** As Treeline's. */
const memory: Action = ({ home, terminal: options }) => {
  const { program, cwd, session, word } = options!
  const words = session === undefined ? [] : ['--session', session]
  const env = { PI_CODING_AGENT_DIR: home, PI_OFFLINE: '1', ANTHROPIC_API_KEY: 'sk-none' }
  return prepared(
    async () => {
      const terminal = new Terminal([program, ...words], cwd, env)
      if (word !== undefined) await terminal.seen(new RegExp(word))
      await terminal.seen(FOOTER)
      return terminal
    },
    async (terminal) => {
      const { rssBytes, peakBytes } = await settledMemory(terminal.pid)
      await terminal.kill()
      return { word: word ?? '', rssBytes, peakBytes }
    },
  )
}

await runChild({ memory })
