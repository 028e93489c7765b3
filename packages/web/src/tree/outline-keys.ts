import type { KeyboardEvent } from 'react'
import { BoxKind } from '../layout/boxes.ts'
import type { Layout } from '../layout/lay-out.ts'
import { branchTop, foldBack, toggleFold } from './folds.ts'
import { lineOf } from './node-text.ts'
import type { OutlineRows } from './outline-rows.ts'
import type { TreeScene } from './scene.ts'
import { extendTo, selectOne } from './selection.ts'

const TYPED_FOR_MS = 700

interface OutlinePlace {
  readonly scene: TreeScene
  readonly layout: Layout
  readonly rows: OutlineRows
  readonly row: number
  /** What was typed lately. */
  readonly typed: { text: string; at: number }
}

/** It stands for more than it shows. */
export function isFolded({ boxes }: Layout, box: number): boolean {
  return boxes.kind[box] !== BoxKind.node || boxes.nodes[box]! > 1
}

/** Branches stand right under it. */
export function hasUnder({ parent }: OutlineRows, row: number): boolean {
  return parent[row + 1] === row
}

/** The keys of an ARIA tree; those of the stage that are no letters of a search work here too. */
export function onOutlineKey(place: OutlinePlace, event: KeyboardEvent<HTMLElement>): boolean {
  const { scene, layout, rows, row } = place
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const box = rows.box[row]!
  const last = rows.box.length - 1
  switch (event.key) {
    case 'ArrowDown':
      return goTo(place, Math.min(last, row + 1), event.shiftKey)
    case 'ArrowUp':
      return goTo(place, Math.max(0, row - 1), event.shiftKey)
    case 'Home':
      return goTo(place, 0)
    case 'End':
      return goTo(place, last)
    case 'ArrowRight':
      if (isFolded(layout, box)) scene.setFolds(toggleFold(scene.folds, scene.session.tree, layout.boxes, box))
      else if (hasUnder(rows, row)) goTo(place, row + 1)
      return true
    case 'ArrowLeft':
      return goBack(place)
    case '*':
      return openSiblings(place)
    default:
      return typeAhead(place, event)
  }
}

function goTo({ scene, rows }: OutlinePlace, row: number, isExtending = false): boolean {
  const id = scene.idOfBox(rows.box[row]!)
  if (id === undefined) return true
  scene.selection.update((before) => (isExtending ? extendTo(before, id) : selectOne(id)))
  scene.show(rows.box[row]!)
  return true
}

/** Folds the branch whose top it is, else goes to where its branch leaves. */
function goBack(place: OutlinePlace): boolean {
  const { scene, layout, rows, row } = place
  const { tree } = scene.session
  const at = layout.boxes.first[rows.box[row]!]!
  if (layout.boxes.kind[rows.box[row]!] === BoxKind.node && branchTop(scene.folds, tree, at) === at) {
    scene.setFolds(foldBack(scene.folds, tree, at))
  } else if (rows.parent[row]! >= 0) goTo(place, rows.parent[row]!)
  return true
}

function openSiblings({ scene, layout, rows, row }: OutlinePlace): boolean {
  let { folds } = scene
  for (let at = 0; at < rows.box.length; at++) {
    const box = rows.box[at]!
    if (rows.parent[at] !== rows.parent[row] || !isFolded(layout, box)) continue
    folds = toggleFold(folds, scene.session.tree, layout.boxes, box)
  }
  scene.setFolds(folds)
  return true
}

/** Letters go to the next row that begins with them; a single one that means something on the stage means it here. */
function typeAhead(place: OutlinePlace, { key, timeStamp }: KeyboardEvent<HTMLElement>): boolean {
  const { scene, rows, row, typed } = place
  const isGoingOn = timeStamp - typed.at < TYPED_FOR_MS && typed.text !== ''
  if (key.length !== 1 || (!isGoingOn && !/[\p{L}]/u.test(key)) || (!isGoingOn && isCommand(key))) return false
  typed.text = isGoingOn ? typed.text + key.toLowerCase() : key.toLowerCase()
  typed.at = timeStamp
  const count = rows.box.length
  for (let step = isGoingOn ? 0 : 1; step <= count; step++) {
    const at = (row + step) % count
    const id = scene.idOfBox(rows.box[at]!)!
    if (lineOf(scene.session, id)?.toLowerCase().startsWith(typed.text)) return goTo(place, at)
  }
  return true
}

function isCommand(key: string): boolean {
  return 'xXpPilofFnNtshcmO'.includes(key)
}
