import { randomBytes } from 'node:crypto'
import { isSafeId, TreelineError } from '@treeline/core'
import type { Actor } from './actor.ts'
import { COOKIE_MS } from './cookie.ts'
import { type CredentialHome, type KeptCredential, openCredentialFile } from './credential-file.ts'
import { createLoginCodes } from './login-codes.ts'
import { type OnRevoked, watchRevocations } from './revocations.ts'
import { hashSecret, isSameHash, isSecret, newSecret } from './secret.ts'

/** The name of every browser: to revoke it logs all of them out. */
const BROWSER = 'browser'

export interface NewToken {
  /** An id as any other, and not `browser`. */
  readonly name: string
  readonly scope: Actor['scope']
}

/** What may be shown of a credential. */
export interface ListedCredential {
  readonly kind: 'token' | 'cookie'
  readonly name: string
  readonly scope: Actor['scope']
  readonly createdAt: string
  readonly expiresAt?: string
}

/** Who was let in. Secrets are kept as hashes; each is given out once. While the file cannot be read, nobody is let in. */
export interface Credentials extends Disposable {
  findToken(secret: string): Actor | undefined
  findCookie(secret: string): Actor | undefined
  list(): readonly ListedCredential[]
  /** The secret. Throws `id_in_use` when there is one of that name: revoke it first. */
  createToken(token: NewToken): Promise<string>
  /** Whether there was one. */
  revoke(name: string): Promise<boolean>
  /** Opens the door for one browser, once, for ten minutes. */
  newCode(): string
  /** The secret for the cookie; `undefined` when the code is none, was used or came too late. */
  redeem(code: string): Promise<string | undefined>
  /**
   * Told once, within a second, of every credential that no longer counts, however it was taken away. Whoever keeps a
   * connection open notes it before anything is awaited, or misses what happens meanwhile. A listener must not throw.
   */
  onRevoked(listener: OnRevoked): () => void
}

export interface CredentialsOptions {
  readonly home: CredentialHome
  /** Told when the file can no longer be read, once for each reason: those who ask only hear that they may not. */
  readonly onFailure: (error: TreelineError) => void
  readonly now?: () => number
}

/** Throws when the file is there and cannot be relied on. */
export function openCredentials({ home, onFailure, now = Date.now }: CredentialsOptions): Credentials {
  const file = openCredentialFile(home)
  const codes = createLoginCodes(now)
  let failure: string | undefined

  const isLive = (kept: KeptCredential) => kept.kind === 'token' || Date.parse(kept.expiresAt) > now()

  function readLive(): readonly KeptCredential[] {
    try {
      const live = file.read().filter(isLive)
      failure = undefined
      return live
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
      if (error.message !== failure) onFailure(error)
      failure = error.message
      return []
    }
  }

  file.read()
  const revocations = watchRevocations(readLive)

  function find(secret: string, kind: KeptCredential['kind']): Actor | undefined {
    if (!isSecret(secret)) return undefined
    const hash = hashSecret(secret)
    const kept = revocations.look().find((one) => one.kind === kind && isSameHash(one.hash, hash))
    if (kept === undefined) return undefined
    return { name: kept.name, scope: kept.scope, credentialId: kept.id, isBrowser: kind === 'cookie' }
  }

  async function change(next: (live: readonly KeptCredential[]) => readonly KeptCredential[]): Promise<void> {
    await file.change((all) => next(all.every(isLive) ? all : all.filter(isLive)))
    revocations.look()
  }

  return {
    findToken: (secret) => find(secret, 'token'),
    findCookie: (secret) => find(secret, 'cookie'),
    list: () => file.read().filter(isLive).map(toListed),
    async createToken({ name, scope }) {
      refuseName(name)
      const { secret, kept } = makeCredential(now())
      await change((live) => {
        if (live.some((one) => one.name === name)) {
          throw new TreelineError(
            'id_in_use',
            `There is a token ${name} already. Revoke it first, or use another name.`,
          )
        }
        return [...live, { kind: 'token', name, scope, ...kept }]
      })
      return secret
    },
    async revoke(name) {
      let isFound = false
      await change((live) => {
        isFound = live.some((one) => one.name === name)
        return isFound ? live.filter((one) => one.name !== name) : live
      })
      return isFound
    },
    newCode: codes.create,
    async redeem(code) {
      const taken = codes.take(code)
      if (taken === undefined) return undefined
      const { secret, kept } = makeCredential(now())
      const expiresAt = new Date(now() + COOKIE_MS).toISOString()
      try {
        await change((live) => [...live, { kind: 'cookie', name: BROWSER, scope: 'admin', ...kept, expiresAt }])
      } catch (error) {
        taken.putBack()
        throw error
      }
      return secret
    },
    onRevoked: revocations.listen,
    [Symbol.dispose]: revocations[Symbol.dispose],
  }
}

function makeCredential(nowMs: number): {
  readonly secret: string
  readonly kept: Pick<KeptCredential, 'id' | 'hash' | 'createdAt'>
} {
  const secret = newSecret()
  const id = randomBytes(8).toString('hex')
  return { secret, kept: { id, hash: hashSecret(secret), createdAt: new Date(nowMs).toISOString() } }
}

function toListed(kept: KeptCredential): ListedCredential {
  const { kind, name, scope, createdAt } = kept
  return { kind, name, scope, createdAt, ...(kept.kind === 'cookie' && { expiresAt: kept.expiresAt }) }
}

function refuseName(name: string): void {
  if (isSafeId(name) && name !== BROWSER) return
  const shown = JSON.stringify(name.slice(0, 80))
  const remedy = 'Use letters, digits, ".", "_", "-", and not "browser"'
  throw new TreelineError('validation_failed', `${shown} cannot be the name of a token. ${remedy}.`)
}
