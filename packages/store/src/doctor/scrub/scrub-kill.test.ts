import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { resolveBlobs } from '../../blobs/restore.ts'
import { user } from '../../contract/say.ts'
import { openFileStore } from '../../file-store.ts'
import { openHome } from '../../home.ts'
import { trashSession } from '../../house/trash.ts'
import { openPromptHistory } from '../../prompt-history/prompt-history.ts'
import { makeTempHome, type TempHome } from '../../testing/temp-home.ts'
import { amount, TIMEOUT } from '../../torture/amounts.ts'
import { readAll } from '../../torture/place-log.ts'
import { checkHome } from '../check-home.ts'
import { applyScrub } from './apply-scrub.ts'
import { finishScrub } from './finish-scrub.ts'
import { planScrub } from './scrub-plan.ts'

const SECRET = 'killed-while-removed-99'
const RUNNER = fileURLToPath(new URL('./run-scrub.ts', import.meta.url))
const LARGE = `${'long '.repeat(110_000)}${SECRET} end`

/** Two sessions, one with a large text, one in the trash, and a prompt. */
async function fill(temp: TempHome): Promise<void> {
  await using store = await openFileStore(temp)
  for (const id of ['a', 'b', 'gone']) {
    await using session = await store.create({ id, cwd: '/p' })
    await session.append(user(`said ${SECRET} in ${id}`, 'e1'))
    if (id === 'a') await session.append(user(LARGE, 'e2'))
    await session.append(user('harmless', 'e3'))
  }
  using home = openHome(temp)
  await trashSession(home, 'gone')
  await using history = openPromptHistory({ home })
  history.add(`prompt ${SECRET}`, '/p')
}

/** What it said last. Killed with -9 where it stops. */
async function runScrub(temp: TempHome, stopAt: number): Promise<string> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, [RUNNER, temp.home, SECRET, String(stopAt)], { stdio: [...stdio] })
  const closed = once(child, 'close')
  const [said] = await Promise.race([once(child.stdout!, 'data'), closed])
  child.kill('SIGKILL')
  await closed
  return String(said)
}

function holdsSecret(temp: TempHome): string[] {
  const files = readdirSync(temp.home, { recursive: true }).map((name) => join(temp.home, String(name)))
  return files.filter((path) => statSync(path).isFile() && readFileSync(path).includes(SECRET))
}

/** Every text of a session, large ones whole. */
async function textsOf(temp: TempHome, id: string): Promise<unknown[]> {
  await using store = await openFileStore(temp)
  await using session = await store.open(id)
  const texts: unknown[] = []
  for (const stored of await readAll(session)) {
    const { entry, unresolved } = await resolveBlobs(stored, (ref) => store.readBlob(ref))
    expect(unresolved).toEqual([])
    texts.push((entry.message as { content: unknown }).content)
  }
  return texts
}

const without = (text: string) => text.replaceAll(SECRET, '[removed]')
const hashed = (texts: readonly unknown[]) => texts.map((text) => (text === LARGE ? 'large' : text))

test(
  'D1, R3 killed with -9 anywhere: nothing is half, what is said meanwhile stays, the secret goes',
  TIMEOUT,
  async () => {
    using whole = makeTempHome()
    await fill(whole)
    const steps = Number(/done (\d+)/.exec(await runScrub(whole, 0))?.[1])
    expect(steps).toBeGreaterThan(20)
    expect(holdsSecret(whole)).toEqual([])
    const points = amount(4, steps)
    for (let n = 0; n < points; n++) {
      using temp = makeTempHome()
      await fill(temp)
      const stopAt = 1 + Math.floor((n * steps) / points)
      expect(await runScrub(temp, stopAt)).toContain('here')
      {
        // Acknowledged between the kill and whoever finishes it.
        await using store = await openFileStore(temp)
        await using session = await store.open('a')
        await session.append(user('after the kill', 'e4'))
      }
      using home = openHome(temp)
      await finishScrub(home)
      const [first, large, ...rest] = await textsOf(temp, 'a')
      const isDone = first === without(`said ${SECRET} in a`)
      expect(hashed([first, large]), `at ${stopAt}`).toEqual(
        isDone ? [first, without(LARGE)] : [`said ${SECRET} in a`, 'large'],
      )
      expect(rest).toEqual(['harmless', 'after the kill'])
      expect(await textsOf(temp, 'b')).toEqual([isDone ? 'said [removed] in b' : `said ${SECRET} in b`, 'harmless'])
      const { left } = await applyScrub(home, await planScrub(home, SECRET), { confirm: true })
      expect({ left: left.isEmpty, files: holdsSecret(temp) }, `at ${stopAt}`).toEqual({ left: true, files: [] })
      expect((await textsOf(temp, 'a')).slice(2)).toEqual(['harmless', 'after the kill'])
      expect((await checkHome(home, { deep: true })).logs).toEqual([])
    }
  },
)
