import { describe, expect, test } from 'vitest'
import { builtProgram } from '../testing/built-program.ts'
import { all, ask, inEditor, isIdle, project, readKept, SLOW, say } from '../testing/chat-terminal.ts'
import { openProgram, type Terminal } from '../testing/terminal.ts'

/** The program under a shell that has job control, as everybody starts it. */
async function underShell() {
  const { cwd, home } = project()
  const env = { PS1: 'SHELL> ', TREELINE_DEMO_DELAY_MS: '0' }
  const terminal = openProgram('bash', ['--norc', '--noprofile', '-i'], { cwd, home, env })
  await terminal.waitFor('SHELL>')
  await terminal.type(`sh -c 'echo PID $$; exec "${process.execPath}" "${await builtProgram()}"'\r`)
  await terminal.waitFor(/^demo\/demo/m)
  await terminal.waitFor(isIdle)
  const pid = Number(/^PID (\d+)$/m.exec(all(terminal))?.[1])
  return { home, terminal, pid }
}

const isShell = (screen: readonly string[]) => screen.findLast((row) => row !== '') === 'SHELL>'

describe('stopped and gone on with', () => {
  test.each([
    ['Ctrl+Z', (terminal: Terminal) => terminal.press('ctrl+z')],
    ['SIGTSTP', (_: Terminal, pid: number) => process.kill(pid, 'SIGTSTP')],
    ['SIGSTOP', (_: Terminal, pid: number) => process.kill(pid, 'SIGSTOP')],
  ])('%s gives the terminal back to the shell, fg brings the chat back as it was', async (_, stop) => {
    const { terminal, pid } = await underShell()
    await ask(terminal, 'Hello')
    await terminal.type('half a thought')
    await terminal.waitFor((screen) => inEditor(screen) === 'half a thought')
    await stop(terminal, pid)
    await terminal.waitFor(isShell)
    await terminal.type('echo $((6 * 7))\r')
    await terminal.waitFor(/^42$/m)
    await terminal.type('fg\r')
    await terminal.waitFor((screen) => inEditor(screen) === 'half a thought')
    await terminal.type(' and the rest')
    await terminal.waitFor((screen) => inEditor(screen) === 'half a thought and the rest')
    await terminal.press('ctrl+c')
    await terminal.waitFor(isIdle)
    await terminal.press('ctrl+d')
    await terminal.waitFor(/Go on: treeline -r/)
    await terminal.waitFor(isShell)
  })

  test('with a list open it is there again', async () => {
    const { terminal } = await underShell()
    await ask(terminal, 'Hello')
    await terminal.press('ctrl+t')
    await terminal.waitFor(/^Tree/m)
    await terminal.press('ctrl+z')
    await terminal.waitFor(isShell)
    await terminal.type('fg\r')
    await terminal.waitFor((screen) => screen.findLastIndex((row) => /^Tree/.test(row)) > screen.indexOf('SHELL> fg'))
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
  })

  test('where no shell could go on with it, Ctrl+Z stops nothing', async () => {
    const { open } = project()
    const terminal = await open()
    await terminal.press('ctrl+z', 'ctrl+z')
    await ask(terminal, 'Still there?')
  })
})

describe('ended from outside', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)(
    '%s in the middle of an answer gives the terminal back; -c goes on',
    async (signal) => {
      const { open, home } = project(SLOW)
      const terminal = await open()
      await say(terminal, 'say 2000 words')
      await terminal.waitFor(/every conversation/)
      process.kill(terminal.pid, signal)
      expect(await terminal.exit()).toBe(signal === 'SIGTERM' ? 143 : 129)
      expect(terminal.output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.output.lastIndexOf('\u001b[?25l'))
      expect(terminal.output.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(terminal.output.lastIndexOf('\u001b[?2004h'))
      const again = await open(['-c'])
      expect(all(again)).toContain('say 2000 words')
      expect((await readKept(home)).branches).toHaveLength(1)
    },
  )

  test('a window that is closed ends the chat, and what was said is kept', async () => {
    const { open, home } = project(SLOW)
    const terminal = await open()
    await say(terminal, 'say 2000 words')
    await terminal.waitFor(/every conversation/)
    terminal.hangUp()
    await terminal.exit()
    expect((await readKept(home)).text).toContain('say 2000 words')
  })
})
