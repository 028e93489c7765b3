import { byId } from './dom.js'

/** The tree, as columns: nodes are numbers, parents before children. Bodies stay text until somebody looks at them. */
export const session = JSON.parse(byId('tree-data').textContent)
const { parent, first, ids } = session
export const count = parent.length
export const MUTED = 1
export const GENERATING = 2

const chunks = document.querySelectorAll('script.bodies')
const parsed = new Map()

/** What a node says: `{who, model?, parts}`. */
export function bodyOf(node) {
  let low = 0
  let high = first.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (first[middle] <= node) low = middle
    else high = middle - 1
  }
  let bodies = parsed.get(low)
  if (bodies === undefined) {
    bodies = JSON.parse(chunks[low].textContent)
    parsed.set(low, bodies)
    // A few at a time: a long session is not kept twice.
    if (parsed.size > 64) parsed.delete(parsed.keys().next().value)
  }
  return bodies[node - first[low]]
}

export const labels = new Map(session.labels)
export const stashTops = new Map(session.stash.map((fragment) => [fragment.top, fragment]))

/** Children in order; those without a parent are roots, of the tree or of a fragment in the stash. */
export const children = Array.from({ length: count }, () => [])
export const roots = []
for (let node = 0; node < count; node++) {
  if (parent[node] >= 0) children[parent[node]].push(node)
  else if (!stashTops.has(node)) roots.push(node)
}

export function siblingsOf(node) {
  if (parent[node] >= 0) return children[parent[node]]
  return stashTops.has(node) ? [node] : roots
}

export function pathTo(node) {
  const path = []
  for (let at = node; at >= 0; at = parent[at]) path.push(at)
  return path.reverse()
}

const trunk = new Set(pathTo(session.leaf))
/** Where each node was left last, so that coming back to a branch comes back to its end. */
const visited = new Map()

export function isTrunk(node) {
  return trunk.has(node)
}

export function rememberPath(path) {
  for (let i = 0; i + 1 < path.length; i++) visited.set(path[i], path[i + 1])
}

/** From a node down to the end of a branch: where it was left, else along the trunk, else to the latest. */
export function descend(node) {
  let at = node
  while (children[at].length > 0) at = visited.get(at) ?? children[at].find(isTrunk) ?? children[at].at(-1)
  return at
}

export function findNode(id) {
  return ids.indexOf(id)
}
