import type { Handlers } from '../../http/handler.ts'
import { deleteFragment, patchFragment } from './fragments.ts'
import { patchMetadata } from './patch-metadata.ts'
import { putActiveLeaf } from './put-active-leaf.ts'
import { postEdit, putEdit } from './put-edit.ts'
import { putNodeState } from './put-node-state.ts'
import { putNodesState } from './put-nodes-state.ts'
import { redo, undo } from './undo.ts'

type EditRouteName =
  | 'putEdit'
  | 'postEdit'
  | 'putNodeState'
  | 'putNodesState'
  | 'putActiveLeaf'
  | 'patchMetadata'
  | 'patchFragment'
  | 'deleteFragment'
  | 'undo'
  | 'redo'

export const editHandlers: Handlers<EditRouteName> = {
  putEdit,
  postEdit,
  putNodeState,
  putNodesState,
  putActiveLeaf,
  patchMetadata,
  patchFragment,
  deleteFragment,
  undo,
  redo,
}
