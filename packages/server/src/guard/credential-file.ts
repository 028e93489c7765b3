import { dirname } from 'node:path'
import { TreelineError } from '@treeline/core'
import { idSchema } from '@treeline/protocol'
import { type Home, storageError } from '@treeline/store'
import { z } from 'zod'
import { findMark, type OwnFile, readOwnFile } from './own-file.ts'

const common = {
  id: z.string().regex(/^[0-9a-f]{16}$/),
  name: idSchema,
  scope: z.enum(['read', 'write', 'admin']),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.iso.datetime(),
}
// Strict, since a field that a later version adds may take rights away.
const keptSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('token'), ...common }),
  z.strictObject({ kind: z.literal('cookie'), ...common, expiresAt: z.iso.datetime() }),
])
const MAX_CREDENTIALS = 1_000
const MAX_BYTES = 1024 * 1024
const fileSchema = z.strictObject({ version: z.literal(1), credentials: z.array(keptSchema).max(MAX_CREDENTIALS) })

export type KeptCredential = z.infer<typeof keptSchema>

/** What it takes to keep the file. */
export type CredentialHome = Pick<Home, 'locks' | 'paths' | 'storage'>

/** The hashes of all that were let in, in a file that only its owner can reach (K5). Other processes may change it. */
export interface CredentialFile {
  /** As they are this moment. Throws when the file cannot be relied on: then nobody is let in. */
  read(): readonly KeptCredential[]
  /** Durable when it resolves. Of changes by several processes none is lost; `next` runs under their lock. */
  change(next: (all: readonly KeptCredential[]) => readonly KeptCredential[]): Promise<void>
}

const LOCK = 'credentials'

interface Loaded extends Pick<OwnFile, 'isSettled'> {
  readonly mark: string | undefined
  readonly credentials: readonly KeptCredential[]
}

export function openCredentialFile({ locks, paths, storage }: CredentialHome): CredentialFile {
  const path = paths.credentialsFile
  let known: Loaded | undefined

  function read(): readonly KeptCredential[] {
    // Looking at a file takes microseconds, so a revocation counts at once, whoever made it.
    if (known?.isSettled && known.mark === findMark(path)) return known.credentials
    known = load(path)
    return known.credentials
  }

  return {
    read,
    change: (next) =>
      locks.run(LOCK, () => {
        const before = load(path).credentials
        const after = next(before)
        if (after === before) return
        if (after.length > MAX_CREDENTIALS) {
          throw new TreelineError('validation_failed', `${MAX_CREDENTIALS} may ask already. Revoke some first.`)
        }
        try {
          storage.ensureDirSync(dirname(path))
          storage.writeTextSync(path, `${JSON.stringify({ version: 1, credentials: after }, null, 2)}\n`)
        } catch (error) {
          throw storageError(error, 'Who may ask could not be saved', path)
        }
      }),
  }
}

function load(path: string): Loaded {
  const file = readOwnFile(path, MAX_BYTES)
  if (file === undefined) return { mark: undefined, isSettled: true, credentials: [] }
  const { mark, isSettled } = file
  const parsed = fileSchema.safeParse(parse(file.text))
  if (parsed.success && areDistinct(parsed.data.credentials)) {
    return { mark, isSettled, credentials: parsed.data.credentials }
  }
  // The parser's own words would quote what it cannot parse.
  const message = `${path} cannot be read, so nobody is let in. Move it away and make new tokens.`
  throw new TreelineError('damaged', message)
}

/** Two of one id could not be told apart when one of them is revoked, nor two of one name. */
function areDistinct(all: readonly KeptCredential[]): boolean {
  const tokens = all.filter(({ kind }) => kind === 'token')
  return new Set(all.map(({ id }) => id)).size === all.length && new Set(tokens.map(nameOf)).size === tokens.length
}

function nameOf({ name }: KeptCredential): string {
  return name
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is no JSON is not what the schema asks for either, and that is told.
    return undefined
  }
}
