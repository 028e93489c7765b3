import type { Session, SessionConfig } from '@treeline/store'

type PastedKey = 'pastedTextMap' | 'pastedImageMap'
type PastedMap = Readonly<Record<string, string>>

/** The settings are written as a whole with each paste; of very many the oldest go. */
const MAX_PASTED = 100
const MAX_NUMBER = 999_999_999
const ID = /^#([1-9]\d{0,8})$/

/** Keeps a value under the next number and returns that. Of several at once, in any process, each gets its own. */
export async function addPasted(session: Session, key: PastedKey, value: string): Promise<number> {
  let number = 0
  // Of Treeline's own doing: undo passes over it.
  const options = { auto: true }
  await session.updateConfig((config) => {
    number = nextNumber(config)
    return { [key]: trimmed({ ...config[key], [`#${number}`]: value }) }
  }, options)
  return number
}

/** Texts and images are counted together, and never from the beginning again while one is left. */
function nextNumber({ pastedTextMap, pastedImageMap }: SessionConfig): number {
  const ids = [...Object.keys(pastedTextMap), ...Object.keys(pastedImageMap)]
  const most = ids.reduce((found, id) => Math.max(found, numberOf(id)), 0)
  if (most < MAX_NUMBER) return most + 1
  // Only an imported session counts that far: the first that is free.
  const taken = new Set(ids)
  let free = 1
  while (taken.has(`#${free}`)) free++
  return free
}

function trimmed(map: PastedMap): PastedMap {
  const entries = Object.entries(map)
  return Object.fromEntries(entries.sort(([a], [b]) => numberOf(a) - numberOf(b)).slice(-MAX_PASTED))
}

function numberOf(id: string): number {
  return Number(ID.exec(id)?.[1] ?? 0)
}
