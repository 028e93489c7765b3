import { expect, test } from 'vitest'
import { ChatScreen } from './chat-screen.ts'
import type { Said } from './transcript/transcript.ts'

const said = (...keys: readonly string[]): readonly Said[] => keys.map((key) => ({ key, kind: 'user', text: key }))

function printed(...transcripts: readonly (readonly Said[])[]) {
  const screen = new ChatScreen()
  let reprints = 0
  screen.onReprint = () => reprints++
  for (const transcript of transcripts) screen.replace(transcript)
  return { screen, reprints, keys: screen.getSnapshot().said.map(({ key }) => key) }
}

test.each([
  ['the same', said('a', 'b'), said('a', 'b'), 'a b', 1],
  ['one that goes on', said('a', 'b'), said('a', 'b', 'c'), 'a b c', 1],
  ['the end of a long one', said('a', 'b', 'c'), said('earlier', 'b', 'c', 'd'), 'a b c d', 1],
  ['an earlier place', said('a', 'b', 'c'), said('a', 'b'), 'a b', 2],
  ['one without its beginning', said('a', 'b', 'c'), said('b', 'c'), 'b c', 2],
  ['another one', said('a', 'b'), said('x'), 'x', 2],
  ['none', said('a', 'b'), said(), '', 2],
  ['a rewritten one', said('a', 'b'), [{ key: 'a', kind: 'user', text: 'gone' }, ...said('b')] as const, 'a b', 2],
])(
  '%s: only what is new is printed, on an empty screen if it is another transcript',
  (_, first, second, keys, count) => {
    const after = printed(first, second)
    expect(after.keys.join(' ')).toBe(keys)
    expect(after.reprints).toBe(count)
  },
)

test('notes of ours do not make it another transcript', () => {
  const { screen } = printed(said('a'))
  screen.show('a note')
  const before = screen.getSnapshot().epoch
  screen.replace(said('a', 'b'))
  expect(screen.getSnapshot().epoch).toBe(before)
  expect(screen.getSnapshot().said.map(({ text }) => text)).toEqual(['a', 'a note', 'b'])
})

test('of a long transcript the end is printed anew, and that there was more is said', () => {
  const { screen } = printed(said(...Array.from({ length: 100 }, (_, i) => `k${i}`)))
  screen.reprint()
  const now = screen.getSnapshot().said
  expect(now).toHaveLength(41)
  expect(now[0]?.kind).toBe('note')
  expect(now.at(-1)?.key).toBe('k99')
})
