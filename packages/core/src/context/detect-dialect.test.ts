import { expect, test } from 'vitest'
import type { SessionHeader, TitleSlot } from '../entry/entry.ts'
import { Kind, kindOf } from '../entry/kind.ts'
import { loadLog } from '../testing/load-log.ts'
import { hasShared, listShared, readShared, SKIPPED } from '../testing/shared-fixtures.ts'
import { detectDialect } from './detect-dialect.ts'

const uuid: SessionHeader = {
  type: 'session',
  version: 3,
  id: '01980000-0000-7000-8000-000000000001',
  timestamp: '',
  cwd: '/',
}
const snowflake = { ...uuid, id: '147214bd6601be05' }
const slot: TitleSlot = { type: 'title', v: 1, title: '', updatedAt: '', pad: '' }

test.each([
  ['nothing at all', undefined, undefined, [], 'pi'],
  ['messages only', uuid, undefined, [Kind.message], 'pi'],
  ["a name in Pi's way", uuid, undefined, [Kind.message, Kind.session_info], 'pi'],
  ['a title slot', uuid, slot, [Kind.message], 'omp'],
  ['a reset boundary', uuid, undefined, [Kind.reset_boundary], 'omp'],
  ["oh-my-pi's header fields", { ...uuid, additionalDirectories: [] }, undefined, [], 'omp'],
  ['a snowflake id', snowflake, undefined, [Kind.message], 'xcsh'],
  ['a mode change', uuid, undefined, [Kind.mode_change], 'xcsh'],
  ["an edit of ours in oh-my-pi's file", uuid, slot, [Kind.session_info, Kind.edit], 'omp'],
  ["an edit and a name of ours in xcsh's file", snowflake, undefined, [Kind.session_info, Kind.edit], 'xcsh'],
  [
    "a name of ours in a file that only xcsh's kinds tell of",
    uuid,
    undefined,
    [Kind.mode_change, Kind.session_info],
    'xcsh',
  ],
  ["an edit of ours in Pi's file", uuid, undefined, [Kind.message, Kind.edit], 'pi'],
  ['an edit in a file without a header', undefined, undefined, [Kind.message, Kind.edit], 'treeline'],
  ['our checksum, with a field that another tool put behind it', { ...uuid, crc: '01234567' }, slot, [], 'treeline'],
] as const)('%s', (_, header, titleSlot, kinds, expected) => {
  expect(detectDialect(header, titleSlot, kinds)).toBe(expected)
})

test('a header line with our checksum', () => {
  expect(detectDialect(uuid, undefined, [], true)).toBe('treeline')
})

test.skipIf(!hasShared)(hasShared ? 'the files of each tool are told apart' : SKIPPED, () => {
  const detect = (file: string) => {
    const log = loadLog(readShared(file))
    return detectDialect(
      log.header,
      log.titleSlot,
      log.entries.map((entry) => kindOf(entry.type, entry.customType)),
    )
  }
  const all = (folder: string) => listShared(folder).map((name) => [name, detect(`${folder}/${name}.jsonl`)])
  // Without a header little is left to tell by.
  const damaged = (name: unknown) => String(name).startsWith('header-')
  expect(all('pi').filter(([, dialect]) => dialect !== 'pi')).toEqual([])
  expect(all('xcsh/sessions').filter(([name, dialect]) => dialect !== 'xcsh' && !damaged(name))).toEqual([])
  expect(all('omp18/sessions').filter(([, dialect]) => dialect !== 'omp')).toEqual([])
})
