import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32
const SECRET = /^[\w-]{43}$/

/** 256 random bits as text that survives URLs, headers and shells. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** Whether it could be one of ours at all: nothing else is worth hashing. */
export function isSecret(text: string): boolean {
  return SECRET.test(text)
}

/** What is kept of a secret: who reads it cannot use it. So many random bits need no salt and no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Compares in a time that tells nothing. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
