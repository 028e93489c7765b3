import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { tempFolder } from '../testing/run-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'

const shells = ['bash', 'zsh', 'fish'].filter((shell) => !spawnSync(shell, ['-c', 'true']).error)

/** What bash offers for the last word of each command line. */
function completeAll(script: string, folder: string, lines: readonly (readonly string[])[]): string[][] {
  const quoted = lines.map((words) => words.map((word) => `'${word}'`).join(' '))
  const program = [
    'eval "$1"',
    `cd '${join(folder, 'work')}'`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: for bash.
    'try() { COMP_WORDS=(treeline "$@") COMP_CWORD=$#; _treeline; (IFS=,; echo "${COMPREPLY[*]}"); }',
    ...quoted.map((words) => `try ${words}`),
  ]
  const out = execFileSync('bash', ['--norc', '-c', program.join('\n'), 'bash', script], {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
  })
  return out.split('\n').map((line) => line.split(',').filter(Boolean))
}

function workplace(): string {
  const folder = tempFolder()
  for (const name of ['bin', 'work', 'work/logs']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'work/my chat.jsonl'), '')
  const fake = join(folder, 'bin/treeline')
  writeFileSync(fake, '#!/bin/sh\n[ "$2" = sessions ] && printf "4f2a91c0\\tA title\\n99aa00bb\\tOther\\n"\n')
  chmodSync(fake, 0o755)
  return folder
}

test.skipIf(!shells.includes('bash'))(
  'bash completes commands, options, their values, sessions and files',
  async () => {
    const { stdout: script } = await callTreeline(['completion', 'bash'])
    const expected: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
      [['un'], ['unmute', 'undo']],
      [['--v'], ['--version']],
      [['mute', '--sub'], ['--subtree']],
      [['export', '--format', 'm'], ['markdown']],
      [['export', '-f', 'h'], ['html']],
      [['export', '--format', '=', 'h'], ['html']],
      [
        ['gc', '--color', '='],
        ['auto', 'always', 'never'],
      ],
      [['mute', '4f'], ['4f2a91c0']],
      [['mute', '4f2a91c0', ''], []],
      [['export', '--format', 'pi', '99'], ['99aa00bb']],
      [['export', '--format', '=', 'pi', '99'], ['99aa00bb']],
      [['trash', '4f2a91c0', '99'], ['99aa00bb']],
      [['import', 'my'], ['my chat.jsonl']],
      [['gc', '--cwd', 'l'], ['logs']],
      [['completion', 'z'], ['zsh']],
      [['export', '--leaf', 'x'], []],
    ]
    const lines = expected.map(([words]) => words)
    const offered = completeAll(script, workplace(), lines)
    for (const [i, [words, wanted]] of expected.entries()) expect(offered[i], words.join(' ')).toEqual(wanted)
  },
)

test.skipIf(!shells.includes('bash'))('bash knows the function after sourcing the script', async () => {
  const { stdout: script } = await callTreeline(['completion', 'bash'])
  const line = 'eval "$1"; complete -p treeline'
  const out = execFileSync('bash', ['--norc', '-c', line, 'bash', script], { encoding: 'utf8' })
  expect(out).toBe('complete -F _treeline treeline\n')
})

// Looked at by the shells themselves where they are installed.
for (const [shell, parseOnly] of [
  ['zsh', '-n'],
  ['fish', '--no-execute'],
] as const) {
  test.skipIf(!shells.includes(shell))(`${shell} takes its script`, async () => {
    const { stdout: script } = await callTreeline(['completion', shell])
    execFileSync(shell, [parseOnly, '-c', script])
  })
}

test('every command and option is in every script, and quotes are closed', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { stdout: script } = await callTreeline(['completion', shell])
    for (const word of ['restore-backup', 'older-than', 'comfytavern']) expect(script, shell).toContain(word)
    // As these shells read single quotes: nothing is open at the end.
    const open = script.replace(/^#.*$/gm, '').replace(shell === 'fish' ? /\\['\\]/g : /'\\''/g, '')
    expect((open.match(/'/g) ?? []).length % 2, shell).toBe(0)
  }
})

test('sessions are listed for the scripts; a shell that is unknown is refused', async () => {
  const { id, ...at } = await sampleHome()
  const listed = await callTreeline(['completion', 'sessions'], at)
  expect(listed.stdout).toBe(`${id}\tWhere does the parser stop?\n`)
  const wrong = await callTreeline(['completion', 'tcsh'])
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('SHELL is one of bash, zsh, fish') })
})
