import type { Context, Dialect, Entry } from '@treeline/core'
import { openFileStore, type Session } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { findBlobFolders } from '../blob-folders.ts'
import { withUsage } from '../pi/with-usage.ts'
import { piWriter } from '../pi/write.ts'
import { readAll, writeLines } from '../testing/collect.ts'
import { hasShared, listFixtures, SKIPPED } from '../testing/shared-fixtures.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { importSession } from './import-session.ts'

/** Other tools never come out of these; in the copy the ring is cut. */
const RINGS = /cycle/
const DIALECTS: readonly Dialect[] = ['pi', 'xcsh', 'omp', 'treeline']

describe.skipIf(!hasShared)(hasShared ? 'Pi → Treeline → Pi, every file of Pi, xcsh and oh-my-pi' : SKIPPED, () => {
  test.each(listFixtures('pi', 'xcsh/sessions', 'omp18/sessions'))('%s', async (name, path) => {
    using temp = makeTempFolder()
    await using store = await openFileStore({ home: temp.home, durability: 'written' })
    await using source = await store.openPath(path, { blobFolders: findBlobFolders(path) })
    if (source.tree.rowCount === 0) {
      await expect(importSession(store, path)).rejects.toMatchObject({ code: 'bad_request' })
      return
    }

    const imported = await importSession(store, path)
    expect(imported).toMatchObject({ isNew: true, added: source.tree.rowCount, skipped: 0 })
    await using session = await store.open(imported.sessionId)
    expect(idsOf(session)).toEqual(idsOf(source))
    expect(session.leafId).toBe(source.leafId)
    expect(session.header.parentSession).toBe(source.header.id || source.path)
    const contexts = await Promise.all(DIALECTS.map((dialect) => source.context({ dialect })))
    expect(await Promise.all(DIALECTS.map((dialect) => session.context({ dialect })))).toEqual(contexts)

    const again = await importSession(store, path)
    expect(again).toMatchObject({ isNew: false, added: 0, sessionId: imported.sessionId, path: imported.path })
    expect(again.notes.filter(({ kind }) => kind === 'changed')).toEqual([])

    const { text, header, entries, notes } = await writeLines(piWriter, session)
    expect(header).toMatchObject({ type: 'session', version: 3, id: session.id })
    const isRing = RINGS.test(name)
    const original = (await fullEntries(source)).map(withUsage)
    const written = entries.slice(0, original.length)
    if (isRing) expect(written.map(withoutParent)).toEqual(original.map(withoutParent))
    // Also the order of keys.
    else expect(written.map((entry) => JSON.stringify(entry))).toEqual(original.map((entry) => JSON.stringify(entry)))
    // At most the name, for tools that look for it in a line.
    const own = entries.slice(original.length).map(({ id: _, timestamp: _at, ...rest }) => rest)
    expect([[], [{ type: 'session_info', parentId: source.leafId, name: session.name }]]).toContainEqual(own)
    expect(notes.filter(({ kind, message }) => kind === 'left_out' && !message.includes('blob'))).toEqual([])

    await using copy = await store.openPath(temp.plant('copy.jsonl', text))
    expect(copy.leafId).toBe(source.leafId)
    const copied = await Promise.all(DIALECTS.map((dialect) => copy.context({ dialect })))
    expect(copied.map(saidIn)).toEqual(contexts.map(saidIn))
  })
})

function idsOf({ tree }: Session): string[] {
  return Array.from({ length: tree.rowCount }, (_, row) => tree.ids.textOf(tree.refAtRow(row)))
}

function withoutParent({ parentId: _, ...rest }: Entry): object {
  return rest
}

async function fullEntries(session: Session): Promise<Entry[]> {
  const twice = new Set(session.tree.problems().flatMap((one) => (one.type === 'duplicate_id' ? [one.id] : [])))
  const entries: Entry[] = []
  for (const entry of await readAll(session)) {
    entries.push(twice.has(entry.id) ? entry : ((await session.readFull(entry.id))?.entry ?? entry))
  }
  return entries
}

/** Images are in the copy itself, and answers without token counts say zero. */
function saidIn({ messages }: Context): readonly string[] {
  const said = messages.map((message) => JSON.stringify(message, (key, value) => (key === 'usage' ? undefined : value)))
  return said.map((text) => text.replace(/"(data|image_url|result)":"[^"]*"/g, ''))
}
