import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { entriesOf } from './look.ts'
import { custom, user } from './say.ts'

const LINES: Readonly<Record<string, string>> = {
  'a NUL': 'a\u0000b\u0000',
  'a lone high surrogate': 'x\ud800y',
  'a lone low surrogate': '\udfff',
  'surrogates the wrong way round': '\udc00\ud800',
  'line ends of every kind': 'a\nb\r\nc\rd\u2028e\u2029f\u0085g',
  'escapes and bells': '\u001b[31m\u001b]52;c;AAAA\u0007\u009b',
  'what looks like a record':
    '"}\n{"type":"session","version":3,"id":"x","timestamp":"","cwd":"/"}\n{"type":"message","id":"evil"',
  'what looks like a checksum': '","crc":"00000000"}',
  'a byte order mark': '\ufeff{"a":1}\ufeff',
  'emoji in sequences': '👩‍👩‍👧‍👦🏳️‍🌈é',
  'bidi controls': '\u202eabc\u2066def\u2069',
  noncharacters: '\ufffe\uffff\u{10ffff}',
  'a long whole number': '9007199254740993',
  'backslashes and quotes': '\\"\\\\u0000\\ud800\'`$x',
}

export function hostileTextContract(options: ContractOptions): void {
  describe('hostile text', () => {
    test.each(Object.keys(LINES))('K4 %s comes back as it was', async (name) => {
      await using given = await openGiven(options)
      const session = await given.store.create({ title: LINES[name]! })
      const text = LINES[name]!
      await session.append(user(text, 'e1'))
      await session.append(custom({ [text]: [text, { [text]: text }] }, 'e2'))
      await session.setLabel('e1', text)
      await session.append(user('after', 'e3'))
      const other = await (await given.reopen()).open(session.id)
      expect(await other.readEntries(['e1', 'e2', 'e3'])).toMatchObject([
        { message: { content: text } },
        { data: { [text]: [text, { [text]: text }] } },
        { parentId: 'e2' },
      ])
      expect(other.tree.edits.labels.get('e1')?.label).toBe(text)
      expect(other.header.title).toBe(text)
      expect(other.report()).toMatchObject({ skipped: [], problems: [], unreadable: [], tornAt: undefined })
      expect(await entriesOf(other)).toHaveLength(4)
      expect(await given.store.list()).toMatchObject([{ id: session.id, messageCount: 2, entryCount: 4 }])
    })

    test('K4 keys named __proto__, constructor and toString are data, at every depth', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const text =
        '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"deep":[{"__proto__":null}]}'
      const data = JSON.parse(text) as object
      await session.append(custom(data, 'e1'))
      await session.append(
        JSON.parse('{"type":"custom","id":"e2","customType":"x","__proto__":{"top":1},"toString":"t"}'),
      )
      const other = await (await given.reopen()).open(session.id)
      const [first, second] = await other.readEntries(['e1', 'e2'])
      expect(JSON.stringify(first!.data)).toBe(text)
      expect(JSON.stringify(second)).toContain('"__proto__":{"top":1},"toString":"t"')
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      expect(((await session.append(custom(data, 'e1'))) as { id: string }).id).toBe('e1')
    })

    test('numbers come back as JSON has them', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const numbers = [0, -1, 0.1, 1e308, 5e-324, 2 ** 53, -(2 ** 53), 2 ** 53 + 2, 1e21, 123456789.12345679]
      await session.append(custom(numbers, 'e1'))
      await session.append(custom([Number.NaN, Number.POSITIVE_INFINITY], 'e2'))
      const other = await (await given.reopen()).open(session.id)
      expect(await other.readEntries(['e1', 'e2'])).toMatchObject([{ data: numbers }, { data: [null, null] }])
    })

    test('a string of a million characters comes back, and so does one of a megabyte per character kind', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const texts = ['x', '\u0000', '\n', '"', 'é', '漢', '🦊', '\ud800'].map((unit) =>
        unit.repeat(Math.ceil(1_048_576 / unit.length)),
      )
      for (const [i, text] of texts.entries()) await session.append(user(text, `e${i}`))
      const other = await (await given.reopen()).open(session.id)
      for (const [i, text] of texts.entries()) {
        const full = await other.readFull(`e${i}`)
        expect((full!.entry.message as { content: string }).content === text, `text ${i}`).toBe(true)
      }
      expect(other.report()).toMatchObject({ skipped: [], unreadable: [] })
    })

    test('an entry of 64 levels is stored, one of 65 is refused and leaves no trace', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const nest = (levels: number): unknown =>
        levels === 0 ? 'bottom' : levels % 2 ? [nest(levels - 1)] : { d: nest(levels - 1) }
      await session.append(custom(nest(63), 'ok'))
      await expect(session.append(custom(nest(64), 'deep'))).rejects.toMatchObject({ code: 'invalid_entry' })
      const cycle: Record<string, unknown> = {}
      cycle.self = cycle
      await expect(session.append(custom(cycle, 'cycle'))).rejects.toMatchObject({ code: 'invalid_entry' })
      await expect(session.append(custom({ n: 1n }, 'big'))).rejects.toMatchObject({ code: 'invalid_entry' })
      await expect(session.append(custom(new Map(), 'map'))).rejects.toMatchObject({ code: 'invalid_entry' })
      const other = await (await given.reopen()).open(session.id)
      expect(await entriesOf(other)).toMatchObject([{ id: 'ok', data: nest(63) }])
      expect(session.leafId).toBe('ok')
      await session.append(user('goes on', 'next'))
      expect(await session.readEntry('next')).toMatchObject({ parentId: 'ok' })
    })

    test('K4 a config and a name keep hostile text too', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const text = Object.values(LINES).join('|')
      await session.setConfig({ summary: text, pastedTextMap: { [text]: text } })
      await session.rename(text)
      const other = await (await given.reopen()).open(session.id)
      expect(other.config).toMatchObject({ summary: text, pastedTextMap: { [text]: text } })
      expect(other.name).toBe(text.trim())
    })
  })
}
