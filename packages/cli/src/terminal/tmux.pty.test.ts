import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { builtProgram } from '../testing/built-program.ts'
import { ask, inEditor, isIdle, project, readKept, say } from '../testing/chat-terminal.ts'
import { openProgram } from '../testing/terminal.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0

/** The program in a pane of a tmux of its own, which has the usual settings but no line at the bottom. */
async function inTmux(term: string) {
  const { cwd, home } = project()
  const socket = `treeline-test-${process.pid}-${term}`
  const config = join(cwd, 'tmux.conf')
  writeFileSync(config, `set -g status off\nset -g default-terminal ${term}\n`)
  onTestFinished(() => void spawnSync('tmux', ['-L', socket, 'kill-server']))
  const command = `'${process.execPath}' '${await builtProgram()}'`
  const env = { TREELINE_DEMO_DELAY_MS: '0', SHELL: '/bin/sh', LC_ALL: 'C.UTF-8' }
  const terminal = openProgram('tmux', ['-L', socket, '-f', config, 'new-session', command], { cwd, home, env })
  await terminal.waitFor(isIdle)
  await terminal.waitFor(/^demo\/demo/m)
  const tmux = (...words: readonly string[]) => execFileSync('tmux', ['-L', socket, ...words]).toString()
  return { home, terminal, tmux }
}

describe.skipIf(!hasTmux)('in tmux (left out where it is not installed)', () => {
  test.each(['screen-256color', 'tmux-256color'])('at 80×24 with TERM=%s all goes on as elsewhere', async (term) => {
    const { home, terminal, tmux } = await inTmux(term)
    await ask(terminal, 'First question')
    // tmux holds back an Esc for half a second by itself: the two come together, or as Alt and Esc.
    await terminal.press('esc', 'esc')
    await terminal.waitFor(/^Branch/m)
    await terminal.press('enter')
    await terminal.waitFor((screen) => inEditor(screen) === 'First question')
    await terminal.type(' again')
    await terminal.press('enter')
    await terminal.waitFor('You said: “First question again”')
    await terminal.waitFor(isIdle)
    await say(terminal, '/tree')
    await terminal.waitFor(/^Tree/m)
    await terminal.press('down', 'up', 'esc')
    await terminal.waitFor(isIdle)
    tmux('split-window', '-h', 'cat')
    await terminal.waitFor((screen) => screen.every((row) => row === '' || row.includes('│')))
    tmux('kill-pane')
    await terminal.waitFor((screen) => isIdle(screen) && !screen.some((row) => row.includes('│')))
    expect(terminal.screen().filter((row) => row.includes('Ask something'))).toHaveLength(1)
    expect(terminal.screen().filter((row) => /^demo\/demo/.test(row))).toHaveLength(1)
    await terminal.paste('one\ntwo')
    await terminal.waitFor((screen) => /^one\n *two$/.test(inEditor(screen)))
    await terminal.press('ctrl+c')
    await terminal.waitFor(isIdle)
    await terminal.press('ctrl+d')
    await terminal.exit()
    expect((await readKept(home)).branches).toHaveLength(2)
  })
})
