import { children, labels, MUTED, session, stashTops } from './data.js'
import { byId, el, plural } from './dom.js'
import { runOf, runs, stashFrom } from './runs.js'

const ROW = 30
const MAX_GUIDES = 8

/** The tree as rows of one height, of which only those in sight are elements: ten thousand cost as much as fifty. */
export function createTreeView({ onSelect, isOnPath, isCurrent, hits }) {
  const box = byId('tree')
  const space = byId('rows')
  let rows = []
  /** The row that the keys move, by node; the run's first node when its run is closed. */
  let cursor = 0
  let drawn = ''

  function build() {
    rows = []
    for (const [index, run] of runs.entries()) {
      if (index === stashFrom) rows.push({ title: `Stash, ${plural(stashTops.size, 'fragment')}` })
      const shown = run.open ? run.nodes : run.nodes.slice(0, 1)
      for (const [i, node] of shown.entries()) rows.push({ node, run, isHead: i === 0 })
    }
    space.style.height = `${rows.length * ROW}px`
    draw(true)
  }

  function draw(force) {
    const from = Math.max(0, Math.floor(box.scrollTop / ROW) - 10)
    const to = Math.min(rows.length, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + 10)
    const key = `${from}-${to}`
    if (!force && key === drawn) return
    drawn = key
    space.replaceChildren(...rows.slice(from, to).map((row, i) => makeRow(row, from + i)))
    box.setAttribute('aria-activedescendant', `row-${cursor}`)
  }

  function makeRow(row, index) {
    const element = row.title === undefined ? nodeRow(row, index) : el('div', { class: 'row title', text: row.title })
    element.style.top = `${index * ROW}px`
    return element
  }

  function nodeRow({ node, run, isHead }, index) {
    const matching = hits()
    const found =
      matching && (run.open ? Number(matching.has(node)) : run.nodes.filter((one) => matching.has(one)).length)
    const classes = ['row', session.kind[node]]
    if (isOnPath(node)) classes.push('on')
    if (isCurrent(node)) classes.push('current')
    if (node === cursor) classes.push('cursor')
    if (session.flags[node] & MUTED) classes.push('muted')
    if (run.isStash) classes.push('stash')
    if (found === 0) classes.push('dim')
    const element = el('div', {
      class: classes.join(' '),
      id: `row-${node}`,
      role: 'treeitem',
      'aria-level': String(run.depth + 1),
      'aria-selected': String(isCurrent(node)),
      'aria-expanded': isHead && run.nodes.length > 1 ? String(run.open) : undefined,
      title: session.preview[node],
      onclick: () => choose(index),
    })
    for (const guide of guidesOf(run)) element.append(el('i', { class: isOnPath(guide) ? 'guide on' : 'guide' }))
    if (run.isAside && isHead) element.lastChild.classList.add('elbow')
    element.append(el('i', { class: markClass(node, run, isHead) }))
    if (labels.has(node)) element.append(el('b', { class: 'label', text: labels.get(node) }))
    element.append(el('span', { class: 'words', text: session.preview[node] || '(no words)' }))
    if (found > 0 && !run.open && run.nodes.length > 1)
      element.append(el('span', { class: 'found', text: String(found) }))
    if (isHead && run.nodes.length > 1) element.append(toggle(run))
    return element
  }

  /** Whether the line of the tree comes from above and goes on below this mark. */
  function markClass(node, run, isHead) {
    const isLast = node === run.nodes.at(-1) || (isHead && !run.open)
    const ends = isLast && children[run.nodes.at(-1)].length === 0
    const begins = isHead && (run.isAside || session.parent[node] < 0)
    return `mark${begins ? ' begins' : ''}${ends ? ' ends' : ''}`
  }

  function guidesOf(run) {
    const guides = []
    for (let at = run.guides; at !== undefined && guides.length < MAX_GUIDES; at = at.up) guides.push(at.node)
    return guides.reverse()
  }

  function toggle(run) {
    const words = run.open ? '▾' : `+${run.nodes.length - 1}`
    return el('button', {
      class: 'toggle',
      type: 'button',
      tabindex: '-1',
      text: words,
      'aria-label': run.open ? 'Close this run' : `Show ${plural(run.nodes.length - 1, 'more node')}`,
      onclick: (event) => {
        event.stopPropagation()
        setOpen(run, !run.open)
      },
    })
  }

  function setOpen(run, isOpen) {
    if (run.open === isOpen || run.nodes.length === 1) return false
    run.open = isOpen
    if (!isOpen && run.nodes.includes(cursor)) cursor = run.nodes[0]
    build()
    return true
  }

  function choose(index) {
    const row = rows[index]
    if (row?.node === undefined) return
    cursor = row.node
    onSelect(row.node)
  }

  function rowOfCursor() {
    return Math.max(
      0,
      rows.findIndex((row) => row.node === cursor),
    )
  }

  function moveTo(index) {
    const step = index < rowOfCursor() ? -1 : 1
    let at = Math.max(0, Math.min(rows.length - 1, index))
    if (rows[at]?.node === undefined) at += step
    if (rows[at]?.node === undefined) return
    cursor = rows[at].node
    keepInSight(at)
    draw(true)
  }

  function keepInSight(index) {
    const top = index * ROW
    if (top < box.scrollTop + ROW) box.scrollTop = top - ROW
    else if (top + 2 * ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * ROW - box.clientHeight
  }

  const keys = {
    ArrowDown: () => moveTo(rowOfCursor() + 1),
    ArrowUp: () => moveTo(rowOfCursor() - 1),
    PageDown: () => moveTo(rowOfCursor() + 15),
    PageUp: () => moveTo(rowOfCursor() - 15),
    Home: () => moveTo(0),
    End: () => moveTo(rows.length - 1),
    ArrowRight: () => setOpen(runs[runOf[cursor]], true) || moveTo(rowOfCursor() + 1),
    ArrowLeft: () => setOpen(runs[runOf[cursor]], false) || moveTo(rows.findIndex((row) => row.node === parentRow())),
    Enter: () => choose(rowOfCursor()),
    ' ': () => choose(rowOfCursor()),
  }

  function parentRow() {
    const above = session.parent[cursor]
    return above < 0 ? cursor : runs[runOf[above]].open ? above : runs[runOf[above]].nodes[0]
  }

  box.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (act === undefined || rows.length === 0) return
    event.preventDefault()
    act()
  })
  box.addEventListener('scroll', () => draw(false), { passive: true })
  new ResizeObserver(() => draw(true)).observe(box)
  build()

  return {
    refresh: () => draw(true),
    /** Shows where a node is, opening its run. */
    reveal(node) {
      const run = runs[runOf[node]]
      cursor = node
      if (!run.open && node !== run.nodes[0]) run.open = true
      build()
      keepInSight(rowOfCursor())
      draw(true)
    },
  }
}
