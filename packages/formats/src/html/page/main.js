import { createConversation } from './conversation.js'
import { children, count, descend, findNode, pathTo, rememberPath, session } from './data.js'
import { byId, plural } from './dom.js'
import { opened, openFolds } from './parts.js'
import { createSearch } from './search.js'
import { createTreeView } from './tree-view.js'

document.documentElement.classList.add('live')
let onPath = new Set()
let current = session.leaf

const conversation = createConversation({ onSwitch: (node) => goTo(node) })
const search = createSearch({
  onChange: () => tree.refresh(),
  onVisit: (node, words) => {
    goTo(node, { reveal: true })
    openFolds(byId(`node-${node}`), words)
  },
})
const tree = createTreeView({
  onSelect: (node) => {
    goTo(node)
    setTreeOpen(false)
  },
  isOnPath: (node) => onPath.has(node),
  isCurrent: (node) => node === current,
  hits: search.hits,
})

function show(leaf) {
  const path = conversation.show(leaf)
  rememberPath(path)
  onPath = new Set(path)
}

/** Goes to a node, on the branch that is open or on the one it is on. */
function goTo(node, { reveal = false } = {}) {
  current = node
  if (!onPath.has(node)) show(descend(node))
  conversation.scrollTo(node)
  if (reveal) tree.reveal(node)
  else tree.refresh()
  rememberPlace(node)
}

function rememberPlace(node) {
  try {
    history.replaceState(null, '', `#${encodeURIComponent(session.ids[node])}`)
  } catch {
    // Some viewers give a page no address of its own; then there is nothing to remember it in.
  }
}

/** The node that the address names, -1 for none. */
function placeAsked() {
  try {
    return findNode(decodeURIComponent(location.hash.slice(1)))
  } catch {
    // Not an address that we wrote.
    return -1
  }
}

function describe() {
  const branches = children.filter((below) => below.length === 0).length
  const date = new Date(session.createdAt)
  const when = Number.isNaN(date.getTime()) ? undefined : date.toLocaleDateString(undefined, { dateStyle: 'long' })
  const plurals = [plural(count, 'node'), branches === 1 ? '1 branch' : `${branches.toLocaleString()} branches`]
  byId('facts').textContent = [...plurals, when, session.cwd].filter(Boolean).join(' · ')
}

function setFold(kind, isOpen) {
  opened[kind] = isOpen
  const name = kind === 'tools' ? 'tool' : 'thinking'
  for (const details of document.querySelectorAll(`details[data-fold="${name}"]`)) details.open = isOpen
}

for (const kind of ['tools', 'thinking']) {
  const box = byId(`open-${kind}`)
  box.addEventListener('change', () => setFold(kind, box.checked))
  setFold(kind, box.checked)
}
/** On a narrow screen the tree lies over the conversation. */
function setTreeOpen(isOpen) {
  document.body.classList.toggle('tree-open', isOpen)
  byId('tree-button').setAttribute('aria-expanded', String(isOpen))
}
byId('tree-button').addEventListener('click', () => {
  const isOpen = !document.body.classList.contains('tree-open')
  setTreeOpen(isOpen)
  if (isOpen) byId('tree').focus()
})
byId('veil').addEventListener('click', () => setTreeOpen(false))
addEventListener('beforeprint', () => conversation.fillAll())
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'search'
  if (event.key === 'Escape') setTreeOpen(false)
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === '/') search.focus()
  else if (event.key === 't') byId('tree').focus()
  else if ((event.key === 'j' || event.key === 'k') && onPath.size > 0) {
    goTo(conversation.step(current, event.key === 'j' ? 1 : -1), { reveal: true })
  } else return
  event.preventDefault()
})

describe()
show(session.leaf >= 0 ? session.leaf : count > 0 ? descend(0) : -1)
const asked = placeAsked()
if (asked >= 0) goTo(asked, { reveal: true })
else if (session.leaf >= 0) {
  current = pathTo(session.leaf)[0]
  tree.refresh()
}
byId('tree').scrollTop = 0
