import { expect, test } from 'vitest'
import { catalogue } from './catalogue.ts'
import { callTreeline } from './testing/call-treeline.ts'
import { cliPage } from './testing/cli-page.ts'
import { sampleHome } from './testing/sample-home.ts'

test('docs/cli.md says what the commands say of themselves', async () => {
  await expect(await cliPage()).toMatchFileSnapshot('../../../docs/cli.md')
})

test('every document holds what it is said to hold, and nothing else', async () => {
  const { home, cwd, id, path } = await sampleHome()
  const calls = [
    ['chat', '-p'],
    ['serve', '--check', '--port', '0'],
    ['ls'],
    ['search', 'parser'],
    ['show', id],
    ['show', id, 'leaf'],
    ['tree', id],
    ['branches', id],
    ['line', id],
    ['context', id],
    ['diff', id, 'leaf', 'rep00002'],
    ['stats'],
    ['stats', id],
    ['history'],
    ['models'],
    ['doctor'],
    ['doctor', id],
    ['mute', id, 'ask00002'],
    ['unmute', id, 'ask00002'],
    ['prune', id, 'rep00002', '--self'],
    ['graft', id, 'rep00002', 'ask00002'],
    ['switch', id, 'rep00003'],
    ['label', id, 'leaf', 'x'],
    ['rename', id, 'x'],
    ['undo', id],
    ['undo', id, '--list'],
    ['redo', id],
    ['fork', id],
    ['export', id],
    ['import', path],
    ['repair', id],
    ['trash', id],
    ['restore'],
    ['restore', id],
    ['purge'],
    ['gc'],
    ['gc', id],
    ['backup', 'backups'],
    ['scrub', '--stdin'],
    ['auth'],
    ['auth', 'set', 'openai'],
    ['auth', 'remove', 'openai'],
    ['token'],
    ['token', 'create', 'x'],
    ['token', 'revoke', 'x'],
    ['completion', 'bash'],
    ['help'],
    ['help', 'ls'],
  ]
  const refused: string[] = []
  for (const words of calls) {
    const ran = await callTreeline([...words, '--json'], { home, cwd, stdin: 'no-such-secret' })
    if (ran.stdout === '') {
      refused.push(words[0]!)
      continue
    }
    const { command } = await catalogue[words[0]!]!.load()
    const keys = Object.keys(ran.json())
    expect
      .soft(
        keys.filter((key) => !command.json.includes(`"${key}"`)),
        words.join(' '),
      )
      .toEqual([])
  }
  // What is sound is not repaired.
  expect(refused).toEqual(['repair'])
  const untried = Object.keys(catalogue).filter((name) => !calls.some(([called]) => called === name))
  expect(untried).toEqual(['restore-backup'])
})
