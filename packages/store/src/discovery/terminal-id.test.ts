import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSafeId } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { findTerminalId } from './terminal-id.ts'

/** A folder of links as /proc/self/fd is. */
function withDescriptors(links: Readonly<Record<string, string>>, look: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'treeline-fd-'))
  try {
    for (const [number, target] of Object.entries(links)) symlinkSync(target, join(folder, number))
    look(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const NOWHERE = '/nonexistent'
/** Runs a command in a terminal of its own; part of util-linux. */
const TERMINAL = 'script'

describe('findTerminalId', () => {
  test('S3 a terminal is known by its tty, whichever of the three descriptors shows it', () => {
    withDescriptors({ 0: '/dev/pts/3', 1: 'pipe:[1]', 2: '/dev/pts/4' }, (folder) => {
      expect(findTerminalId({}, folder)).toBe('pts-3')
    })
    withDescriptors({ 0: '/dev/null', 1: 'pipe:[1]', 2: '/dev/pts/12' }, (folder) => {
      expect(findTerminalId({}, folder)).toBe('pts-12')
    })
    withDescriptors({ 0: '/dev/tty1' }, (folder) => expect(findTerminalId({}, folder)).toBe('tty1'))
  })

  test('S3 what is no terminal, or every terminal, is none', () => {
    for (const target of [
      '/dev/tty',
      '/dev/null',
      '/dev/pts/ptmx',
      '/dev/pts/../../etc',
      '/tmp/dev/pts/3',
      'socket:[3]',
    ]) {
      withDescriptors({ 0: target }, (folder) => expect(findTerminalId({}, folder), target).toBeUndefined())
    }
    expect(findTerminalId({}, NOWHERE)).toBeUndefined()
  })

  test.each([
    ['kitty-7-4242', { KITTY_WINDOW_ID: '7', KITTY_PID: '4242' }],
    ['kitty-7', { KITTY_WINDOW_ID: '7' }],
    ['wezterm-2', { WEZTERM_PANE: '2' }],
    ['wt-8f0b6c1e-0000-4000-8000-000000000000', { WT_SESSION: '8f0b6c1e-0000-4000-8000-000000000000' }],
    ['apple-w0t1p0-6D7C', { TERM_SESSION_ID: 'w0t1p0:6D7C' }],
    ['tmux-3-tmp-tmux-1000-default-77-0', { TMUX_PANE: '%3', TMUX: '/tmp/tmux-1000/default,77,0' }],
    ['screen-77.pts-0.host-1', { STY: '77.pts-0.host', WINDOW: '1' }],
    ['zellij-1-work', { ZELLIJ_PANE_ID: '1', ZELLIJ_SESSION_NAME: 'work' }],
  ])('S3 without a tty it is %s', (id, env) => {
    expect(findTerminalId(env, NOWHERE)).toBe(id)
    expect(isSafeId(id)).toBe(true)
  })

  test('S3 a pane goes before its tty, the tty before the window that both inherit from', () => {
    const window = { KITTY_WINDOW_ID: '1', TERM_SESSION_ID: 'x' }
    withDescriptors({ 0: '/dev/pts/3' }, (folder) => {
      expect(findTerminalId(window, folder)).toBe('pts-3')
      expect(findTerminalId({ ...window, TMUX_PANE: '%5' }, folder)).toBe('tmux-5')
    })
    expect(findTerminalId({ ...window, TMUX_PANE: '%5' }, NOWHERE)).toBe('tmux-5')
  })

  test('K3 whatever the environment holds becomes a safe id, or none', () => {
    const long = 'x/'.repeat(10_000)
    for (const value of ['../../etc/passwd', 'a\0b', '\x1b]52;c;x\x07', '-rf', '日本語 5', long, `${long}1`]) {
      expect(isSafeId(findTerminalId({ TERM_SESSION_ID: value }, NOWHERE)), value.slice(0, 20)).toBe(true)
    }
    const [one, two] = [long, `${long}1`].map((value) => findTerminalId({ WT_SESSION: value }, NOWHERE))
    expect(one).not.toBe(two)
    for (const value of ['', '%', '../', '\n']) {
      expect(findTerminalId({ TMUX_PANE: value, KITTY_WINDOW_ID: '2' }, NOWHERE)).toBe('kitty-2')
    }
  })

  test.runIf(process.platform === 'linux' && spawnSync(TERMINAL, ['--version']).status === 0)(
    'S3 in a real terminal it is the name that `tty` gives',
    () => {
      const module = fileURLToPath(new URL('./terminal-id.ts', import.meta.url))
      const code = `import(${JSON.stringify(module)}).then((m) => console.log('id=' + m.findTerminalId({})))`
      const command = `tty; ${quote(process.execPath)} -e ${quote(code)}`
      const said = execFileSync(TERMINAL, ['-qec', command, '/dev/null'], { encoding: 'utf8' })
      const tty = /\/dev\/(pts\/\d+)/.exec(said)?.[1]
      expect(tty).toBeDefined()
      expect(said).toContain(`id=${tty!.replace('/', '-')}\r\n`)
    },
  )
})

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
