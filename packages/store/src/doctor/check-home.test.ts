import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { type Home, openHome } from '../home.ts'
import { readAudit } from '../house/audit.ts'
import { trashSession } from '../house/trash.ts'
import { openPromptHistory } from '../prompt-history/prompt-history.ts'
import { header, makeTempHome, message, type TempHome } from '../testing/temp-home.ts'
import { checkHome, type HomeDiagnosis } from './check-home.ts'
import { fixHome } from './fix-home.ts'

async function inHome<T>(temp: TempHome, work: (home: Home) => Promise<T>): Promise<T> {
  const home = openHome({ home: temp.home })
  try {
    return await work(home)
  } finally {
    home.locks.close()
    home.presence.close()
  }
}

const codesOf = ({ findings }: HomeDiagnosis) => findings.map(({ code }) => code).sort()

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

/** As `plant`, with the modes a store gives. */
function plant(temp: TempHome, home: Home, id: string, ...lines: (object | string)[]): string {
  const path = temp.plant(id, ...lines)
  chmodSync(path, 0o600)
  for (const dir of [dirname(path), home.paths.sessions]) chmodSync(dir, 0o700)
  return path
}

test('a home in use is sound', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore({ home: temp.home })
  await using session = await store.create({ cwd: '/p' })
  await session.append({ type: 'message', message: { role: 'user', content: 'hello', timestamp: 0 } })
  await inHome(temp, async (home) => {
    const history = openPromptHistory({ home })
    history.add('hello', '/p')
    await history.close()
    const other = await store.create({ cwd: '/p' })
    await other.close()
    await trashSession(home, other.path)
    const diagnosis = await checkHome(home, { deep: true })
    expect(diagnosis).toEqual({ verdict: 'sound', logCount: 1, logs: [], findings: [], unlisted: 0 })
  })
})

test('I7 one bad log, and a folder that is none, hide no other', async () => {
  using temp = makeTempHome()
  await inHome(temp, async (home) => {
    plant(temp, home, 'bad', 'garbage\n')
    plant(temp, home, 'worse', header('worse'), 'garbage\n', message('one', 'a', null))
    plant(temp, home, 'good', header('good'), message('one', 'a', null))
    plant(temp, home, 'noted', header('noted'), message('one', 'a', 'nowhere'))
    const { verdict, logCount, logs } = await checkHome(home)
    expect([verdict, logCount]).toEqual(['damaged', 4])
    expect(Object.fromEntries(logs.map(({ path, verdict: each }) => [/_(\w+)\./.exec(path)![1], each]))).toEqual({
      bad: 'unreadable',
      worse: 'damaged',
      noted: 'notes',
    })
  })
})

test('K5 modes and links are found, and modes are mended on request, without a look into any log', async () => {
  using temp = makeTempHome()
  await inHome(temp, async (home) => {
    const path = plant(temp, home, 's1', header('s1'), message('one', 'a', null))
    const text = readFileSync(path)
    chmodSync(path, 0o644)
    chmodSync(dirname(path), 0o755)
    symlinkSync(temp.outside, join(home.paths.home, 'sessions', 'link'))
    const before = await checkHome(home)
    expect(codesOf(before)).toEqual(['link', 'open_mode'])
    expect(before.logs).toMatchObject([{ verdict: 'notes', findings: [{ code: 'open_mode' }] }])
    expect((await fixHome(home, { dryRun: true })).closed).toEqual([dirname(path), path])
    expect(statSync(path).mode & 0o777).toBe(0o644)
    expect(await fixHome(home)).toMatchObject({ closed: [dirname(path), path], removed: [], failed: [] })
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
    expect(readFileSync(path).equals(text)).toBe(true)
    expect(codesOf(await checkHome(home))).toEqual(['link'])
  })
})

test('R1 leftovers are found; the old ones are removed on request, with an audit line, and young ones stay', async () => {
  using temp = makeTempHome()
  await inHome(temp, async (home) => {
    const { paths } = home
    plant(temp, home, 's1', header('s1'), message('one', 'a', null))
    const old = put(join(paths.sessions, '--p--', 'gone.jsonl.0123.tmp'), 'x')
    utimesSync(old, 1, 1)
    const young = put(join(paths.sessions, '--p--', 'new.jsonl.0123.tmp'), 'x')
    const stray = put(paths.columnsFile('gone'), 'x')
    const used = put(paths.columnsFile('s1'), 'x')
    const foreign = put(join(paths.index, `at-${'0'.repeat(32)}.cols`), 'x')
    put(paths.partialFile('gone', 'm1'), 'x')
    put(paths.partialFile('s1', 'm1'), 'x')
    const item = put(join(paths.trashItem('broken'), 'other'), 'x')
    const diagnosis = await checkHome(home)
    expect(codesOf(diagnosis)).toEqual(['bad_trash_item', 'old_temp_file', 'stray_columns', 'stray_partial'])
    expect(diagnosis.verdict).toBe('notes')
    expect([...(await fixHome(home)).removed].sort()).toEqual([old, stray].sort())
    expect([old, young, stray, used, foreign, item].map((path) => existsSync(path))).toEqual([
      ...[false, true, false, true, true, true],
    ])
    expect(await readAudit(home)).toMatchObject([{ action: 'purge', count: 2 }])
  })
})

test('databases and blobs that are not what they should be', async () => {
  using temp = makeTempHome()
  await inHome(temp, async (home) => {
    put(home.paths.indexFile, 'this is no database, and it is long enough to be taken for one'.repeat(20))
    put(home.paths.historyFile, 'neither is this')
    const ref = await home.blobs.put(Buffer.from('something'))
    put(home.paths.blobFile(ref.slice(-64)), 'something else')
    expect(codesOf(await checkHome(home))).toEqual(['history_unusable', 'index_unusable'])
    expect(codesOf(await checkHome(home, { deep: true }))).toEqual([
      'blob_damaged',
      'history_unusable',
      'index_unusable',
    ])
  })
})

test('an interrupted scrub is finished; what is no journal is reported', async () => {
  using temp = makeTempHome()
  await inHome(temp, async (home) => {
    const { paths } = home
    const unwanted = put(paths.columnsFile('s1'), 'x')
    const journal = { version: 1, replacements: [], removals: ['index/s1.cols'], sessionIds: ['s1'] }
    const path = put(join(paths.scrub, 'one.json'), JSON.stringify(journal))
    put(join(paths.scrub, 'two.json'), '{')
    expect(codesOf(await checkHome(home))).toEqual(['scrub_finished', 'scrub_unfinished'])
    expect([existsSync(unwanted), existsSync(path)]).toEqual([false, false])
    expect(await readAudit(home)).toMatchObject([{ action: 'scrub', sessionIds: ['s1'] }])
  })
})

test('I7 folders of the home that are none are told of, and hide nothing', async () => {
  using temp = makeTempHome()
  const path = temp.plant('s', header('s'), message('hello', 'e1'), 'rubbish\n')
  for (const name of ['trash', 'index', 'partial', 'blobs']) put(join(temp.home, name), 'x')
  await inHome(temp, async (home) => {
    const diagnosis = await checkHome(home, { deep: true })
    expect(diagnosis.logs.map((log) => log.path)).toEqual([path])
    const unread = diagnosis.findings.filter(({ code }) => code === 'cannot_read').map((finding) => finding.path)
    expect(unread.sort()).toEqual(['blobs', 'index', 'partial', 'trash'].map((name) => join(temp.home, name)))
  })
})
