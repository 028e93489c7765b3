import { expect } from 'vitest'
import { type CrashStorage, createCrashStorage, type Random, seededRandom } from '../testing/crash-storage.ts'
import { auditStore } from './audit.ts'
import { Ledger } from './ledger.ts'
import { placeOldLog } from './old-log.ts'
import { sampleDraft } from './sample-entry.ts'
import { imageDraft, User } from './user.ts'

const keepAll = () => 0

/** Up to three lives, each ended by a crash in which unsynced writes are kept, torn, garbage, zeros or gone. */
export async function crashAgainAndAgain(seed: number): Promise<void> {
  const random = seededRandom(seed)
  let disk = createCrashStorage()
  const original = placeOldLog(disk)
  const ledger = new Ledger()
  const lives = 1 + pick(random, 3)
  for (let life = 0; life < lives; life++) {
    const running = disk.crash(keepAll, { crashAt: 1 + pick(random, 60) })
    await live(running, ledger, random, life)
    disk = running.crash(random)
    expect(await auditStore(disk, ledger, { original })).toEqual([])
  }
}

/** Two users of one disk, as two processes are, until the power fails or they have had enough. */
async function live(disk: CrashStorage, ledger: Ledger, random: Random, life: number): Promise<void> {
  const users = [new User(disk, ledger), new User(disk, ledger)]
  let last = 0
  const newId = () => `${life}x${(++last).toString(16).padStart(4, '0')}`
  try {
    for (const user of users) await user.openStore()
    for (let n = 0; n < 40 && !disk.isStopped; n++) await act(users[pick(random, 2)]!, ledger, random, newId)
    for (const user of users) await user.closeStore()
  } catch (error) {
    // The power failed. Anything else is for the audit's reader to know.
    if (!disk.isStopped) throw error
  }
}

async function act(user: User, ledger: Ledger, random: Random, newId: () => string): Promise<void> {
  const made = [...ledger.pages].filter(([, page]) => page.isMade).map(([id]) => id)
  const sessionId = made.length === 0 || random() < 0.05 ? undefined : made[pick(random, made.length)]!
  if (sessionId === undefined) return user.create(`s${newId()}`)
  if (!user.isOpen(sessionId)) await user.reopen(sessionId)
  const ids = [...ledger.page(sessionId).acknowledged.keys()]
  const some = ids[pick(random, ids.length)]
  const size = random() < 0.9 ? 20 + pick(random, 400) : 6000
  switch (pick(random, 12)) {
    case 0:
      return user.close(sessionId)
    case 1:
      return user.fork(sessionId, `f${newId()}`)
    case 2:
      return user.putBlob(pick(random, 256))
    case 3:
      return user.append(sessionId, imageDraft(newId()))
    case 4:
      return some === undefined ? undefined : user.mute(sessionId, some)
    case 5:
      return some === undefined ? undefined : user.label(sessionId, some, some)
    case 6:
      return user.appendAtOnce(sessionId, [newId(), newId(), newId()])
    case 7:
    case 8:
      return user.append(sessionId, ...[newId(), newId(), newId()].map((id) => sampleDraft(id, size)))
    case 9:
      return user.continueOld(sampleDraft(newId(), size))
    default:
      return user.append(sessionId, sampleDraft(newId(), size))
  }
}

function pick(random: Random, count: number): number {
  return Math.floor(random() * count)
}
