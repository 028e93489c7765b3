import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtProgram } from '../../testing/built-program.ts'
import { ask, isIdle, project, say } from '../../testing/chat-terminal.ts'
import { openProgram } from '../../testing/terminal.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0

test.skipIf(!hasTmux)('/copy in a tmux with the usual settings reaches the terminal around it', async () => {
  const { cwd, home } = project()
  const socket = `treeline-copy-${process.pid}`
  const config = join(cwd, 'tmux.conf')
  writeFileSync(config, 'set -g status off\n')
  onTestFinished(() => void spawnSync('tmux', ['-L', socket, 'kill-server']))
  const env = { TREELINE_DEMO_DELAY_MS: '0', SHELL: '/bin/sh', LC_ALL: 'C.UTF-8' }
  const command = `'${process.execPath}' '${await builtProgram()}'`
  const terminal = openProgram('tmux', ['-L', socket, '-f', config, 'new-session', command], { cwd, home, env })
  await terminal.waitFor(isIdle)
  await terminal.waitFor(/^demo\/demo/m)
  await ask(terminal, 'Hi')
  await say(terminal, '/copy')
  await terminal.waitFor(() => terminal.spied.clipboard.length > 0)
  const [data = ''] = terminal.spied.clipboard
  expect(Buffer.from(data.replace(/^[^;]*;/, ''), 'base64').toString()).toContain('You said: “Hi”')
  expect(execFileSync('tmux', ['-L', socket, 'show-buffer']).toString()).toContain('You said: “Hi”')
})
