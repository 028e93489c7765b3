import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as store from '@treeline/store'
import { expect, test } from 'vitest'
import * as own from './index.ts'
import { makeTempFolder } from './testing/temp-folder.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

test('the program in the README runs as printed', async () => {
  using temp = makeTempFolder()
  const timestamp = '2026-01-01T00:00:00.000Z'
  const message = { role: 'user', content: 'Hi', timestamp: 1 }
  const file = temp.plant(
    'x.jsonl',
    { type: 'session', version: 3, id: 's', timestamp, cwd: '/p' },
    { type: 'message', id: 'a', parentId: null, timestamp, message },
  )
  const [, program = ''] = /```ts\n(import \{ openFileStore[\s\S]*?)```/.exec(readme) ?? []
  const body = program.replace(/^import .*$/gm, '').replaceAll('await using', 'const')
  const said: unknown[] = []
  const given = {
    openFileStore: () => store.openFileStore({ home: temp.home }),
    openSessionFile: own.openSessionFile,
    importSession: own.importSession,
    console: { log: (...words: unknown[]) => said.push(...words) },
    file,
  }
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...given: unknown[]) => unknown
  const run = new AsyncFunction(...Object.keys(given), `${body}\nawait store.close()\nreturn added`)
  expect(await run(...Object.values(given))).toBe(1)
  expect(said).toMatchObject(['pi', { messages: [message] }])
})

test('every format and every writer is in the README', () => {
  for (const { title, name } of own.formats) expect(readme).toContain(name === 'generic' ? 'seed 004' : title)
  for (const name of own.writerNames) expect(readme).toContain(`\`${name}\``)
})
