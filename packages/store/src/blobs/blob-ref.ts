import { TreelineError } from '@treeline/core'

/** `blob:sha256:` and the SHA-256 of the bytes, in 64 lower-case hex digits. Nothing else ever reaches a path (K3). */
export type BlobRef = `blob:sha256:${string}`

const PREFIX = 'blob:sha256:'
const PATTERN = /^blob:sha256:[a-f0-9]{64}$/

/** Puts bytes away and resolves with their name once they survive power loss. */
export type PutBlob = (bytes: Uint8Array) => Promise<BlobRef>
/** `undefined` when there is no such blob. Throws `damaged` when its bytes are not what its name says. */
export type ReadBlob = (ref: BlobRef) => Promise<Uint8Array | undefined>

export function isBlobRef(value: unknown): value is BlobRef {
  return typeof value === 'string' && PATTERN.test(value)
}

export function blobRef(hash: string): BlobRef {
  return `${PREFIX}${hash}`
}

export function hashOf(ref: BlobRef): string {
  if (isBlobRef(ref)) return ref.slice(PREFIX.length)
  const shown = JSON.stringify(String(ref).slice(0, 100))
  throw new TreelineError('validation_failed', `${shown} is not a blob reference: use blob:sha256: and 64 hex digits.`)
}
