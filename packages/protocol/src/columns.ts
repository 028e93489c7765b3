import { z } from 'zod'
import { idSchema } from './id.ts'

/**
 * The tree as arrays, a place per node in the order of creation. Most nodes hang under the one before them and come soon
 * after it, so both are told as differences: `readColumns` gives them as they are.
 */
export const columnsSchema = z.object({
  ids: z.string().meta({ description: 'All ids, separated by a space.' }),
  parents: z.array(z.int().nullable()).meta({
    description:
      'How many places before the node its parent stands (negative: after it); 0 for a root, null for the top of a fragment.',
  }),
  roles: z.string().meta({ description: 'A digit per node: 0 system, 1 user, 2 assistant, 3 tool.' }),
  flags: z
    .array(z.int())
    .meta({ description: '1 disabled, 2 detached, 4 generating, 8 error, 16 labelled, 32 deleted' }),
  times: z.array(z.int()).meta({ description: 'Milliseconds after the node before; of the first one after 1970.' }),
  reordered: z.record(idSchema, z.array(idSchema)).meta({
    description: 'The children of those under which they do not stand in the order of creation.',
  }),
})

export type PackedColumns = z.infer<typeof columnsSchema>

const DIGIT_0 = 0x30

/** Instead of the place of a parent. */
export const NO_PARENT = { root: -1, fragment: -2 } as const

/** What `PackedColumns` say. */
export interface TreeColumns {
  readonly id: readonly string[]
  /** The place of the parent, or one of `NO_PARENT`. */
  readonly parent: readonly number[]
  readonly role: readonly number[]
  readonly flags: readonly number[]
  /** Milliseconds since 1970. */
  readonly time: readonly number[]
  readonly reordered: Readonly<Record<string, readonly string[]>>
}

export function packColumns({ id, parent, role, flags, time, reordered }: TreeColumns): PackedColumns {
  return {
    ids: id.join(' '),
    parents: parent.map((above, place) => {
      if (above === NO_PARENT.root) return 0
      return above === NO_PARENT.fragment ? null : place - above
    }),
    roles: role.join(''),
    flags: [...flags],
    times: time.map((ms, place) => ms - (time[place - 1] ?? 0)),
    reordered: Object.fromEntries(Object.entries(reordered).map(([nodeId, children]) => [nodeId, [...children]])),
  }
}

/** The same as they come: made without a number of its own for any of a hundred thousand nodes. */
export interface ReadColumns {
  readonly id: string[]
  readonly parent: Int32Array
  readonly role: Uint8Array
  readonly flags: Int32Array
  readonly time: Float64Array
  readonly reordered: TreeColumns['reordered']
}

export function readColumns({ ids, parents, roles, flags, times, reordered }: PackedColumns): ReadColumns {
  const count = parents.length
  const parent = new Int32Array(count)
  const role = new Uint8Array(count)
  const time = new Float64Array(count)
  let now = 0
  for (let place = 0; place < count; place++) {
    const before = parents[place]!
    if (before === null) parent[place] = NO_PARENT.fragment
    else parent[place] = before === 0 ? NO_PARENT.root : place - before
    role[place] = roles.charCodeAt(place) - DIGIT_0
    now += times[place]!
    time[place] = now
  }
  return { id: ids === '' ? [] : ids.split(' '), parent, role, flags: new Int32Array(flags), time, reordered }
}
