import { readFileSync } from 'node:fs'
import { checkCrc, decodeLog, type Entry, type EntryDraft, Flag } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { runs } from '../testing/runs.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import type { Session } from './session.ts'

/** All that a tree has of its rows, and where they hang. */
function readingOf({ tree }: Session): unknown {
  const { heads, ids, columns } = tree
  return Array.from({ length: heads.count }, (_, row) => {
    const ref = tree.refAtRow(row)
    return {
      id: ids.textOf(ref),
      place: [heads.offset[row], heads.lengthOf(row), heads.line[row], heads.timeMs[row]],
      is: [heads.kind[row], heads.role[row], columns.flags[ref]],
      under: [ids.textOf(columns.parent[ref]!), ids.textOf(columns.rawParent[ref]!)],
      index: columns.has(ref, Flag.node) ? columns.indexOf(ref) : undefined,
    }
  })
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', 'é\udfff', '\u2028', '\0', '"}{"type":"', '"parentId":', '\n', '漢字', '__proto__'),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    text,
    fc.double(),
    fc.constantFrom(null, true, undefined),
    fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'value' }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('data', 'partialJson', 'toJSON', 'role')), tie('value'), {
      maxKeys: 3,
    }),
  ),
}))
const role = fc.oneof(fc.constantFrom('user', 'assistant', 'toolResult', 'nobody', '', 'a"b'), value)
const message = fc.oneof(
  fc.record({ role, content: value }),
  fc.record({ content: value, role }),
  fc.dictionary(text, value),
)

test('G3 I1 whatever a message says, the quick way leaves the tree that its file is read as, and its line is sealed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 12 }), async (messages) => {
      using temp = makeTempHome()
      await using store = await openFileStore({ ...temp, durability: 'written' })
      await using session = await store.create({ cwd: '/work' })
      const drafts: EntryDraft[] = messages.map((said) => ({ type: 'message', message: said }))
      const appended = await Promise.all(drafts.map((draft) => session.append(draft).catch(() => undefined)))
      await using other = await openFileStore(temp)
      await using again = await other.open(session.id)
      expect(readingOf(session)).toStrictEqual(readingOf(again))
      expect(session.leafId).toBe(again.leafId)
      const kept = appended.filter((entry) => entry !== undefined)
      const stored = await again.readEntries(kept.map(({ id }) => id))
      expect(stored).toEqual(kept.map((entry) => JSON.parse(JSON.stringify(entry)) as Entry))
      const bytes = readFileSync(session.path)
      expect(decodeLog(bytes)).toMatchObject({ skipped: [], notes: [] })
      for (const line of bytes.toString('latin1').split('\n').slice(0, -1)) {
        expect(checkCrc(Buffer.from(line, 'latin1'))).toBe('ok')
      }
    }),
    { numRuns: runs(60) },
  )
})

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('say', 'other says') },
  fc.constantFrom('refused', 'mute', 'start over', 'other goes on there', 'announce', 'with an id', 'wait'),
)

test('C1 G3 what is asked for together, by two sessions and of every kind, hangs where it would one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 24 }), async (steps) => {
      const [together, oneByOne] = [await carryOut(steps, false), await carryOut(steps, true)]
      expect(together).toStrictEqual(oneByOne)
    }),
    { numRuns: runs(60) },
  )
})

/** What the log says afterwards, entries named by when they were asked for. */
async function carryOut(steps: readonly string[], isOneByOne: boolean): Promise<unknown> {
  using temp = makeTempHome()
  await using store = await openFileStore({ ...temp, durability: 'written' })
  await using session = await store.create({ cwd: '/work' })
  await using other = await store.open(session.id)
  const first = await session.append(user('first'))
  const outcomes: unknown[] = []
  const pending: Promise<unknown>[] = []
  const ask = async (work: Promise<unknown>): Promise<void> => {
    const at = outcomes.push(undefined) - 1
    const done = work.then(
      () => {
        outcomes[at] = 'done'
      },
      (error) => {
        outcomes[at] = error.code
      },
    )
    pending.push(done)
    if (isOneByOne) await done
  }
  for (const [i, said] of steps.entries()) {
    const message = { role: 'user', content: `${i}` }
    if (said === 'say') await ask(session.append({ type: 'message', message }))
    else if (said === 'other says') await ask(other.append({ type: 'message', message }))
    else if (said === 'refused') await ask(session.append({ type: 'message', message: { role: 'user', at: () => i } }))
    else if (said === 'mute') await ask(other.edit({ operations: [{ op: 'mute', nodeIds: [first.id] }] }))
    else if (said === 'start over') await ask(session.resetLeaf())
    else if (said === 'other goes on there') await ask(other.branch(first.id))
    else if (said === 'announce') await ask(other.append(generationOf(`0000${(i + 4096).toString(16)}`)))
    else if (said === 'with an id') await ask(session.append({ type: 'message', id: `id-${i}`, message }))
    else await Promise.all(pending)
  }
  await Promise.all(pending)
  const reading = readingOf(session)
  await using elsewhere = await openFileStore(temp)
  await using again = await elsewhere.open(session.id)
  expect(reading).toStrictEqual(readingOf(again))
  const entries: Entry[] = []
  for await (const entry of again.entries()) entries.push(entry)
  const names = new Map(entries.map(({ id }, place) => [id, place]))
  const nameOf = (id: string | null): number | null => (id === null ? null : (names.get(id) ?? -1))
  const { tree } = session
  const hanging = entries.map(({ id }) => nameOf(tree.ids.textOf(tree.columns.parent[tree.ids.find(id)]!)))
  const lines = entries.map(({ type, message, parentId }) => [type, message, nameOf(parentId)])
  return { outcomes, lines, hanging, leaves: [nameOf(session.leafId), nameOf(other.leafId)] }
}

function generationOf(nodeId: string): EntryDraft {
  return { type: 'custom', customType: 'treeline/generation', data: { nodeId, parentId: null } }
}

test('a message is kept as it was when it was handed over, and comes back so', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  await using session = await store.create()
  const message: Record<string, unknown> = { role: 'user', content: 'before' }
  const appending = session.append({ type: 'message', message })
  message.content = 'after'
  const entry = await appending
  expect(entry.message).toEqual({ role: 'user', content: 'before' })
  expect((await session.readEntry(entry.id))?.message).toEqual({ role: 'user', content: 'before' })
})

test('where the quick way does not do, the long one is gone: a cut part, an answer that is being generated', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  await using session = await store.create()
  const first = await session.append(user('first'))
  const cut = await session.append(user('cut'))
  await session.edit({ operations: [{ op: 'prune', nodeId: first.id }] })
  const after = await session.append(user('after'))
  const { ids, columns } = session.tree
  expect(columns.parent[ids.find(after.id)]).toBe(ids.find(first.id))
  expect(columns.isAttached(ids.find(cut.id))).toBe(false)
  const nodeId = '000000aa'
  await session.append({
    type: 'custom',
    customType: 'treeline/generation',
    data: { nodeId, parentId: session.leafId },
  })
  await expect(session.append(user('too early'))).rejects.toMatchObject({ code: 'parent_generating' })
})
