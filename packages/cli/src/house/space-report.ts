import type { BranchSpace, Space } from '@treeline/store'
import { bytesText, counted } from '../output/amount.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'

/** What sessions are called, by path. */
export type Titles = ReadonlyMap<string, string>

const MAX_SHOWN = 10

const TOTALS = [
  ['logs', 'the conversations'],
  ['blobs', 'images and long texts'],
  ['originals', 'kept by repairs and migrations'],
  ['trash', '`treeline restore` lists it, `treeline purge` empties it'],
  ['index', 'for lists and search; built again when it is gone'],
  ['columns', 'for fast opening; built again when they are gone'],
  ['history', 'prompts'],
  ['partial', 'answers under way'],
] as const

/** What takes the space, for a person. */
export function* spaceReport({ totals, sessions, blobs }: Space, titles: Titles, width: number): Generator<string> {
  const rows = TOTALS.map(([name, what]) => [name, bytesText(totals[name]), what])
  yield* table([{ title: 'space' }, { title: 'size', align: 'right' }, { title: '', flexible: true }], rows, width)
  if (sessions.length > 0) {
    yield ''
    yield paint('title', 'Largest sessions')
    yield* table(
      [
        { title: 'id', style: 'id' },
        { title: 'log', align: 'right' },
        { title: 'originals', align: 'right', spare: 3 },
        { title: 'own blobs', align: 'right', spare: 1 },
        { title: 'shared', align: 'right', spare: 2 },
        { title: 'session', flexible: true },
      ],
      sessions
        .slice(0, MAX_SHOWN)
        .map(({ id, path, name, logBytes, originalBytes, ownBlobBytes, sharedBlobBytes }) => [
          id === undefined ? '?' : shortId(id),
          ...[logBytes, originalBytes, ownBlobBytes, sharedBlobBytes].map(bytesText),
          name ?? titles.get(path) ?? '',
        ]),
      width,
    )
    if (sessions.length > MAX_SHOWN) yield paint('faint', `and ${counted(sessions.length - MAX_SHOWN, 'smaller one')}`)
  }
  if (blobs.length > 0) {
    yield ''
    yield paint('title', 'Largest blobs')
    yield* table(
      [{ title: 'hash', style: 'id' }, { title: 'size', align: 'right' }, { title: 'used by' }],
      blobs
        .slice(0, MAX_SHOWN)
        .map(({ hash, sizeBytes, referrers }) => [
          hash.slice(0, 16),
          bytesText(sizeBytes),
          referrers.length === 0 ? 'nobody' : counted(referrers.length, 'session'),
        ]),
      width,
    )
  }
}

/** What takes the space within one session. */
export function* branchReport(space: BranchSpace, width: number): Generator<string> {
  const { sizeBytes, branches, fragments, deletedBytes, otherBytes, largest } = space
  yield `${bytesText(sizeBytes)} in all; ${bytesText(deletedBytes)} deleted, ${bytesText(otherBytes)} edits, labels and the like`
  const shown = branches.slice(0, MAX_SHOWN)
  yield ''
  yield paint('title', 'Branches')
  yield* table(
    [
      { title: 'ends at', style: 'id' },
      { title: 'own', align: 'right' },
      { title: 'shared', align: 'right', spare: 1 },
      { title: '' },
    ],
    shown.map(({ leafId, isTrunk, ownBytes, sharedBytes }) => [
      leafId,
      bytesText(ownBytes),
      bytesText(sharedBytes),
      isTrunk ? 'trunk' : '',
    ]),
    width,
  )
  if (branches.length > shown.length) yield paint('faint', `and ${branches.length - shown.length} smaller`)
  if (fragments.length > 0) {
    yield ''
    yield paint('title', 'In the stash')
    const rows = fragments.slice(0, MAX_SHOWN).map((one) => [one.fragmentId, bytesText(one.sizeBytes)])
    yield* table(
      [
        { title: 'fragment', style: 'id' },
        { title: 'size', align: 'right' },
      ],
      rows,
      width,
    )
  }
  yield ''
  yield paint('title', 'Largest entries')
  const rows = largest.slice(0, MAX_SHOWN).map((one) => [one.entryId, bytesText(one.sizeBytes)])
  yield* table(
    [
      { title: 'entry', style: 'id' },
      { title: 'size', align: 'right' },
    ],
    rows,
    width,
  )
}
