import { problemSchema, RefusedError, routes } from '@treeline/protocol'
import { readDataPicture } from '../markdown/safe-url.ts'
import { t } from '../words/language.ts'

const BLOB = /^blob:sha256:([0-9a-f]{64})$/
const PICTURES = /^image\/(png|jpeg|gif|webp)$/

/** Keeps bytes on the server under their hash; the same ones twice are kept once. */
export async function putBlob(bytes: Blob): Promise<string> {
  // A browser counts hashes only where nobody can listen.
  if (globalThis.crypto.subtle === undefined) {
    throw new Error(t('Pictures can be attached only over https, or on this machine.'))
  }
  const digest = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer())
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  await refuse(
    await fetch(pathOf(sha256), {
      method: 'PUT',
      headers: { 'x-treeline': '1', 'content-type': 'application/octet-stream' },
      body: bytes,
    }),
  )
  return `blob:sha256:${sha256}`
}

/** A picture that a message holds, for as long as the address is kept. Throws for what is no picture. */
export async function readPicture(blob: string, mimeType: string, signal: AbortSignal): Promise<Blob> {
  const inline = readDataPicture(blob)
  if (inline !== undefined) {
    const bytes = Uint8Array.from(atob(inline.base64), (character) => character.charCodeAt(0))
    return new Blob([bytes], { type: inline.mimeType })
  }
  const sha256 = BLOB.exec(blob)?.[1]
  if (sha256 === undefined || !PICTURES.test(mimeType)) throw new Error(t('This picture cannot be shown.'))
  const response = await fetch(pathOf(sha256), { headers: { 'x-treeline': '1' }, signal })
  await refuse(response)
  return new Blob([await response.arrayBuffer()], { type: mimeType })
}

function pathOf(sha256: string): string {
  return routes.getBlob.path.replace('{sha256}', sha256)
}

async function refuse(response: Response): Promise<void> {
  if (response.ok) return
  const problem = problemSchema.safeParse(await response.json().catch(() => undefined))
  if (problem.success) throw new RefusedError(problem.data)
  throw new Error(t('The server answered with {status}.', { status: response.status }))
}
