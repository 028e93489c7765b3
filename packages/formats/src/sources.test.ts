import { appendFileSync, chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openHome, openIndex, type SessionIndex } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { usualSources } from './sources.ts'
import { describeFolder, makeTempFolder, type TempFolder, toText } from './testing/temp-folder.ts'
import { createSource } from './translated-source.ts'
import { findUsualFolders } from './usual-folders.ts'

const AT = '2026-01-01T00:00:00.000Z'

function header(id: string): object {
  return { type: 'session', version: 3, id, timestamp: AT, cwd: '/p' }
}

function message(id: string, text: string): object {
  return { type: 'message', id, parentId: null, timestamp: AT, message: { role: 'user', content: text, timestamp: 1 } }
}

function neovate(uuid: string, parentUuid: string | null, text: string): object {
  return { parentUuid, uuid, role: 'user', content: text, type: 'message', timestamp: AT, sessionId: '680831da' }
}

function make(temp: TempFolder, ...folders: readonly string[]): void {
  for (const folder of folders) mkdirSync(join(temp.path, folder), { recursive: true })
}

/** As `pi folder`, relative to the user's home. */
function listFolders(temp: TempFolder, env: Readonly<Record<string, string>> = {}): string[] {
  return findUsualFolders({ env, userHome: temp.path }).flatMap(({ format, folders }) =>
    folders.map((folder) => `${format.name} ${folder.slice(temp.path.length + 1)}`),
  )
}

describe('X14 the usual places', () => {
  test('of Pi, xcsh, oh-my-pi and Neovate, those that exist', () => {
    using temp = makeTempFolder()
    expect(listFolders(temp)).toEqual([])
    make(temp, '.pi/agent/sessions/--p--', '.xcsh/agent/sessions', '.omp/agent/sessions', '.local/share/xcsh/sessions')
    make(temp, '.omp/profiles/office/agent/sessions', '.omp/profiles/bare', '.neovate/projects')
    const before = describeFolder(temp.path)
    expect(listFolders(temp)).toEqual([
      'pi .pi/agent/sessions',
      'omp .omp/agent/sessions',
      'omp .omp/profiles/office/agent/sessions',
      'xcsh .xcsh/agent/sessions',
      'xcsh .local/share/xcsh/sessions',
      'neovate .neovate/projects',
    ])
    expect(describeFolder(temp.path)).toEqual(before)
  })

  test('where variables say, and still where they would be without', () => {
    using temp = makeTempFolder()
    make(temp, '.pi/agent/sessions', 'flat', 'agent/sessions', 'data/xcsh/sessions', 'data/omp/sessions')
    make(temp, '.my/agent/sessions')
    const env = {
      PI_CODING_AGENT_DIR: '~/agent',
      PI_CODING_AGENT_SESSION_DIR: join(temp.path, 'flat'),
      PI_CONFIG_DIR: '.my',
      XDG_DATA_HOME: join(temp.path, 'data'),
    }
    expect(listFolders(temp, env).sort()).toEqual([
      'omp data/omp/sessions',
      'pi .pi/agent/sessions',
      'pi agent/sessions',
      'pi flat',
      'xcsh .my/agent/sessions',
      'xcsh data/xcsh/sessions',
    ])
  })

  test('a place that is a link is where it leads, once; a file, a loop or a dangling link is none', () => {
    using temp = makeTempFolder()
    make(temp, 'dotfiles/pi/agent/sessions', '.xcsh/agent', '.omp/agent')
    symlinkSync(join(temp.path, 'dotfiles', 'pi'), join(temp.path, '.pi'))
    symlinkSync(join(temp.path, 'nowhere'), join(temp.path, '.xcsh/agent/sessions'))
    symlinkSync(join(temp.path, '.omp/agent/sessions'), join(temp.path, '.omp/agent/sessions'))
    writeFileSync(join(temp.path, '.omp/profiles'), 'a file')
    const env = { PI_CODING_AGENT_DIR: join(temp.path, 'dotfiles/pi/agent'), PI_CODING_AGENT_SESSION_DIR: 'a\0b' }
    expect(listFolders(temp, env)).toEqual(['pi dotfiles/pi/agent/sessions'])
  })
})

async function openUsual(temp: TempFolder, env: Readonly<Record<string, string>> = {}): Promise<SessionIndex> {
  const home = openHome({ home: temp.home })
  const index = await openIndex({ home, sources: usualSources({ home: temp.home, env, userHome: temp.path }) })
  const close = async (): Promise<void> => {
    await index.close()
    home.locks.close()
  }
  return Object.assign(index, { [Symbol.asyncDispose]: close })
}

async function found(index: SessionIndex, query: string): Promise<string[]> {
  const { hits } = await index.search(query, { fresh: true })
  return hits.map(({ source, sessionId, nodeId }) => `${source} ${sessionId} ${nodeId}`).sort()
}

test("every tool's sessions are listed and searched, and their files are as they were", async () => {
  using temp = makeTempFolder()
  temp.plant('.pi/agent/sessions/--p--/a.jsonl', header('pi-1'), message('m1', 'a heron by the pond'))
  temp.plant(
    '.omp/agent/sessions/-p/b.jsonl',
    { type: 'title', v: 1, title: 'T', pad: '' },
    header('omp-1'),
    message('m2', 'a heron'),
  )
  const slug = '.neovate/projects/-p'
  const path = temp.plant(
    `${slug}/680831da.jsonl`,
    neovate('n1', null, 'heron and egret'),
    neovate('n2', 'n1', 'egret'),
  )
  const before = describeFolder(temp.path)
  await using index = await openUsual(temp)
  const { sessions } = await index.list({ fresh: true })
  expect(sessions.map(({ source, id }) => `${source} ${id}`).sort()).toEqual([
    'neovate 680831da',
    'omp omp-1',
    'pi pi-1',
  ])
  expect(sessions.find(({ source }) => source === 'neovate')).toMatchObject({
    path,
    messageCount: 2,
    firstPrompt: 'heron and egret',
  })
  expect(await found(index, 'heron')).toEqual(['neovate 680831da n1', 'omp omp-1 m2', 'pi pi-1 m1'])
  const after = describeFolder(temp.path).filter((line) => line.startsWith('.'))
  expect(after).toEqual(before)
  appendFileSync(path, toText([neovate('n3', 'n2', 'a heron again')]))
  expect(await found(index, 'heron')).toEqual([
    'neovate 680831da n1',
    'neovate 680831da n3',
    'omp omp-1 m2',
    'pi pi-1 m1',
  ])
})

test('I7 one bad file or folder hides no other', async () => {
  using temp = makeTempFolder()
  const slug = '.neovate/projects/-p'
  temp.plant(`${slug}/good.jsonl`, neovate('n1', null, 'a heron'))
  temp.plant(`${slug}/empty.jsonl`, '')
  temp.plant(`${slug}/junk.jsonl`, Buffer.from([0xff, 0x00, 0x0a, 0xfe]).toString('latin1'))
  temp.plant(`${slug}/deep.jsonl`, `${'['.repeat(200_000)}\n`)
  const locked = temp.plant('.neovate/projects/-locked/x.jsonl', neovate('n9', null, 'a heron'))
  mkdirSync(join(temp.path, slug, 'folder.jsonl'))
  temp.plant('.pi/agent/sessions/bad.jsonl', 'no log at all')
  temp.plant('.pi/agent/sessions/v4.jsonl', { v: 4, kind: 'header', id: 'x' })
  chmodSync(locked, 0)
  await using index = await openUsual(temp)
  expect(await found(index, 'heron')).toContain('neovate 680831da n1')
  const { sessions } = await index.list({ fresh: true })
  expect(sessions.map(({ path }) => basename(path))).toContain('good.jsonl')
})

test('never our own sessions, wherever somebody says that others are', async () => {
  using temp = makeTempFolder()
  temp.plant('home/sessions/--p--/2026-01-01T00-00-00-000Z_own.jsonl', header('own'), message('m1', 'a heron'))
  temp.plant('.pi/agent/sessions/a.jsonl', header('pi-1'), message('m1', 'a heron'))
  const env = { PI_CODING_AGENT_SESSION_DIR: join(temp.home, 'sessions'), PI_CODING_AGENT_DIR: temp.home }
  await using index = await openUsual(temp, env)
  const { sessions } = await index.list({ fresh: true })
  expect(sessions.map(({ source, id }) => `${source} ${id}`).sort()).toEqual(['pi pi-1', 'treeline own'])
})

test('much work is done in a worker thread, which finds the module itself', async () => {
  using temp = makeTempFolder()
  const text = 'a heron '.repeat(2000)
  for (let i = 0; i < 40; i++) {
    const lines = Array.from({ length: 12 }, (_, n) => ({
      ...neovate(`n${n}`, n === 0 ? null : `n${n - 1}`, text),
      sessionId: `s${i}`,
    }))
    temp.plant(`.neovate/projects/-p/s${i}.jsonl`, ...lines)
  }
  await using index = await openUsual(temp)
  await index.refresh()
  const { sessions } = await index.list()
  expect(sessions).toHaveLength(40)
})

test('what is read is what was indexed, or nothing', async () => {
  using temp = makeTempFolder()
  const path = temp.plant('projects/-p/x.jsonl', neovate('n1', null, 'one'), neovate('n2', 'n1', 'two'))
  const source = createSource({ name: 'neovate', folders: [join(temp.path, 'projects')] })
  expect([...source.list(() => {})]).toEqual([path])
  await using session = await source.open(path)
  const { tree, markAt } = session
  const place = (row: number) => ({
    id: tree.ids.textOf(tree.refAtRow(row)),
    offset: tree.heads.offset[row]!,
    length: tree.heads.lengthOf(row),
  })
  const places = [place(1), place(0)]
  expect((await source.read(path, places)).map((entry) => entry?.id)).toEqual(['n2', 'n1'])
  expect(
    await source.read(path, [
      { ...places[0]!, offset: 1 },
      { ...places[0]!, id: '__proto__' },
    ]),
  ).toEqual([undefined, undefined])
  expect(await source.read(join(temp.path, 'gone.jsonl'), places)).toEqual([undefined, undefined])
  const mark = await markAt(1)
  appendFileSync(path, toText([neovate('n3', 'n2', 'three')]))
  await using grown = await source.open(path)
  expect(await grown.markAt(1)).toBe(mark)
  expect(grown.tree.rowCount).toBe(3)
  writeFileSync(path, toText([neovate('n1', null, 'other'), neovate('n2', 'n1', 'two')]))
  await using changed = await source.open(path)
  expect(await changed.markAt(1)).not.toBe(mark)
  expect(() => createSource({ name: 'neovate' })).toThrow(/needs the name of a format/)
})
