import { findUsualFolders } from '@treeline/formats'
import { findPage, type ListOptions, type SessionIndex } from '@treeline/store'
import type { Context } from '../context.ts'
import { VERSION } from '../version.ts'

/** Raised when what is kept of a list, or what is printed of it, changes within a version. */
const FORM = 1

export interface SavedList {
  /** What was kept of this same list, while it would come out the same (ADR 15). */
  find(): Buffer | undefined
  /** Makes the list from the index. What `make` gives is kept after it has printed; nothing is not. */
  keep(index: SessionIndex, make: () => Promise<Uint8Array | undefined>): Promise<void>
}

/** The list as it was given last. Within `withinMs` of a look at everything, and while nothing changes, it is found again. */
export function openSavedList(context: Context, wanted: ListOptions, withinMs: number): SavedList {
  // A time that is told from now is another one each time.
  const isLasting = wanted.since === undefined && wanted.until === undefined
  if (!isLasting) return { find: () => undefined, keep: async (_, make) => void (await make()) }
  const key = keyOf(context, wanted)
  return {
    find: () => findPage({ home: context.homeDir, key, withinMs }),
    keep: (index, make) =>
      index.keepPage(key, async () => {
        const page = await make()
        // The index was opened in between: a folder that was away then is missing from it.
        return keyOf(context, wanted) === key ? page : undefined
      }),
  }
}

/** Folders of other tools as they are found now: where there is another one, there may be sessions in it. */
function keyOf({ env, out }: Context, wanted: ListOptions): string {
  const places = findUsualFolders({ env }).map(({ format, folders }) => [format.name, folders])
  return JSON.stringify([FORM, VERSION, out.isJson ? 'json' : 'table', wanted, places])
}
