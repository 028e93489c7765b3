import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openFileStore } from '../file-store.ts'
import { type Home, openHome } from '../home.ts'
import { trashSession } from '../house/trash.ts'
import { openPromptHistory } from '../prompt-history/prompt-history.ts'
import { header, makeTempHome, message, type TempHome } from './temp-home.ts'

/** A home with one of everything that a backup has to hold, and a folder beside it for backups. */
export interface SampleHome extends AsyncDisposable {
  readonly home: Home
  readonly folder: string
  readonly temp: TempHome
  /** `plain`, `image` with a blob, `old` of version 1 that was migrated; one more is in the trash. */
  readonly ids: { readonly plain: string; readonly image: string; readonly old: string; readonly trashed: string }
}

const IMAGE = Buffer.from(Array.from({ length: 6000 }, (_, i) => (i * 31) % 256))

export async function makeSampleHome(): Promise<SampleHome> {
  const temp = makeTempHome()
  const home = openHome({ home: temp.home })
  const ids = await fill(temp)
  await trashSession(home, ids.trashed)
  const { paths } = home
  mkdirSync(paths.partialDir(ids.plain), { recursive: true })
  writeFileSync(paths.partialFile(ids.plain, 'n1'), 'half an answ')
  mkdirSync(join(temp.home, 'terminal-sessions'))
  writeFileSync(paths.breadcrumbFile('tty1'), ids.plain)
  writeFileSync(join(temp.home, 'settings.json'), '{}')
  await using history = openPromptHistory({ home })
  for (const prompt of ['first', 'second', 'third']) history.add(prompt, '/p')
  await history.flush()
  return {
    home,
    temp,
    ids,
    folder: join(temp.outside, 'backups'),
    async [Symbol.asyncDispose]() {
      home.locks.close()
      home.presence.close()
      temp[Symbol.dispose]()
    },
  }
}

async function fill(temp: TempHome): Promise<SampleHome['ids']> {
  temp.plant('old', header('old', 1), message('said long ago'))
  await using store = await openFileStore({ home: temp.home })
  await using old = await store.open('old')
  await old.append(message('said now') as never)
  const make = async (content: unknown): Promise<string> => {
    await using session = await store.create({ cwd: '/p' })
    for (let n = 0; n < 5; n++)
      await session.append({ type: 'message', message: { role: 'user', content, timestamp: n } })
    return session.id
  }
  const image = { type: 'image', data: IMAGE.toString('base64'), mimeType: 'image/png' }
  const ids = { plain: await make('hello'), image: await make([image]), trashed: await make('bye'), old: 'old' }
  await old.close()
  return ids
}

export function openEmptyHome(temp: TempHome, name: string): Home {
  return openHome({ home: join(temp.outside, name) })
}

/** Relative paths of all files below a folder, less what is derived or belongs to processes, with their bytes. */
export function readFiles(folder: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const name of readdirSync(folder, { recursive: true }).map(String).sort()) {
    const path = join(folder, name)
    if (/^(index|locks|open)(\/|$)|\.cols$/.test(relative(folder, path)) || statSync(path).isDirectory()) continue
    files.set(name, readFileSync(path, 'latin1'))
  }
  return files
}

/** What every session says, by id: what a list and a line are made of. */
export async function readSessions(home: string): Promise<Map<string, unknown>> {
  await using store = await openFileStore({ home })
  const sessions = new Map<string, unknown>()
  for (const { id, ...summary } of await store.list()) {
    await using session = await store.open(id!, { readOnly: true })
    const { messages } = await session.line()
    sessions.set(id!, { ...summary, path: relative(home, summary.path), messages, leaf: session.leafId })
  }
  return sessions
}
