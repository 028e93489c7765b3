import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStorage, openFileStore, openMemoryStore, type SessionStore } from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PROVIDERS } from '../testing/provider-models.ts'
import { endOf, expectGoesOn, expectWhole, openWireBench, type WireBench } from '../testing/wire-bench.ts'
import { readPartial } from './partial-text.ts'

let home: string
let store: SessionStore
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'treeline-checkpoint-'))
  store = await openFileStore({ home })
})
afterEach(async () => {
  await store.close()
  await rm(home, { recursive: true, force: true })
})

const KIB = 1024
const never = new Promise<void>(() => {})

/** What another process would find of an answer, should this one die now. */
async function keptOf({ session }: WireBench, nodeId: string): Promise<string> {
  const blocks = readPartial((await session.partials?.read(nodeId)) ?? '')
  return blocks.map((block) => ('text' in block ? block.text : 'thinking' in block ? block.thinking : '')).join('')
}

/** Runs a turn whose stream stays open after `open` pieces, until all of them have come; then looks, and cancels. */
async function whileOpen(
  bench: WireBench,
  { text, chunkChars, open }: { readonly text: string; readonly chunkChars: number; readonly open: number },
  look: (nodeId: string, came: string) => Promise<void>,
): Promise<string> {
  bench.server.reply({ text, chunkChars, fault: { type: 'slow', gate: async (i) => (i < open ? undefined : never) } })
  const stop = new AbortController()
  const all = Promise.withResolvers<string>()
  let came = ''
  const turn = bench.take({
    prompt: 'Go',
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type !== 'delta') return
      came += event.text
      if ([...came].length >= open * chunkChars) all.resolve(event.nodeId)
    },
  })
  const nodeId = await all.promise
  await look(nodeId, came)
  stop.abort()
  expect(endOf(await turn)).toBe('cancelled')
  return nodeId
}

describe.each(PROVIDERS)('X70 while %s streams', (provider) => {
  // Characters of one byte, of three, and outside of the first plane.
  test.each(['x', '東', '🌲'])(
    'all but the last 8 KiB of %s is on the disk, and gone when it has ended',
    async (char) => {
      await using bench = await openWireBench({ provider, store })
      // Ends a little less than 8 KiB behind the last time that so many characters had come.
      const reply = { text: char.repeat(17_000), chunkChars: 500, open: 33 }
      const nodeId = await whileOpen(bench, reply, async (id, came) => {
        const missing = async () => Buffer.byteLength(came) - Buffer.byteLength(await keptOf(bench, id))
        await expect.poll(missing).toBeLessThan(8 * KIB)
        expect(came.startsWith(await keptOf(bench, id))).toBe(true)
      })
      expect(await bench.session.partials?.read(nodeId)).toBeUndefined()
      await expectWhole(bench)
      await expectGoesOn(bench)
    },
  )
})

test('X70 a little text is on the disk within two seconds', async () => {
  await using bench = await openWireBench({ provider: 'anthropic', store })
  const startedAt = performance.now()
  await whileOpen(bench, { text: 'Only a few words', chunkChars: 8, open: 1 }, async (id) => {
    expect(await keptOf(bench, id)).toBe('')
    await expect.poll(() => keptOf(bench, id), { timeout: 5_000, interval: 20 }).toBe('Only a f')
    expect(performance.now() - startedAt).toBeGreaterThan(1_000)
  })
  await expectWhole(bench)
})

test('R3 where no partial text can be kept, the answer comes all the same, and the user is told', async () => {
  const memory = createMemoryStorage()
  const openWriter: typeof memory.openWriter = (path, options) => {
    if (path.includes('partial')) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    return memory.openWriter(path, options)
  }
  await using full = await openMemoryStore({ storage: { ...memory, openWriter } })
  await using bench = await openWireBench({ provider: 'openai', store: full })
  const text = 'x'.repeat(30_000)
  bench.server.reply({ text, chunkChars: 1_000 })
  const events = await bench.take({ prompt: 'Go' })
  expect(endOf(events)).toBe('stop')
  expect(events.filter(({ type }) => type === 'notice')).toMatchObject([{ code: 'storage_full' }])
  expect((await bench.answers())[0]?.message.content).toEqual([{ type: 'text', text }])
  await expectWhole(bench)
})
