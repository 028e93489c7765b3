import { type ImageBlock, type TextBlock, TreelineError } from '@treeline/core'
import type { Limits, Part, SendMessageRequest } from '@treeline/protocol'
import { isBlobRef, type Session } from '@treeline/store'

/** As the log has it. */
export type Content = string | readonly (TextBlock | ImageBlock)[]

const DATA_URI = /^data:(image\/[a-z0-9.+-]{1,80});base64,([A-Za-z0-9+/]+={0,2})$/

/** What somebody says, ready for the log. Throws for what cannot be said, and for images that nobody has brought. */
export async function readContent(
  session: Session,
  content: SendMessageRequest['content'],
  { contentChars }: Pick<Limits, 'contentChars'>,
): Promise<Content> {
  const said: Content = typeof content === 'string' ? content : content.map(toBlock)
  const texts = typeof said === 'string' ? [said] : said.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > contentChars) {
    throw new TreelineError(
      'payload_too_large',
      `A message may have ${contentChars} characters; this one has ${length}.`,
    )
  }
  const hasImage = typeof said !== 'string' && said.some(({ type }) => type === 'image')
  if (!hasImage && texts.every((text) => text.trim() === '')) throw invalid('The message is empty. Say something.')
  for (const block of typeof said === 'string' ? [] : said)
    if (block.type === 'image') await refuseMissing(session, block)
  return said
}

function toBlock(part: Part): TextBlock | ImageBlock {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type !== 'image') throw invalid(`A message holds texts and images; a part of type ${part.type} is not sent.`)
  const { blob, mimeType } = part
  if (isBlobRef(blob)) return { type: 'image', data: blob, mimeType }
  const [, type, data] = DATA_URI.exec(blob) ?? []
  if (type === undefined || data === undefined) {
    throw invalid('An image is named by `blob:sha256:<hex>`, or brought as `data:image/…;base64,…`.')
  }
  return { type: 'image', data, mimeType: type }
}

async function refuseMissing(session: Session, { data }: ImageBlock): Promise<void> {
  if (!isBlobRef(data) || (await session.readBlob(data)) !== undefined) return
  throw invalid(`There are no bytes for ${data}. PUT them to /api/chat/blobs first.`)
}

function invalid(message: string): TreelineError {
  return new TreelineError('validation_failed', message)
}
