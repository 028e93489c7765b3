import { openCompare } from '../compare/compare-state.ts'
import { BoxKind } from '../layout/boxes.ts'
import { NodeFlag } from '../state/tree-model.ts'
import { t } from '../words/language.ts'
import * as actions from './actions.ts'
import { branchTop, foldBack, toggleFold } from './folds.ts'
import { askForText } from './prompt.ts'
import type { TreeScene } from './scene.ts'
import { nodesMeant, selectedBoxes, targetMeant, topsMeant } from './targets.ts'

/** Something that can be done now with what is selected, whoever asks: a key, the menu or a button. */
export interface TreeCommand {
  readonly id: string
  readonly label: string
  /** Where there is little room. */
  readonly short?: string
  /** As `keyOf` names it. */
  readonly key?: string
  readonly isDanger?: boolean
  /** Stands apart from what is before it. */
  readonly isApart?: boolean
  /** A promise where what comes next depends on the server's answer. */
  readonly run: () => unknown
}

export function commandsFor(scene: TreeScene): readonly TreeCommand[] {
  const boxes = selectedBoxes(scene)
  if (boxes.length === 0) return []
  const commands = boxes.length === 1 ? forOne(scene, boxes[0]!) : forMany(scene, boxes)
  return commands.filter((command) => command !== false)
}

function forOne(scene: TreeScene, box: number): readonly (TreeCommand | false)[] {
  const { session, layout, held } = scene
  const { tree } = session
  const { boxes } = layout.get()!
  const place = boxes.first[box]!
  const id = tree.ids[place]!
  const isNode = boxes.kind[box] === BoxKind.node
  const isInStash = tree.has(place, NodeFlag.detached)
  const isRoot = tree.parentOf(place) === -1
  const source = held.get()
  const hasBelow = tree.children.count(boxes.last[box]!) > 0
  return [
    !isInStash &&
      id !== tree.activeLeafId && {
        id: 'trunk',
        key: 'Enter',
        label: boxes.onTrunk[box] === 1 ? t('Go on from here') : t('Make this the trunk'),
        run: () => void actions.switchTrunk(session, id),
      },
    !isInStash &&
      boxes.onTrunk[box] === 0 &&
      hasBelow && { id: 'exact', label: t('Go on from exactly here'), run: () => void actions.goOnFrom(session, id) },
    ...foldCommands(scene, box),
    ...muteCommands(scene),
    isNode && {
      id: 'label',
      key: 'l',
      label: t('Label…'),
      isApart: true,
      run: () => void askForLabel(scene, id),
    },
    { id: 'cut', key: 'x', label: t('Cut out, into the stash'), isApart: true, run: () => cut(scene) },
    isNode &&
      hasBelow && {
        id: 'prune',
        key: 'Shift+X',
        label: t('Prune: cut off what follows'),
        run: () => actions.prune(session, id),
      },
    ...(source === undefined || source === id ? [] : graftCommands(scene, source)),
    ...siblingCommands(scene, id),
    isInStash &&
      tree.parentOf(place) === -2 && {
        id: 'back',
        label: t('Put back where it was'),
        run: () => actions.putBack(session, id),
      },
    !isInStash && {
      id: 'fork-path',
      label: t('Fork the way to here into a new session'),
      isApart: true,
      run: () => void actions.fork(session, id, 'path'),
    },
    {
      id: 'fork-subtree',
      label: t('Fork this and what follows into a new session'),
      run: () => void actions.fork(session, id, 'subtree'),
    },
    {
      id: 'summarise',
      label: t('Sum up'),
      run: () => void actions.summarise(session, nodesMeant(scene)),
    },
    isNode &&
      !isRoot && {
        id: 'splice',
        label: t('Delete only this; what follows moves up'),
        isDanger: true,
        isApart: true,
        run: () => actions.remove(session, [id], 'splice'),
      },
    {
      id: 'delete',
      key: 'Delete',
      label: t('Delete with all that follows'),
      isDanger: true,
      run: () => removeAll(scene),
    },
  ]
}

function forMany(scene: TreeScene, boxes: readonly number[]): readonly (TreeCommand | false)[] {
  const { session } = scene
  const ids = boxes.map((box) => scene.idOfBox(box)!)
  return [
    ...muteCommands(scene),
    {
      id: 'summarise',
      label: t('Sum up'),
      isApart: true,
      run: () => void actions.summarise(session, nodesMeant(scene)),
    },
    boxes.length === 2 && {
      id: 'compare',
      key: 'c',
      label: t('Compare the two'),
      short: t('Compare'),
      run: () => openCompare({ left: ids[0]!, right: ids[1]! }),
    },
    boxes.length <= 16 && {
      id: 'merge',
      key: 'm',
      label: t('Merge into a new branch'),
      short: t('Merge'),
      run: () => void actions.merge(session, ids),
    },
    {
      id: 'cut',
      key: 'x',
      label: t('Cut out, into the stash'),
      short: t('Cut out'),
      isApart: true,
      run: () => cut(scene),
    },
    {
      id: 'delete',
      key: 'Delete',
      label: t('Delete with all that follows'),
      short: t('Delete'),
      isDanger: true,
      isApart: true,
      run: () => removeAll(scene),
    },
    {
      id: 'splice',
      label: t('Delete only these; what follows moves up'),
      short: t('Delete only these'),
      isDanger: true,
      run: () => actions.remove(session, nodesMeant(scene), 'splice'),
    },
  ]
}

function muteCommands(scene: TreeScene): readonly (TreeCommand | false)[] {
  const { session } = scene
  const ids = nodesMeant(scene)
  const muted = ids.filter((id) => session.isMuted(id)).length
  const isAll = muted === ids.length
  return [
    !isAll && {
      id: 'mute',
      key: 'Space',
      label: t('Mute'),
      isApart: true,
      run: () => void actions.mute(session, ids, true),
    },
    muted > 0 && {
      id: 'unmute',
      ...(isAll && { key: 'Space', isApart: true }),
      label: t('Unmute'),
      run: () => void actions.mute(session, ids, false),
    },
  ]
}

function foldCommands(scene: TreeScene, box: number): readonly (TreeCommand | false)[] {
  const { session, folds } = scene
  const { tree } = session
  const { boxes } = scene.layout.get()!
  const place = boxes.first[box]!
  const isNode = boxes.kind[box] === BoxKind.node
  const toggle = (): void => scene.setFolds(toggleFold(folds, tree, boxes, box))
  const isClosed = boxes.nodes[box]! > 1
  const label = isNode && !isClosed ? t('Close over what follows') : t('Unfold')
  return [
    (!isNode || tree.children.count(place) > 0) && { id: 'fold', key: 'o', label, isApart: true, run: toggle },
    isNode &&
      (branchTop(folds, tree, place) >= 0 || (folds[place] ?? 0) !== 0) && {
        id: 'fold-back',
        key: 'Shift+O',
        label: t('Fold again'),
        run: () => scene.setFolds(foldBack(folds, tree, place)),
      },
  ]
}

function siblingCommands({ session }: TreeScene, id: string): readonly (TreeCommand | false)[] {
  const { tree } = session
  const place = tree.place(id)
  const siblings = tree.siblingsOf(place)
  const at = siblings.indexOf(place)
  const move = (step: 1 | -1) => () => actions.moveAmongSiblings(session, id, step)
  // The stash has no order of its own.
  if (tree.parentOf(place) < -1) return []
  return [
    at > 0 && { id: 'earlier', key: 'Alt+↑', label: t('Move before its sibling'), isApart: true, run: move(-1) },
    at < siblings.length - 1 && {
      id: 'later',
      key: 'Alt+↓',
      label: t('Move after its sibling'),
      isApart: at === 0,
      run: move(1),
    },
  ]
}

function graftCommands(scene: TreeScene, sourceId: string): readonly TreeCommand[] {
  const put = (where: 'under' | 'between', isCopy: boolean) => () => graftHeld(scene, sourceId, where, isCopy)
  return [
    {
      id: 'graft',
      key: 'p',
      label: t('Graft what was cut out here'),
      short: t('Graft it here'),
      isApart: true,
      run: put('under', false),
    },
    {
      id: 'graft-copy',
      key: 'Shift+P',
      label: t('Graft a copy of it here'),
      short: t('Graft a copy'),
      run: put('under', true),
    },
    {
      id: 'insert',
      key: 'i',
      label: t('Insert it between this and what follows'),
      short: t('Insert in between'),
      run: put('between', false),
    },
  ]
}

async function graftHeld(
  scene: TreeScene,
  sourceId: string,
  where: 'under' | 'between',
  isCopy: boolean,
): Promise<void> {
  const nodeId = targetMeant(scene)
  if (nodeId === undefined) return
  const there = await actions.graft(scene.session, sourceId, { nodeId, where }, isCopy)
  if (there === undefined) return
  if (!isCopy) scene.held.set(undefined)
  scene.goTo(there, false)
}

async function cut(scene: TreeScene): Promise<void> {
  const tops = topsMeant(scene)
  const above = scene.session.tree.parentOf(scene.session.tree.place(tops[0] ?? null))
  const isInStash = tops.every((id) => scene.session.tree.parentOf(scene.session.tree.place(id)) === -2)
  const heldId = isInStash ? tops[0] : await actions.cutOut(scene.session, tops)
  if (heldId === undefined) return
  scene.held.set(heldId)
  if (!isInStash && above >= 0) scene.selection.set({ focus: scene.session.tree.ids[above]!, ids: new Set() })
}

async function removeAll(scene: TreeScene): Promise<void> {
  const tops = topsMeant(scene)
  const { tree } = scene.session
  const above = tree.parentOf(tree.place(tops[0] ?? null))
  if (!(await actions.remove(scene.session, tops, 'subtree'))) return
  scene.selection.set({ focus: above >= 0 ? tree.ids[above]! : null, ids: new Set() })
  // Where the keys are now may have been out of sight.
  scene.show(scene.focusBox())
}

async function askForLabel(scene: TreeScene, id: string): Promise<void> {
  const node = await actions.readNode(scene.session, id)
  if (node === undefined) return
  const before = node.metadata?.labels?.[0] ?? ''
  const label = await askForText({
    title: t('Label of this node'),
    text: before,
    hint: t('Left empty, the label goes away.'),
  })
  if (label !== undefined && label !== before) await actions.setLabel(scene.session, id, label.trim().slice(0, 200))
}
