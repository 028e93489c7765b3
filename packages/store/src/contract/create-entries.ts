import type { Entry, TreelineError } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { isBlobRef } from '../blobs/blob-ref.ts'
import { type ContractOptions, openGiven } from './given.ts'
import { entriesOf, idsOf, lookAt, trunkOf } from './look.ts'
import { assistant, user } from './say.ts'

const TIME = '2020-02-03T04:05:06.789Z'

function at(draft: object, parentId: string | null): Entry {
  return { parentId, timestamp: TIME, ...draft } as Entry
}

function chain(...ids: readonly string[]): Entry[] {
  return ids.map((id, i) => at(i % 2 === 0 ? user(`says ${id}`, id) : assistant(`says ${id}`, id), ids[i - 1] ?? null))
}

/** Ids that other tools may have made, or someone who means harm. */
const ODD_IDS = [
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'a"b\\c',
  'ünï 🦊',
  'x'.repeat(5000),
  '0',
  ' ',
  'a\nb',
  '\0',
]

export function createEntriesContract(options: ContractOptions): void {
  describe('create with entries', () => {
    test('an import begins with what it is given: every branch, with its ids, parents, times and edits', async () => {
      await using given = await openGiven(options)
      const entries = [...chain('q1', 'a1', 'q2'), at(assistant('other', 'a2'), 'q1')]
      const session = await given.store.create({
        id: 'imported',
        cwd: '/theirs',
        title: 'Theirs',
        createdAt: TIME,
        parentSession: '/their/file',
        entries,
        operations: [
          { op: 'mute', nodeIds: ['a1'] },
          { op: 'meta', nodeId: 'q1', patch: { rating: 5 } },
          { op: 'leaf', leafId: 'q2' },
        ],
      })
      expect(session.header).toMatchObject({ id: 'imported', timestamp: TIME, parentSession: '/their/file' })
      for (const store of [given.store, await given.reopen()]) {
        const opened = await store.open('imported')
        const all = await entriesOf(opened)
        expect(all.slice(0, 4)).toMatchObject(entries)
        // What was said about them is no newer than they are: nobody was active now.
        expect(all.map(({ timestamp }) => timestamp)).toEqual(Array(5).fill(TIME))
        expect(lookAt(opened.tree)).toMatchObject({
          roots: ['q1'],
          nodes: { q1: { children: ['a1', 'a2'] }, a1: { muted: true, children: ['q2'] }, a2: { muted: false } },
        })
        expect(opened.leafId).toBe('q2')
        expect(opened.dialect).toBe('treeline')
        expect(opened.report()).toMatchObject({ skipped: [], notes: [], problems: [], unreadable: [] })
        expect(await store.list({ cwd: '/theirs' })).toMatchObject([
          { id: 'imported', createdAt: TIME, name: 'Theirs' },
        ])
      }
      await session.append(user('goes on', 'mine'))
      expect(trunkOf(session)).toEqual(['q1', 'a1', 'q2', 'mine'])
      await expect(session.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' })
    })

    test('entries may come a few at a time', async () => {
      await using given = await openGiven(options)
      async function* later(): AsyncGenerator<Entry> {
        for (const entry of chain('q1', 'a1', 'q2')) {
          await new Promise(setImmediate)
          yield entry
        }
      }
      expect(await idsOf(await given.store.create({ entries: later() }))).toEqual(['q1', 'a1', 'q2'])
      expect(await idsOf(await given.store.create({ entries: [] }))).toEqual([])
    })

    test.each([
      ['an id that comes twice', [...chain('q1', 'a1'), at(user('again', 'q1'), null)], 'id_in_use'],
      ['ids that are the same as UTF-8', [at(user('1', '\ud800'), null), at(user('2', '\ud801'), null)], 'id_in_use'],
      ['no id', [at(user('one'), null)], 'invalid_entry'],
      ['an empty id', [{ ...at(user('one'), null), id: '' }], 'invalid_entry'],
      ['no parent', [{ ...user('one', 'q1'), timestamp: TIME }], 'invalid_entry'],
      ['a header among them', [...chain('q1'), at({ type: 'session', id: 's' }, null)], 'invalid_entry'],
      ['what JSON cannot carry', [...chain('q1'), at({ type: 'custom', id: 'c', data: 1n }, 'q1')], 'invalid_entry'],
    ])('D4 with %s nothing of the session is left', async (_name, entries, code) => {
      await using given = await openGiven(options)
      const making = given.store.create({ id: 'imported', cwd: '/theirs', entries: entries as Entry[] })
      await expect(making).rejects.toMatchObject({ name: 'TreelineError', code })
      expect(await given.store.exists('imported')).toBe(false)
      expect(await (await given.reopen()).list()).toEqual([])
      await given.store.create({ id: 'imported', entries: chain('q1') })
    })

    test('D4 when what gives the entries fails, nothing of the session is left', async () => {
      await using given = await openGiven(options)
      function* failing(): Generator<Entry> {
        yield* chain('q1', 'a1')
        throw new Error('the file went away')
      }
      await expect(given.store.create({ entries: failing() })).rejects.toThrow('the file went away')
      expect(await given.store.list()).toEqual([])
    })

    test('X17 an id that exists is refused before anything of it is written', async () => {
      await using given = await openGiven(options)
      const { id } = await given.store.create({ entries: chain('q1') })
      await expect(given.store.create({ id, entries: chain('x1') })).rejects.toMatchObject({ code: 'id_in_use' })
      expect(await idsOf(await given.store.open(id))).toEqual(['q1'])
    })

    test('S31, S32 large images go to blobs and come back', async () => {
      await using given = await openGiven(options)
      const data = Buffer.alloc(3000, 7).toString('base64')
      const content = [{ type: 'image', data, mimeType: 'image/png' }]
      const entry = at({ type: 'message', id: 'e1', message: { role: 'user', content, timestamp: 1 } }, null)
      const session = await given.store.create({ entries: [entry] })
      const stored = (await session.readEntry('e1')) as unknown as { message: { content: [{ data: string }] } }
      expect(isBlobRef(stored.message.content[0].data)).toBe(true)
      expect(await session.readFull('e1')).toMatchObject({ entry, unresolved: [] })
    })

    test('G1 whatever the ids are called, they lead to their entries', async () => {
      await using given = await openGiven(options)
      const entries = chain(...ODD_IDS)
      const { id } = await given.store.create({ entries })
      const session = await (await given.reopen()).open(id)
      expect(trunkOf(session)).toEqual(ODD_IDS)
      expect(await session.readEntries(ODD_IDS)).toMatchObject(entries)
      await session.append(user('goes on', 'mine'))
      expect(trunkOf(session)).toEqual([...ODD_IDS, 'mine'])
    })

    test('G1 children before parents, rings and unknown parents are survived, and every entry can be read', async () => {
      await using given = await openGiven(options)
      const entries = [
        at(user('child first', 'c'), 'p'),
        at(user('parent later', 'p'), null),
        at(user('ring', 'r1'), 'r2'),
        at(user('ring', 'r2'), 'r1'),
        at(user('itself', 's'), 's'),
        at(user('orphan', 'o'), 'nobody'),
        at(user('last', 'z'), 'c'),
      ]
      const { id } = await given.store.create({ entries, operations: [{ op: 'mute', nodeIds: ['r1', 'o'] }] })
      const session = await (await given.reopen()).open(id)
      const ids = entries.map((entry) => entry.id)
      expect(await session.readEntries(ids)).toMatchObject(entries)
      expect(trunkOf(session)).toEqual(['p', 'c', 'z'])
      expect(Object.keys(lookAt(session.tree).nodes).sort()).toEqual([...ids].sort())
      expect((await session.line()).messages.length).toBeGreaterThan(0)
    })

    test('an operation that cannot be carried out is told of; the rest is', async () => {
      await using given = await openGiven(options)
      const told: TreelineError[] = []
      const session = await given.store.create({
        entries: chain('q1', 'a1', 'q2'),
        operations: [
          { op: 'mute', nodeIds: ['q1', 'nobody'] },
          { op: 'prune', nodeId: 'a1' },
          // Could be said alone, but not after the one before.
          { op: 'prune', nodeId: 'a1' },
          { op: 'label', nodeId: 'q1', label: 'here' },
        ],
        onLeftOut: (problem) => told.push(problem),
      })
      expect(told.map(({ message }) => /"nobody"|prune/.exec(message)?.[0])).toEqual(['"nobody"', 'prune'])
      for (const { message } of told) expect(message).toMatch(/^An edit is left out, /)
      const look = lookAt(session.tree)
      expect(look.nodes.q1!.muted).toBe(true)
      expect(look.labels).toEqual({ q1: 'here' })
      expect(look.fragments).toEqual({ q2: ['a1', 0] })
    })

    test.each([
      '',
      'yesterday',
      '2020',
      '2020-02-03',
      '2020-13-03T00:00:00Z',
      '../../2020-02-03T04:05:06Z',
      `${TIME}\n`,
    ])('K3 %j is no time for a session to begin', async (createdAt) => {
      await using given = await openGiven(options)
      const source = await given.store.create({ createdAt: '2020-02-03T04:05:06+01:00' })
      const refused = expect.objectContaining({ code: 'validation_failed' })
      await expect(given.store.create({ createdAt })).rejects.toEqual(refused)
      await expect(given.store.fork(source, { createdAt })).rejects.toEqual(refused)
      expect(await given.store.list()).toHaveLength(1)
    })

    test('S9 what one tool spells in its way is said in the way of the others too', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create({
        entries: [at({ type: 'model_change', id: 'm1', provider: 'acme', modelId: 'org/big' }, null)],
      })
      const spelled = { provider: 'acme', modelId: 'org/big', model: 'acme/org/big', role: 'default' }
      expect(await session.readEntry('m1')).toMatchObject(spelled)
      const draft = { type: 'model_change', id: 'm2', model: 'acme/org/big' }
      expect(await session.append(draft)).toMatchObject(spelled)
      expect(await session.append(draft)).toMatchObject(spelled)
      expect(await session.append({ type: 'model_change', model: 'acme/small', role: 'smol' })).not.toHaveProperty(
        'provider',
      )
      const summary = { type: 'compaction', summary: 'So far', firstKeptEntryId: 'm1', tokensBefore: 9 }
      expect(await session.append({ ...summary, fromHook: true })).toMatchObject({ fromExtension: true })
      expect(await session.append({ ...summary, fromExtension: false })).toMatchObject({ fromHook: false })
      expect(await session.append(summary)).not.toHaveProperty('fromHook')
    })
  })
}
