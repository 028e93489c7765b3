import { BACKSPACE, EMPTY_EDITOR, timeKey, typed } from './chat-keys.ts'
import { type Action, prepared } from './job.ts'
import { Terminal } from './terminal.ts'

/** From nothing to the prompt being on the screen. Facts: a letter that was typed into it and seen. */
export const startPrompt: Action = ({ home, terminal: options }) => {
  const { program, cwd } = options!
  return prepared(
    async () => {
      const terminal = new Terminal([program], cwd, { TREELINE_HOME: home, HELLO_HOME: home })
      await terminal.seen(EMPTY_EDITOR)
      return terminal
    },
    async (terminal) => {
      await timeKey(terminal, 'q', typed('q'))
      await timeKey(terminal, BACKSPACE, EMPTY_EDITOR)
      await terminal.leave()
      return { typed: 'q' }
    },
  )
}
