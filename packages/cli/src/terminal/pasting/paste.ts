import { pasteImage, pasteText } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { t } from '../../output/language.ts'
import { findImagePath, readImageFile } from './image-path.ts'
import { readClipboard } from './read-clipboard.ts'

/** What stands in the editor for text that was pasted, or for the image that a file was dropped for. */
export async function pasteInto(session: Session, given: string, cwd: string): Promise<string> {
  // Terminals send carriage returns for line feeds.
  const text = given.replace(/\r\n?/g, '\n')
  const path = findImagePath(text, cwd)
  if (path === undefined) return pasteText(session, text)
  const bytes = await readImageFile(path)
  if (bytes === undefined) return pasteText(session, text)
  try {
    return await pasteImage(session, bytes)
  } catch (error) {
    // It has the name of an image and is none: who pasted it gets what was pasted.
    if (error instanceof TreelineError && error.code === 'unsupported_media_type') return pasteText(session, text)
    throw error
  }
}

/** What stands in the editor for what is in the clipboard. Throws what there is to say about it. */
export async function pasteClipboard(
  session: Session,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const found = await readClipboard(env)
  switch (found.type) {
    case 'image':
      return pasteImage(session, found.bytes)
    case 'text':
      return pasteInto(session, found.text, cwd)
    case 'empty':
      throw new TreelineError('bad_request', t('The clipboard is empty.'))
    case 'tooLarge':
      throw new TreelineError('payload_too_large', t('What is in the clipboard is too large.'))
    case 'missing':
      throw new TreelineError('bad_request', t('To paste from the clipboard, install {tool}.', { tool: found.tool }))
    case 'none':
      throw new TreelineError('bad_request', t('There is no clipboard here. Paste with your terminal’s own key.'))
  }
}
