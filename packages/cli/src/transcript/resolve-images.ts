import { type AgentMessage, findBlobRefs, type LineMessage, replaceBlobRefs, TreelineError } from '@treeline/core'
import { isBlobRef, type Session } from '@treeline/store'

export interface Resolved<T> {
  readonly messages: readonly T[]
  /** References whose bytes are not there, or not what they should be. They stay as they are. */
  readonly unresolved: number
}

/** Messages as stored with their images back in them. */
export async function resolveStored(
  session: Session,
  messages: readonly AgentMessage[],
): Promise<Resolved<AgentMessage>> {
  const resolved: AgentMessage[] = []
  let unresolved = 0
  for (const message of messages) {
    const found = new Map<string, Uint8Array>()
    for (const { hash } of findBlobRefs(message)) {
      const bytes = found.get(hash) ?? (await readImage(session, `blob:sha256:${hash}`))
      if (bytes === undefined) unresolved++
      else found.set(hash, bytes)
    }
    const lookUp = ({ hash, form }: { readonly hash: string; readonly form: 'base64' | 'text' }) => {
      const bytes = found.get(hash)
      return bytes && Buffer.from(bytes).toString(form === 'base64' ? 'base64' : 'utf8')
    }
    resolved.push(found.size === 0 ? message : replaceBlobRefs(message, lookUp))
  }
  return { messages: resolved, unresolved }
}

/** The messages of a line with their images in them, as a provider wants them. */
export async function resolveLine(session: Session, messages: readonly LineMessage[]): Promise<Resolved<LineMessage>> {
  let unresolved = 0
  async function withImages<P extends { readonly type: string }>(parts: readonly P[]): Promise<P[]> {
    const all: P[] = []
    for (const part of parts) {
      const { data, output } = part as { readonly data?: unknown; readonly output?: readonly P[] }
      if (part.type === 'tool_result') all.push({ ...part, output: await withImages(output!) })
      else if (part.type !== 'image' || !isBlobRef(data)) all.push(part)
      else {
        const bytes = await readImage(session, data)
        if (bytes === undefined) unresolved++
        all.push(bytes === undefined ? part : { ...part, data: Buffer.from(bytes).toString('base64') })
      }
    }
    return all
  }
  const resolved: LineMessage[] = []
  for (const message of messages) {
    const content = await withImages<(typeof message.content)[number]>(message.content)
    resolved.push({ ...message, content } as LineMessage)
  }
  return { messages: resolved, unresolved }
}

async function readImage(session: Session, ref: `blob:sha256:${string}`): Promise<Uint8Array | undefined> {
  try {
    return await session.readBlob(ref)
  } catch (error) {
    // What is left of it is the reference; the caller counts and tells.
    if (error instanceof TreelineError && error.code === 'damaged') return undefined
    throw error
  }
}

/** What to say of images that could not be put back. */
export function unresolvedText(count: number): string {
  return `${count === 1 ? 'One image is' : `${count} images are`} missing or damaged: the reference stands in its place.`
}
