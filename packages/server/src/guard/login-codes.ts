import { hashSecret, isSecret, newSecret } from './secret.ts'

/** The URL is printed once and opened soon. */
const CODE_MS = 10 * 60_000

/** Codes that each open the door for one browser, once. In memory only: they end with the process that printed them. */
export interface LoginCodes {
  create(): string
  /** Takes a code out, so that nobody else can; `undefined` when it is none, was used or came too late. */
  take(code: string): TakenCode | undefined
}

export interface TakenCode {
  /** For when the door could not be opened after all. */
  putBack(): void
}

export function createLoginCodes(now: () => number): LoginCodes {
  const deadlines = new Map<string, number>()

  return {
    create() {
      for (const [hash, deadline] of deadlines) if (deadline <= now()) deadlines.delete(hash)
      const code = newSecret()
      deadlines.set(hashSecret(code), now() + CODE_MS)
      return code
    },
    take(code) {
      if (!isSecret(code)) return undefined
      // How long a look for a hash takes says nothing about the code.
      const hash = hashSecret(code)
      const deadline = deadlines.get(hash)
      deadlines.delete(hash)
      if (deadline === undefined || deadline <= now()) return undefined
      return { putBack: () => deadlines.set(hash, deadline) }
    },
  }
}
