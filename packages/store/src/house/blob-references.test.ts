import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { openHome } from '../home.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import { findBlobReferences, listReferencingLogs } from './blob-references.ts'
import { trashSession } from './trash.ts'

const hash = (n: number) => n.toString(16).padStart(64, '0')
const CHUNK = 512 * 1024

/** Every character as JSON may write it too. */
const escaped = (text: string) =>
  [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

async function find(home: ReturnType<typeof openHome>, path: string): Promise<string[]> {
  const found: string[] = []
  for await (const hash of findBlobReferences(home, path)) found.push(hash)
  return found
}

test('references are found wherever a chunk ends, each once', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  const path = temp.plant('s')
  const bytes = Buffer.alloc(2 * CHUNK + 200, 'x')
  const expected: string[] = []
  for (let shift = 0; shift <= 76; shift += 4) {
    bytes.fill('x')
    const [here, there] = [hash(2 * shift + 1), hash(2 * shift + 2)]
    bytes.write(`blob:sha256:${here}`, CHUNK - shift)
    bytes.write(`blob:sha256:${there}blob:sha256:${here}`, CHUNK + 1000)
    writeFileSync(path, bytes)
    expected.push(here, there)
    expect(await find(home, path), `${shift} bytes before the end`).toEqual([here, there])
  }
  expect(expected).toHaveLength(40)
})

test('a reference with escapes is found wherever a chunk ends', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  const path = temp.plant('s')
  const bytes = Buffer.alloc(CHUNK + 1000, 'x')
  for (let shift = 0; shift <= 460; shift += 20) {
    bytes.fill('x')
    bytes.write(escaped(`blob:sha256:${hash(shift)}`), CHUNK - shift)
    writeFileSync(path, bytes)
    expect(await find(home, path), `${shift} bytes before the end`).toEqual([hash(shift)])
  }
})

test('what only looks like a reference is none; one in damaged bytes is', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  const bad = [`blob:sha256:${'A'.repeat(64)}`, `blob:sha256:${'a'.repeat(63)}`, 'blob:sha256:', `blob:md5:${hash(1)}`]
  const path = temp.plant('s', `${bad.join('\n')}\n\0\xff{{{"blob:sha256:${hash(7)}`)
  expect(await find(home, path)).toEqual([hash(7)])
  expect(await find(home, `${path}.none`)).toEqual([])
})

test('what the store puts away as a blob is found in the log', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  await using store = await openFileStore(temp)
  const session = await store.create({ cwd: '/p' })
  await session.append(user('x'.repeat(600_000)))
  const found = await find(home, session.path)
  expect(found).toHaveLength(1)
  expect(home.storage.existsSync(home.paths.blobFile(found[0]!))).toBe(true)
})

test('an aborted search stops', async () => {
  using temp = makeTempHome()
  const path = temp.plant('s', 'x')
  const search = findBlobReferences(openHome(temp), path, AbortSignal.abort())
  await expect(search.next()).rejects.toThrow('abort')
})

test('logs, originals, logs being written and the trash are listed', async () => {
  using temp = makeTempHome()
  const home = openHome(temp)
  const path = temp.plant('s', '{"type":"session","version":3,"id":"s"}\n')
  for (const end of ['.v1', '.abc.tmp']) writeFileSync(path + end, 'x')
  expect([...listReferencingLogs(home)]).toEqual([path, `${path}.abc.tmp`, `${path}.v1`])
  const { trashId } = await trashSession(home, 's')
  const inTrash = join(home.paths.trashItem(trashId), 'sessions')
  expect([...listReferencingLogs(home)].map((file) => dirname(dirname(file)))).toEqual([inTrash, inTrash, inTrash])
  mkdirSync(join(home.paths.trashItem(trashId), 'partial', 'x'), { recursive: true })
  expect([...listReferencingLogs(home)]).toHaveLength(3)
  home.locks.close()
})
