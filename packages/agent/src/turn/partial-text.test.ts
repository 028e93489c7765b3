import type { Partials } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { PartialText, readPartial } from './partial-text.ts'

const clock = { now: () => 1 }
const piece = (text: string, block = 0, kind: 'text' | 'thinking' = 'text') => ({ kind, block, text })

/** Keeps lines in memory; a line is kept when the disk is let go. */
function slowDisk() {
  const lines: string[] = []
  const removed: string[] = []
  const disk = Promise.withResolvers<void>()
  const partials: Partials = {
    open: () => ({
      async append(line) {
        await disk.promise
        lines.push(line)
      },
      close: async () => {},
    }),
    list: () => [],
    read: async () => lines.join('\n'),
    remove: async (nodeId) => {
      removed.push(nodeId)
    },
  }
  return { partials, lines, removed, letGo: disk.resolve }
}

test('an answer that is in the log does not wait for all that a slow disk has still to take', async () => {
  const { partials, lines, removed, letGo } = slowDisk()
  const partial = new PartialText(partials, 'node', clock)
  for (let i = 0; i < 50; i++) partial.add(piece('x'.repeat(8_192)))
  const gone = partial.remove()
  letGo()
  await gone
  expect(lines.length).toBeLessThan(2)
  expect(removed).toEqual(['node'])
})

test('what is kept comes back as the blocks it came in, in their order', async () => {
  const { partials, letGo } = slowDisk()
  letGo()
  const partial = new PartialText(partials, 'node', clock)
  for (const one of [piece('Hm. ', 0, 'thinking'), piece('One ', 1), piece('Yes.', 0, 'thinking'), piece('two.', 1)]) {
    partial.add(one)
    await partial.flush()
  }
  expect(readPartial((await partials.read('node')) ?? '')).toEqual([
    { type: 'thinking', thinking: 'Hm. Yes.' },
    { type: 'text', text: 'One two.' },
  ])
})

test('whatever is found on the disk is read without a complaint, and good lines count beside bad ones', () => {
  const good = JSON.stringify({ at: 1, pieces: [['text', 0, 'kept']] })
  const bad = fc.oneof(
    fc.string(),
    fc.json(),
    fc.nat(good.length - 1).map((end) => good.slice(0, end)),
    fc.array(fc.jsonValue(), { maxLength: 4 }).map((pieces) => JSON.stringify({ pieces: [pieces] })),
  )
  fc.assert(
    fc.property(fc.array(bad.map((line) => line.replaceAll('\n', ' '))), fc.array(bad), (before, after) => {
      const blocks = readPartial([...before, good, ...after].join('\n'))
      const said = blocks.map((block) => ('text' in block ? block.text : '')).join('')
      expect(said).toContain('kept')
    }),
    { numRuns: runs(200) },
  )
})
