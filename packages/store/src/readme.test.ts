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

test('the search in the README finds as printed', async () => {
  using temp = makeTempHome()
  {
    await using opened = await store.openFileStore(temp)
    await using session = await opened.create({ cwd: '/my/project' })
    await session.append({ type: 'message', message: { role: 'user', content: 'Which cache?', timestamp: 1 } })
  }
  const [, program = ''] = /```ts\n(import \{ openHome[\s\S]*?)```/.exec(readme) ?? []
  const body = program
    .replace(/import \{(.*)\} from '@treeline\/store'/, 'const {$1} = store')
    .replace(/(await )?using/g, 'const')
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...given: unknown[]) => unknown
  const given = { ...store, openHome: () => store.openHome(temp) }
  const run = new AsyncFunction('store', `${body}\nawait index.close()\nhome[Symbol.dispose]()\nreturn hits`)
  expect(await run(given)).toMatchObject([{ role: 'user', snippet: { text: 'Which cache?' } }])
})
