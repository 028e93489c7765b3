import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveBlobs } from '../../blobs/restore.ts'
import { openFileStore } from '../../file-store.ts'
import { type Home, openHome } from '../../home.ts'
import { readAudit } from '../../house/audit.ts'
import { trashSession } from '../../house/trash.ts'
import { openPromptHistory } from '../../prompt-history/prompt-history.ts'
import { openIndex } from '../../session-index/open-index.ts'
import { header, makeTempHome, message, type TempHome } from '../../testing/temp-home.ts'
import { readAll } from '../../torture/place-log.ts'
import { checkLog } from '../check-log.ts'
import { applyScrub } from './apply-scrub.ts'
import { planScrub } from './scrub-plan.ts'

/** Of every kind of character that has a spelling of its own. */
const SECRET = 'pa/ss"wörd\\🜁\nx7'

const ascii = (text: string, upper: boolean) =>
  Array.from({ length: text.length }, (_, i) => {
    const hex = text.charCodeAt(i).toString(16).padStart(4, '0')
    return `\\u${upper ? hex.toUpperCase() : hex}`
  }).join('')

/** Written by hand, so that the test does not believe what it tests. */
function spellingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const slashed = json.replaceAll('/', '\\/')
  const escaped = json.replace('ö', '\\u00f6').replace('🜁', '\\ud83d\\udf01')
  const twice = JSON.stringify(json).slice(1, -1)
  const upper = json.replace('ö', '\\u00F6').replace('🜁', '\\uD83D\\uDF01')
  return [secret, json, slashed, escaped, upper, twice, ascii(secret, false), ascii(secret, true)]
}

/** Every byte of every file under the home; `-wal`, `-shm` and free pages are bytes of files. */
function grepHome(temp: TempHome, texts: readonly string[]): string[] {
  const found: string[] = []
  for (const path of readdirSync(temp.home, { recursive: true }).map((name) => join(temp.home, String(name)))) {
    if (!statSync(path).isFile()) continue
    const bytes = readFileSync(path)
    for (const text of texts) if (bytes.includes(Buffer.from(text))) found.push(`${path}: ${text}`)
  }
  return found
}

async function inHome<T>(temp: TempHome, work: (home: Home) => Promise<T>): Promise<T> {
  const home = openHome({ home: temp.home })
  try {
    return await work(home)
  } finally {
    home.locks.close()
    home.presence.close()
  }
}

const scrub = (home: Home, secret: string) =>
  planScrub(home, secret).then((plan) => applyScrub(home, plan, { confirm: true }))

test('every spelling of a secret goes from every file, and everything else stays', async () => {
  using temp = makeTempHome()
  const spellings = spellingsOf(SECRET)
  const lines = spellings.slice(1).map((spelling, n) => {
    const text = `{"type":"message","id":"m${n}","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z",`
    return `${text}"big":12345678901234567890,"zz":{"k${spelling}":1}, "message":{"role":"user","content":"a ${spelling} b"}}\n`
  })
  const path = temp.plant('s1', header('s1'), ...lines, message('untouched', 'other', null), `{"torn ${spellings[1]}`)
  writeFileSync(`${path}.v1`, `{"type":"message","x":"${spellings[4]}"}\ngarbage ${SECRET}\n`)
  await inHome(temp, async (home) => {
    const { paths } = home
    const before = readFileSync(path, 'utf8').split('\n')
    for (const file of [paths.partialFile('s1', 'm9'), paths.breadcrumbFile('tty1'), join(paths.index, 's1.cols')]) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `x ${SECRET} y ${spellings[3]}`)
    }
    const history = openPromptHistory({ home })
    history.add(`my ${SECRET} here`, '/p')
    await history.flush()
    history.add('harmless prompt', '/p')
    await history.close()
    expect(grepHome(temp, spellings).length).toBeGreaterThan(10)

    const plan = await planScrub(home, SECRET)
    expect(JSON.stringify(plan)).not.toContain('rd')
    expect(plan.historyCount).toBe(1)
    expect(plan.places.find((place) => place.path === path)).toMatchObject({
      sessionId: 's1',
      area: 'sessions',
      count: lines.length + 1,
      lines: expect.arrayContaining([{ line: 2, entryIds: ['m0'] }]),
    })
    const report = await applyScrub(home, plan, { confirm: true })
    expect(report).toMatchObject({ prompts: 1, sessionIds: ['s1'] })
    expect(report.left).toMatchObject({ places: [], historyCount: 0, isEmpty: true })

    expect(grepHome(temp, spellings)).toEqual([])
    const after = readFileSync(path, 'utf8').split('\n')
    expect(after[0]).toBe(before[0])
    expect(after[lines.length + 1]).toBe(before[lines.length + 1])
    expect(after[1]).toContain('"big":12345678901234567890,"zz":{"k[removed]":1}, "message"')
    expect(after[1]).toContain('"content":"a [removed] b"')
    expect(JSON.parse(after[1]!)).toMatchObject({ id: 'm0', parentId: null, crc: expect.any(String) })
    expect(after.at(-1)).toMatch(/^\{"torn \*+$/)
    expect(await checkLog(home, path)).toMatchObject({ uncheckedCount: 1 })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await using again = openPromptHistory({ home })
    expect((await again.recent()).map(({ prompt }) => prompt)).toEqual(['harmless prompt'])
    const audit = await readAudit(home)
    expect(audit).toMatchObject([{ action: 'scrub', sessionIds: ['s1'] }])
  })
})

test('the index forgets it: its files are gone, and it is built anew from what is left', async () => {
  using temp = makeTempHome()
  const secret = 'indexed-secret-42'
  const path = temp.plant('s1', header('s1'), message(`please use ${secret} today`, 'a', null))
  await inHome(temp, async (home) => {
    await using index = await openIndex({ home, worker: false })
    await index.refresh()
    expect((await index.search(secret)).hits).toHaveLength(1)
    await scrub(home, secret)
    expect(grepHome(temp, [secret, 'indexed'])).toEqual([])
    expect((await index.search(secret)).hits).toEqual([])
    await index.refresh()
    expect((await index.search('today')).hits).toMatchObject([{ path }])
    expect((await index.search(secret)).hits).toEqual([])
    expect(grepHome(temp, [secret, 'indexed'])).toEqual([])
  })
})

test('blobs get another name, and the lines that name them follow; a text cut through the secret is cut anew', async () => {
  using temp = makeTempHome()
  const secret = 'AKIA-very-secret-0001'
  const notice = 47
  // The cut goes through the second one.
  const text = `${secret} ${'x'.repeat(500_000 - notice - secret.length - 8)}${secret} and ${'y'.repeat(1000)}`
  await using store = await openFileStore({ home: temp.home })
  const session = await store.create({ cwd: '/p' })
  const { id } = await session.append({ type: 'message', message: { role: 'user', content: text, timestamp: 0 } })
  const plain = await session.append({ type: 'message', message: { role: 'user', content: 'no', timestamp: 0 } })
  await session.close()
  await inHome(temp, async (home) => {
    const [old] = home.storage.listFilesSync(home.paths.blobs, '*')
    expect(readFileSync(session.path, 'utf8')).toContain('AKIA-ve')
    await scrub(home, secret)
    expect(grepHome(temp, [secret, 'AKIA-ve'])).toEqual([])
    const blobs = home.storage.listFilesSync(home.paths.blobs, '*')
    expect(blobs).toHaveLength(1)
    expect(blobs).not.toContain(old)
    expect((await checkLog(home, session.path)).verdict).toBe('sound')
  })
  await using again = await store.open(session.id)
  const [first, second] = await readAll(again)
  const { entry, unresolved } = await resolveBlobs(first!, (ref) => store.readBlob(ref))
  expect(unresolved).toEqual([])
  const { content } = entry.message as { content: unknown }
  expect(content === text.replaceAll(secret, '[removed]')).toBe(true)
  expect([first!.id, second]).toEqual([id, plain])
})

test('what is in the trash is scrubbed there: its log, its blobs, its saved columns', async () => {
  using temp = makeTempHome()
  const secret = 'token-in-the-trash'
  const path = temp.plant('s1', header('s1'), message(`a ${secret}`, 'a', null))
  await inHome(temp, async (home) => {
    const blob = await home.blobs.put(Buffer.from(`text with ${secret}`))
    const { trashId } = await trashSession(home, path)
    const item = home.paths.trashItem(trashId)
    mkdirSync(join(item, 'blobs'))
    const hash = blob.slice('blob:sha256:'.length)
    writeFileSync(join(item, 'blobs', hash), `text with ${secret}`)
    mkdirSync(join(item, 'index'), { recursive: true })
    writeFileSync(join(item, 'index', 's1.cols'), secret)
    await scrub(home, secret)
    expect(grepHome(temp, [secret])).toEqual([])
    expect(readdirSync(join(item, 'blobs'))).toEqual(readdirSync(home.paths.blobs))
    expect(readdirSync(join(item, 'blobs'))).not.toContain(hash)
    expect(readdirSync(join(item, 'index'))).toEqual([])
  })
})

test('a session open elsewhere goes on, is told to reload, and brings nothing back from its memory', async () => {
  using temp = makeTempHome()
  const secret = 'hunter2-hunter2'
  await using store = await openFileStore({ home: temp.home })
  const session = await store.create({ cwd: '/p' })
  const said = await session.append({
    type: 'message',
    message: { role: 'user', content: `it is ${secret}`, timestamp: 0 },
  })
  await session.setLabel(said.id, `about ${secret}`)
  // Long enough for its columns to be saved.
  const long = 'z'.repeat(300_000)
  await session.append({ type: 'message', message: { role: 'user', content: long, timestamp: 0 } })
  const { epoch } = session
  const following = session.follow()
  const heard = following.next()
  await inHome(temp, (home) => scrub(home, secret))
  const added = await session.append({ type: 'message', message: { role: 'user', content: 'next', timestamp: 0 } })
  expect(await heard).toMatchObject({ value: { type: 'reset' } })
  expect(session.epoch).not.toBe(epoch)
  expect((await readAll(session)).at(-1)).toEqual(added)
  await following.return(undefined)
  await session.close()
  expect(grepHome(temp, [secret])).toEqual([])

  const idle = await store.open(session.id)
  await idle.setLabel(added.id, `again ${secret}`)
  await inHome(temp, (home) => scrub(home, secret))
  await idle.close()
  expect(grepHome(temp, [secret])).toEqual([])
})

test('lines appended while a scrub is going on are kept, and scrubbed', async () => {
  using temp = makeTempHome()
  const secret = 'said-again-and-again'
  const path = temp.plant('s1', header('s1'), message(secret, 'a', null))
  await inHome(temp, async (home) => {
    let count = 0
    const appending = { ...home, storage: { ...home.storage } }
    // Right before the journal is written, when all new files are prepared already.
    appending.storage.ensureDirSync = (dir) => {
      if (dir === home.paths.scrub && count++ === 0) {
        appendFileSync(path, `${JSON.stringify(message(`late ${secret}`, 'b', 'a'))}\n`)
      }
      home.storage.ensureDirSync(dir)
    }
    const report = await scrub(appending, secret)
    expect(report.left.isEmpty).toBe(true)
    const text = readFileSync(path, 'utf8')
    expect(text.split('\n')).toHaveLength(4)
    expect(text).toContain('late [removed]')
    expect(text).not.toContain(secret)
  })
})

test('what cannot be done is refused and nothing is changed', async () => {
  using temp = makeTempHome()
  const path = temp.plant(
    's1',
    header('s1'),
    message('one secret-id', 'secret-id', null),
    message('x', 'b', 'secret-id'),
  )
  const text = readFileSync(path, 'utf8')
  await inHome(temp, async (home) => {
    await expect(planScrub(home, 'short')).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(planScrub(home, '   \n  ')).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(planScrub(home, 'removed')).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(planScrub(home, 'short', { force: true })).resolves.toMatchObject({ isEmpty: true })
    const plan = await planScrub(home, 'secret-id')
    expect(plan.refusals).toMatchObject([
      { path, line: 2 },
      { path, line: 3 },
    ])
    await expect(applyScrub(home, plan, { confirm: true })).rejects.toMatchObject({ code: 'forbidden' })
    const roles = await planScrub(home, 'parentId')
    await expect(applyScrub(home, roles, { confirm: true })).rejects.toMatchObject({ code: 'forbidden' })
    const other = await planScrub(home, 'one secret')
    await expect(applyScrub(home, other, { confirm: false })).rejects.toMatchObject({ code: 'bad_request' })
    await expect(applyScrub(home, { ...other }, { confirm: true })).rejects.toMatchObject({ code: 'bad_request' })
  })
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('a number that is the secret goes; one that it is a part of stays and is named', async () => {
  using temp = makeTempHome()
  const line = '{"type":"message","id":"a","parentId":null,"timestamp":"x","pin":123456,"n":91234567}\n'
  const path = temp.plant('s1', header('s1'), line)
  await inHome(temp, async (home) => {
    const { left } = await scrub(home, '123456')
    expect(readFileSync(path, 'utf8')).toContain('"pin":"[removed]","n":91234567')
    expect(left.places).toEqual([])
    expect(left.notReached.join()).toContain('A number in line 2')
  })
})

test('a private key of many lines is found in a string, in JSON in a string, and in a file', async () => {
  using temp = makeTempHome()
  const key = `-----BEGIN KEY-----\n${Array.from({ length: 50 }, (_, n) => `${n}${'Ab/+'.repeat(15)}`).join('\n')}\n-----END`
  const args = JSON.stringify({ args: JSON.stringify({ key }) })
  temp.plant('s1', header('s1'), message(key, 'a', null), message(args, 'b', 'a'))
  await inHome(temp, async (home) => {
    const { left } = await scrub(home, key)
    expect(left.isEmpty).toBe(true)
    expect(grepHome(temp, ['Ab/+'])).toEqual([])
  })
})
