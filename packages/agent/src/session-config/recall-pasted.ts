import type { ImageBlock, TextBlock } from '@treeline/core'
import type { Session } from '@treeline/store'
import { readKeptText } from './kept-value.ts'
import { isLongPaste, pastedIds, pasteImage, pasteText, textPlaceholder } from './pasted.ts'

/** What is longer and was not pasted here is more than somebody edits by hand. */
const MAX_EDITED_CHARS = 20_000

/**
 * What is to stand in the input so that the same can be said again: `expandPasted` backwards. What was pasted in this
 * session has its placeholder again, images have one each, and the rest is there to be edited.
 */
export async function recallPasted(
  session: Session,
  content: string | readonly (TextBlock | ImageBlock)[],
): Promise<string> {
  if (typeof content === 'string') return recallText(session, content)
  let typed = ''
  let before: 'text' | 'image' | undefined
  for (const block of content) {
    // Two texts beside each other were not typed as one.
    if (block.type === 'text' && before === 'text') typed += '\n'
    typed += block.type === 'text' ? await recallText(session, block.text) : await recallImage(session, block)
    before = block.type
  }
  return typed
}

function recallImage(session: Session, { data }: ImageBlock): Promise<string> {
  return pasteImage(session, Buffer.from(data, 'base64'))
}

async function recallText(session: Session, text: string): Promise<string> {
  if (!isLongPaste(text)) return text
  let typed = text
  for (const { id, kept } of await findWithin(session, text))
    typed = typed.replaceAll(kept, () => textPlaceholder(id, kept))
  return typed.length > MAX_EDITED_CHARS ? pasteText(session, typed) : typed
}

interface Pasted {
  readonly id: string
  readonly kept: string
}

/** The longest first: a short one may be part of a long one. Read one by one, for each may be very long. */
async function findWithin(session: Session, text: string): Promise<readonly Pasted[]> {
  const found: Pasted[] = []
  for (const [id, value] of pastedIds(session.config.pastedTextMap)) {
    // One whose blob is gone stands in the text as it was sent, and stays there.
    const kept = await readKeptText(session, value).catch(() => '')
    if (isLongPaste(kept) && text.includes(kept)) found.push({ id, kept })
  }
  return found.sort((a, b) => b.kept.length - a.kept.length)
}
