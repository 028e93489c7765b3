import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as store from './index.ts'
import { makeTempHome } from './testing/temp-home.ts'

const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')

test('the program in the README runs as printed', async () => {
  using temp = makeTempHome()
  const [, program = ''] = /```ts\n(import \{ openFileStore[\s\S]*?)```/.exec(readme) ?? []
  const body = program
    .replace(/import \{(.*)\} from '@treeline\/store'/, 'const {$1} = store')
    .replaceAll('await using', 'const')
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...given: unknown[]) => unknown
  const given = { ...store, openFileStore: () => store.openFileStore(temp) }
  const run = new AsyncFunction(
    'store',
    `${body.replaceAll('const store =', 'const opened =').replaceAll('store.create', 'opened.create')}\nawait opened.close()\nreturn messages`,
  )
  expect(await run(given)).toMatchObject([{ role: 'user', content: [{ text: 'Which cache?' }] }])
})
