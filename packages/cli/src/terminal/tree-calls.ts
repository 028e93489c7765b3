import { plainText } from '@treeline/core'
import { t } from '../output/language.ts'
import { entryText } from '../transcript/entry-text.ts'
import type { ChatController } from './chat-controller.ts'
import { writeClipboard } from './clipboard/write-clipboard.ts'
import { treeEdits } from './lists/tree-edits.ts'
import type { TreeCalls } from './lists/tree-keys.ts'

/** What the keys of the tree do in a chat. */
export function treeCalls(controller: ChatController): TreeCalls {
  return {
    ...treeEdits(controller.session),
    onPick: (nodeId, isEdited) => controller.pickInTree(nodeId, isEdited),
    onCopy: (nodeId) => copyNode(controller, nodeId),
    onClose(isEdited) {
      controller.closeView()
      if (isEdited) void controller.showAnew()
    },
  }
}

async function copyNode({ session, context }: ChatController, nodeId: string): Promise<string> {
  const full = await session.readFull(nodeId)
  const text = full === undefined ? '' : plainText(entryText(full.entry))
  if (text === '') return t('There are no words to copy.')
  const copied = await writeClipboard(text, { env: context.env })
  if (copied === 'too_long') return t('It is too long for the clipboard of this terminal.')
  return t('Copied {count} characters.', { count: text.length })
}
