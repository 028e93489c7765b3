// biome-ignore-all format: made of page/*.js and page/page.css by page-source.test.ts; see there.
/** As texts in a module, so that they are there wherever the package is bundled into. */
export const pageScript = `(() => {
'use strict'
/**
 * The only way this page makes elements: texts become text nodes and nothing else, so that nothing of the conversation is
 * ever read as markup. The page's policy refuses markup from strings as well.
 */
function el(tag, fields = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name === 'text') element.textContent = value
    else element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.filter((child) => child !== undefined))
  return element
}

function byId(id) {
  return document.getElementById(id)
}

function plural(count, word) {
  return \`\${count.toLocaleString()} \${word}\${count === 1 ? '' : 's'}\`
}


/** The tree, as columns: nodes are numbers, parents before children. Bodies stay text until somebody looks at them. */
const session = JSON.parse(byId('tree-data').textContent)
const { parent, first, ids } = session
const count = parent.length
const MUTED = 1
const GENERATING = 2

const chunks = document.querySelectorAll('script.bodies')
const parsed = new Map()

/** What a node says: \`{who, model?, parts}\`. */
function bodyOf(node) {
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

const labels = new Map(session.labels)
const stashTops = new Map(session.stash.map((fragment) => [fragment.top, fragment]))

/** Children in order; those without a parent are roots, of the tree or of a fragment in the stash. */
const children = Array.from({ length: count }, () => [])
const roots = []
for (let node = 0; node < count; node++) {
  if (parent[node] >= 0) children[parent[node]].push(node)
  else if (!stashTops.has(node)) roots.push(node)
}

function siblingsOf(node) {
  if (parent[node] >= 0) return children[parent[node]]
  return stashTops.has(node) ? [node] : roots
}

function pathTo(node) {
  const path = []
  for (let at = node; at >= 0; at = parent[at]) path.push(at)
  return path.reverse()
}

const trunk = new Set(pathTo(session.leaf))
/** Where each node was left last, so that coming back to a branch comes back to its end. */
const visited = new Map()

function isTrunk(node) {
  return trunk.has(node)
}

function rememberPath(path) {
  for (let i = 0; i + 1 < path.length; i++) visited.set(path[i], path[i + 1])
}

/** From a node down to the end of a branch: where it was left, else along the trunk, else to the latest. */
function descend(node) {
  let at = node
  while (children[at].length > 0) at = visited.get(at) ?? children[at].find(isTrunk) ?? children[at].at(-1)
  return at
}

function findNode(id) {
  return ids.indexOf(id)
}


const SAFE_ADDRESS = /^(?:https?:\\/\\/|mailto:)/i
/** How far ahead the other end of a pair is looked for, so that a text of openings alone costs little. */
const REACH = 2000
const MARK = /[\`*_~[\\\\]|https?:\\/\\//g

/** The words of a paragraph: code, strong, emphasis, deleted, links. What is none of them is text. */
function appendInline(parent, text, depth = 0) {
  let done = 0
  const flush = (end) => {
    if (end > done) parent.append(text.slice(done, end))
  }
  MARK.lastIndex = 0
  for (let at = nextMark(text, 0); at >= 0; ) {
    const found = depth < 6 ? readAt(text, at) : undefined
    if (found === undefined) {
      at = nextMark(text, at + 1)
      continue
    }
    flush(at)
    parent.append(found.make(depth + 1))
    done = at + found.length
    at = nextMark(text, done)
  }
  flush(text.length)
  return parent
}

function nextMark(text, from) {
  MARK.lastIndex = from
  return MARK.exec(text)?.index ?? -1
}

function readAt(text, at) {
  const char = text[at]
  if (char === '\`') return readCode(text, at)
  if (char === '[') return readLink(text, at)
  if (char === 'h') return readAddress(text, at)
  if (char === '\\\\') return /[!-/:-@[-\`{-~]/.test(text[at + 1] ?? '') ? said(2, text[at + 1]) : undefined
  return readPair(text, at)
}

function said(length, text) {
  return { length, make: () => document.createTextNode(text) }
}

function readCode(text, at) {
  const run = /^\`+/.exec(text.slice(at, at + 20))[0]
  const window = text.slice(at + run.length, at + REACH)
  for (let end = window.indexOf(run); end >= 0; end = window.indexOf(run, end + 1)) {
    if (window[end - 1] === '\`' || window[end + run.length] === '\`') continue
    const code = window.slice(0, end)
    return { length: end + run.length * 2, make: () => el('code', { text: code.trim() === '' ? code : code.trim() }) }
  }
  return said(run.length, run)
}

function readPair(text, at) {
  const marks = text.startsWith(text[at] + text[at], at) ? text[at] + text[at] : text[at]
  if (marks === '~') return undefined
  const before = text[at - 1] ?? ' '
  const next = text[at + marks.length] ?? ' '
  if (/\\s/.test(next) || (text[at] === '_' && /\\w/.test(before))) return undefined
  const window = text.slice(at + marks.length, at + REACH)
  const end = window.indexOf(marks)
  if (end <= 0 || /\\s/.test(window[end - 1])) return undefined
  if (marks[0] === '_' && /\\w/.test(window[end + marks.length] ?? ' ')) return undefined
  const tag = marks === '~~' ? 's' : marks.length === 2 ? 'strong' : 'em'
  const inner = window.slice(0, end)
  return { length: end + marks.length * 2, make: (depth) => appendInline(el(tag), inner, depth) }
}

function readLink(text, at) {
  const found = /^\\[([^\\]\\n]{0,500})\\]\\(\\s{0,4}([^()\\s]{1,2000})(?:\\s{1,4}"[^"\\n]{0,200}")?\\s{0,4}\\)/.exec(
    text.slice(at, at + 2800),
  )
  if (found === null) return undefined
  const [all, words, address] = found
  // What leads anywhere else is shown as it was written.
  if (!SAFE_ADDRESS.test(address)) return said(all.length, all)
  return { length: all.length, make: (depth) => appendInline(link(address), words === '' ? address : words, depth) }
}

function readAddress(text, at) {
  if (/\\w/.test(text[at - 1] ?? ' ')) return undefined
  const address = /^https?:\\/\\/[^\\s<>"'\`|\\\\^{}[\\]]{1,2000}/
    .exec(text.slice(at, at + 2010))?.[0]
    .replace(/[.,;:!?)*_]+$/, '')
  if (address === undefined || address.length < 9) return undefined
  return { length: address.length, make: () => link(address, address) }
}

function link(address, words) {
  return el('a', { href: address, rel: 'noopener noreferrer nofollow', target: '_blank', text: words })
}


const FENCE = /^( {0,12})(\`{3,}|~{3,})\\s*([\\w+#.-]{0,40})/
const HEADING = /^ {0,3}(#{1,6})\\s+(.*)$/
const ITEM = /^( {0,12})(?:([-*+])|(\\d{1,9})[.)])\\s+(.*)$/
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\\* *){3,}|(?:_ *){3,})$/
const TABLE_RULE = /^ {0,3}\\|?(?: *:?-+:? *\\|)+ *(?::?-+:? *)?$/
/** A longer text is no prose. */
const MAX_PROSE = 200_000

/** A small Markdown, as elements: paragraphs, headings, lists, quotes, tables, code. It knows no HTML. */
function renderMarkdown(text) {
  const root = el('div', { class: 'prose' })
  if (text.length > MAX_PROSE) root.append(el('pre', { class: 'plain', text }))
  else renderBlocks(root, text.split('\\n'), 0)
  return root
}

function renderBlocks(parent, lines, depth) {
  let at = 0
  while (at < lines.length) at = renderBlock(parent, lines, at, depth)
}

/** Renders one block and tells at which line the next one begins. */
function renderBlock(parent, lines, at, depth) {
  const line = lines[at]
  if (line.trim() === '') return at + 1
  const fence = FENCE.exec(line)
  if (fence !== null) return renderFence(parent, lines, at, fence)
  const heading = HEADING.exec(line)
  if (heading !== null) {
    parent.append(appendInline(el(\`h\${Math.min(6, heading[1].length + 2)}\`), heading[2].replace(/\\s+#+\\s*$/, '')))
    return at + 1
  }
  if (RULE.test(line)) {
    parent.append(el('hr'))
    return at + 1
  }
  if (depth < 8 && /^ {0,3}>/.test(line)) return renderQuote(parent, lines, at, depth)
  if (depth < 8 && ITEM.test(line)) return renderList(parent, lines, at, depth)
  if (line.includes('|') && TABLE_RULE.test(lines[at + 1] ?? '')) return renderTable(parent, lines, at)
  return renderParagraph(parent, lines, at)
}

function renderFence(parent, lines, at, [, indent, marks, language]) {
  const code = []
  let end = at + 1
  for (; end < lines.length; end++) {
    const close = lines[end].trim()
    if (close.startsWith(marks) && close.split('').every((char) => char === marks[0])) break
    code.push(lines[end].startsWith(indent) ? lines[end].slice(indent.length) : lines[end])
  }
  parent.append(codeBlock(code.join('\\n'), language))
  return end + 1
}

function codeBlock(text, language = '') {
  const pre = el('pre', { tabindex: '0' }, el('code', { text }))
  if (language !== '' && language !== 'text') pre.dataset.language = language
  return pre
}

function renderQuote(parent, lines, at, depth) {
  let end = at
  const inner = []
  while (end < lines.length && /^ {0,3}>/.test(lines[end])) inner.push(lines[end++].replace(/^ {0,3}> ?/, ''))
  const quote = el('blockquote')
  renderBlocks(quote, inner, depth + 1)
  parent.append(quote)
  return end
}

function renderList(parent, lines, at, depth) {
  const opening = ITEM.exec(lines[at])
  const isOrdered = opening[3] !== undefined
  const indent = opening[1].length
  const list = el(isOrdered ? 'ol' : 'ul')
  if (isOrdered && opening[3] !== '1') list.setAttribute('start', opening[3])
  let end = at
  let inner
  const finish = () => {
    if (inner === undefined) return
    const item = el('li')
    if (inner.length === 1) appendInline(item, inner[0])
    else renderBlocks(item, inner, depth + 1)
    list.append(item)
  }
  for (; end < lines.length; end++) {
    const line = lines[end]
    const item = ITEM.exec(line)
    const spaces = line.length - line.trimStart().length
    if (item !== null && spaces === indent && (item[3] !== undefined) === isOrdered) {
      finish()
      inner = [item[4]]
    } else if (spaces > indent || line.trim() === '') inner.push(line.slice(Math.min(spaces, indent + 2)))
    else break
    if (line.trim() === '' && !continues(lines[end + 1], indent)) break
  }
  finish()
  parent.append(list)
  return Math.max(end, at + 1)
}

function continues(line, indent) {
  if (line === undefined || line.trim() === '') return false
  return line.length - line.trimStart().length > indent || ITEM.exec(line)?.[1].length === indent
}

function renderTable(parent, lines, at) {
  const cells = (line) => line.trim().replace(/^\\|/, '').replace(/\\|$/, '').split('|')
  const row = (line, tag) => el('tr', {}, ...cells(line).map((cell) => appendInline(el(tag), cell.trim())))
  const table = el('table', {}, el('thead', {}, row(lines[at], 'th')))
  const body = el('tbody')
  let end = at + 2
  for (; end < lines.length && lines[end].includes('|'); end++) body.append(row(lines[end], 'td'))
  table.append(body)
  parent.append(el('div', { class: 'table' }, table))
  return end
}

function renderParagraph(parent, lines, at) {
  let end = at + 1
  while (end < lines.length && !beginsBlock(lines[end])) end++
  const paragraph = el('p')
  // A line end is meant where people and models write one.
  for (const [i, line] of lines.slice(at, end).entries()) {
    if (i > 0) paragraph.append(el('br'))
    appendInline(paragraph, line)
  }
  parent.append(paragraph)
  return end
}

function beginsBlock(line) {
  return line.trim() === '' || FENCE.test(line) || HEADING.test(line) || /^ {0,3}>/.test(line) || ITEM.test(line)
}


/**
 * The tree contracted: a run is a stretch without a fork and is one row until it is opened. Of the runs at a fork the
 * trunk's, or the last, goes on at the same depth and comes last; the others stand aside, one step in. So depth counts
 * branches of branches, not messages.
 */
const runs = []
const runOf = new Int32Array(session.parent.length)

/** Runs in the order of their rows; each is \`{nodes, depth, guides, isStash, isAside, open}\`. */
function addRuns(tops, isStash) {
  const waiting = tops.toReversed().map((top) => ({ top, depth: 0, guides: undefined, isAside: false }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { top, depth, guides, isAside } = next
    const nodes = [top]
    for (let at = top; children[at].length === 1; nodes.push(at)) at = children[at][0]
    const index = runs.length
    for (const node of nodes) runOf[node] = index
    runs.push({ nodes, depth, guides, isStash, isAside, open: false })
    const forks = children[nodes.at(-1)]
    if (forks.length === 0) continue
    const main = forks.find(isTrunk) ?? forks.at(-1)
    waiting.push({ top: main, depth, guides, isAside: false })
    for (const fork of forks.toReversed()) {
      if (fork === main) continue
      // Beside every run that stands aside the one that goes on is drawn as a line.
      waiting.push({ top: fork, depth: depth + 1, guides: { node: main, up: guides }, isAside: true })
    }
  }
}

addRuns(roots, false)
const stashFrom = runs.length
addRuns([...stashTops.keys()], true)

/** Of a small tree every node is shown. */
if (session.parent.length <= 80) for (const run of runs) run.open = true


/** More than this of one output is shown when it is asked for. */
const MAX_SHOWN = 50_000

/** Which folded things are open from the start, as the reader has set it. */
const opened = { tools: false, thinking: false }

function renderPart(part) {
  switch (part.type) {
    case 'text':
      return renderMarkdown(part.text)
    case 'thinking':
      return fold({ kind: 'thinking', title: 'Thinking', brief: firstWords(part.text), text: part.text })
    case 'call':
      return fold({
        kind: 'tool call',
        title: part.name,
        brief: briefInput(part),
        text: part.input,
        language: part.language,
      })
    case 'output':
      return renderOutput(part)
    case 'image':
      return part.src === undefined
        ? el('p', { class: 'remark', text: \`[\${part.words}]\` })
        : el('img', { src: part.src, alt: part.words, loading: 'lazy' })
    default:
      return el('p', { class: 'remark', text: part.text })
  }
}

function renderOutput({ name, text, isError }) {
  const lines = text === '' ? 'empty' : plural(text.split('\\n').length, 'line')
  return fold({
    kind: isError ? 'tool output failed' : 'tool output',
    title: isError ? \`\${name} failed\` : \`\${name} →\`,
    brief: text === '' ? lines : \`\${lines} · \${firstWords(text)}\`,
    text,
  })
}

const folds = new WeakMap()

/** What is inside is made when it is opened for the first time: most of it is never looked at. */
function fold({ kind, title, brief, text, language }) {
  const isThinking = kind === 'thinking'
  const summary = el('summary', {}, el('b', { text: title }), el('span', { class: 'brief', text: brief }))
  const details = el('details', { class: kind, 'data-fold': isThinking ? 'thinking' : 'tool' }, summary)
  const fill = () => {
    if (!details.open || details.children.length > 1) return
    details.append(el('div', { class: 'inside' }, isThinking ? renderMarkdown(text) : longText(text, language)))
  }
  folds.set(details, { text, fill })
  details.addEventListener('toggle', fill)
  details.open = isThinking ? opened.thinking : opened.tools
  fill()
  return details
}

/** Opens what is folded in a message and holds one of the words. */
function openFolds(article, words) {
  for (const details of article.querySelectorAll('details')) {
    const { text, fill } = folds.get(details)
    const said = text.toLowerCase()
    if (!words.some((word) => said.includes(word))) continue
    details.open = true
    fill()
  }
}

function longText(text, language) {
  if (text.length <= MAX_SHOWN) return codeBlock(text, language)
  const box = el('div', {}, codeBlock(text.slice(0, MAX_SHOWN), language))
  const rest = text.length - MAX_SHOWN
  const showAll = () => box.replaceChildren(codeBlock(text, language))
  box.append(el('button', { type: 'button', text: \`Show \${rest.toLocaleString()} more characters\`, onclick: showAll }))
  return box
}

/** \`path=lights.csv limit=20\` rather than JSON. */
function briefInput({ input, language }) {
  if (language !== 'json') return firstWords(input)
  try {
    const value = JSON.parse(input)
    if (typeof value !== 'object' || value === null) return firstWords(input)
    const words = ([key, one]) => \`\${key}=\${typeof one === 'string' ? one : JSON.stringify(one)}\`
    return firstWords(Object.entries(value).slice(0, 6).map(words).join('  '))
  } catch {
    // Not JSON after all: shown as it is.
    return firstWords(input)
  }
}

function firstWords(text) {
  return text.slice(0, 400).replace(/\\s+/g, ' ').trim().slice(0, 160)
}


const ROW = 30
const MAX_GUIDES = 8

/** The tree as rows of one height, of which only those in sight are elements: ten thousand cost as much as fifty. */
function createTreeView({ onSelect, isOnPath, isCurrent, hits }) {
  const box = byId('tree')
  const space = byId('rows')
  let rows = []
  /** The row that the keys move, by node; the run's first node when its run is closed. */
  let cursor = 0
  let drawn = ''

  function build() {
    rows = []
    for (const [index, run] of runs.entries()) {
      if (index === stashFrom) rows.push({ title: \`Stash, \${plural(stashTops.size, 'fragment')}\` })
      const shown = run.open ? run.nodes : run.nodes.slice(0, 1)
      for (const [i, node] of shown.entries()) rows.push({ node, run, isHead: i === 0 })
    }
    space.style.height = \`\${rows.length * ROW}px\`
    draw(true)
  }

  function draw(force) {
    const from = Math.max(0, Math.floor(box.scrollTop / ROW) - 10)
    const to = Math.min(rows.length, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + 10)
    const key = \`\${from}-\${to}\`
    if (!force && key === drawn) return
    drawn = key
    space.replaceChildren(...rows.slice(from, to).map((row, i) => makeRow(row, from + i)))
    box.setAttribute('aria-activedescendant', \`row-\${cursor}\`)
  }

  function makeRow(row, index) {
    const element = row.title === undefined ? nodeRow(row, index) : el('div', { class: 'row title', text: row.title })
    element.style.top = \`\${index * ROW}px\`
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
      id: \`row-\${node}\`,
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
    return \`mark\${begins ? ' begins' : ''}\${ends ? ' ends' : ''}\`
  }

  function guidesOf(run) {
    const guides = []
    for (let at = run.guides; at !== undefined && guides.length < MAX_GUIDES; at = at.up) guides.push(at.node)
    return guides.reverse()
  }

  function toggle(run) {
    const words = run.open ? '▾' : \`+\${run.nodes.length - 1}\`
    return el('button', {
      class: 'toggle',
      type: 'button',
      tabindex: '-1',
      text: words,
      'aria-label': run.open ? 'Close this run' : \`Show \${plural(run.nodes.length - 1, 'more node')}\`,
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


/** So many messages are one section: those out of sight are one empty box to the browser. */
const SECTION = 40
/** Filled in the background up to this many sections, so that the browser's own search finds what they say. */
const MAX_FILLED_AHEAD = 40

/**
 * One branch, from its root to its end, in sections that are filled when they come into sight, so that a branch of ten
 * thousand messages opens like one of ten.
 */
function createConversation({ onSwitch }) {
  const list = byId('conversation')
  let path = []
  /** \`{box, from, to, isFull}\`: the messages of the path in \`[from, to)\`. */
  let sections = []
  const articles = new Map()
  const observer = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (isIntersecting) fill(sections.find((section) => section.box === target))
      }
    },
    { rootMargin: '1500px 0px' },
  )

  function show(leaf) {
    const next = leaf < 0 ? [] : pathTo(leaf)
    let same = 0
    while (same < next.length && next[same] === path[same]) same++
    for (const node of path.slice(same)) articles.delete(node)
    const kept = sections.filter(({ to }) => to <= same)
    const wasFull = sections[kept.length]?.isFull === true
    for (const { box } of sections.slice(kept.length)) {
      observer.unobserve(box)
      box.remove()
    }
    sections = kept
    path = next
    for (let from = kept.at(-1)?.to ?? 0; from < path.length; from += SECTION) {
      const section = { box: el('section'), from, to: Math.min(path.length, from + SECTION), isFull: false }
      section.box.style.containIntrinsicBlockSize = \`auto \${(section.to - from) * 130}px\`
      sections.push(section)
      list.append(section.box)
      observer.observe(section.box)
    }
    // What was on the page stays there, as it was opened and folded.
    if (wasFull || sections.length === 1) fill(sections[kept.length])
    fillAhead()
    return path
  }

  function fill(section) {
    if (section === undefined || section.isFull) return
    section.isFull = true
    observer.unobserve(section.box)
    for (let at = section.from; at < section.to; at++) {
      if (!articles.has(path[at])) articles.set(path[at], makeArticle(path[at], path[at - 1]))
      section.box.append(articles.get(path[at]))
    }
  }

  function makeArticle(node, before) {
    const kind = session.kind[node]
    const article = el('article', { class: kind, id: \`node-\${node}\`, tabindex: '-1' })
    if (before !== undefined && turnOf(session.kind[before]) === turnOf(kind)) article.classList.add('goes-on')
    if (session.flags[node] & MUTED) article.classList.add('muted')
    const body = bodyOf(node)
    article.append(headOf(node, body, article), ...body.parts.map(renderPart))
    if (session.flags[node] & GENERATING) article.append(el('p', { class: 'remark', text: 'Still being generated.' }))
    return article
  }

  function headOf(node, body, article) {
    const head = el('header')
    if (!article.classList.contains('goes-on')) {
      head.append(el('b', { class: 'who', text: body.who }))
      if (body.model !== undefined) head.append(el('span', { class: 'model', text: body.model }))
      const time = session.time[node]
      if (time > 0) head.append(timeOf(time))
    }
    if (labels.has(node)) head.append(el('b', { class: 'label', text: labels.get(node) }))
    if (session.flags[node] & MUTED)
      head.append(el('span', { class: 'badge', text: 'muted: the model does not see this' }))
    if (stashTops.has(node)) head.append(el('span', { class: 'badge', text: 'pruned, in the stash' }))
    const siblings = siblingsOf(node)
    if (siblings.length > 1) head.append(switcher(node, siblings))
    return head
  }

  function switcher(node, siblings) {
    const at = siblings.indexOf(node)
    const step = (by, text, words) =>
      el('button', {
        type: 'button',
        text,
        'aria-label': words,
        disabled: siblings[at + by] === undefined,
        onclick: () => onSwitch(siblings[at + by]),
      })
    const place = el('span', { text: \`\${at + 1} / \${siblings.length}\` })
    const label = \`Branch \${at + 1} of \${siblings.length}\`
    return el(
      'span',
      { class: 'switcher', role: 'group', 'aria-label': label },
      step(-1, '‹', 'Previous branch'),
      place,
      step(1, '›', 'Next branch'),
    )
  }

  let ahead
  function fillAhead() {
    // Not every browser tells when it is idle; there the reader's scrolling fills what is needed.
    if (globalThis.requestIdleCallback === undefined) return
    if (ahead !== undefined) cancelIdleCallback(ahead)
    const go = (deadline) => {
      const next = sections.slice(0, MAX_FILLED_AHEAD).find((section) => !section.isFull)
      ahead = undefined
      if (next === undefined) return
      if (deadline.timeRemaining() > 10) fill(next)
      ahead = requestIdleCallback(go)
    }
    ahead = requestIdleCallback(go)
  }

  function scrollTo(node) {
    const at = path.indexOf(node)
    if (at < 0) return
    // Its neighbours must have their heights, or the place moves away while it is gone to.
    const index = sections.findIndex(({ to }) => at < to)
    for (const section of sections.slice(Math.max(0, index - 1), index + 2)) fill(section)
    const article = articles.get(node)
    for (let times = 0; times < 2; times++) article.scrollIntoView({ block: 'start' })
    article.classList.remove('flash')
    void article.offsetWidth
    article.classList.add('flash')
  }

  return {
    show,
    scrollTo,
    fillAll: () => sections.forEach(fill),
    /** The message so many after another one of this branch. */
    step: (node, by) => path[Math.max(0, Math.min(path.length - 1, path.indexOf(node) + by))],
  }
}

function turnOf(kind) {
  return kind === 'tool' ? 'assistant' : kind
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

function timeOf(ms) {
  const date = new Date(ms)
  return el('time', { datetime: date.toISOString(), text: clock.format(date) })
}


const SLICE_MS = 12

/** Looks through what every node says, a slice of time at a time, so that the page stays awake. */
function createSearch({ onChange, onVisit }) {
  const input = byId('search')
  const status = byId('found')
  const texts = []
  let hits
  let ordered = []
  let at = -1
  let turn = 0

  function textOf(node) {
    if (texts[node] === undefined) {
      const { who, parts } = bodyOf(node)
      const said = parts.map((part) => [part.name, part.text, part.input].filter(Boolean).join('\\n'))
      texts[node] = [who, labels.get(node) ?? '', ...said].join('\\n').toLowerCase()
    }
    return texts[node]
  }

  function words() {
    return input.value.trim().toLowerCase().split(/\\s+/).filter(Boolean)
  }

  async function run() {
    const mine = ++turn
    const wanted = words()
    at = -1
    if (wanted.length === 0) {
      hits = undefined
      ordered = []
      status.textContent = ''
      mark([])
      onChange()
      return
    }
    const found = []
    let started = performance.now()
    for (let node = 0; node < count; node++) {
      if (wanted.every((word) => textOf(node).includes(word))) found.push(node)
      if (performance.now() - started < SLICE_MS) continue
      status.textContent = \`\${Math.round((node / count) * 100)} %\`
      await new Promise((resume) => setTimeout(resume))
      if (mine !== turn) return
      started = performance.now()
    }
    ordered = found
    hits = new Set(found)
    tell()
    mark(wanted)
    onChange()
  }

  function tell() {
    if (ordered.length === 0) status.textContent = 'nothing found'
    else status.textContent = at < 0 ? \`\${ordered.length} found\` : \`\${at + 1} of \${ordered.length}\`
  }

  function visit(by) {
    if (ordered.length === 0) return
    at = (at + by + ordered.length + (at < 0 && by < 0 ? 1 : 0)) % ordered.length
    tell()
    onVisit(ordered[at], words())
    mark(words())
  }

  let wait
  let isLate = false
  async function runNow() {
    clearTimeout(wait)
    isLate = false
    await run()
  }
  async function enter(by) {
    if (isLate) await runNow()
    visit(by)
  }
  input.addEventListener('input', () => {
    clearTimeout(wait)
    isLate = true
    wait = setTimeout(runNow, 100)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') enter(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') {
      input.value = ''
      input.blur()
      runNow()
    } else return
    event.preventDefault()
  })
  byId('previous').addEventListener('click', () => visit(-1))
  byId('next').addEventListener('click', () => visit(1))
  byId('search-form').addEventListener('submit', (event) => event.preventDefault())
  return { hits: () => hits, focus: () => input.select() }
}

const MAX_MARKS = 500

/** Marks words in what is on the page, without touching its elements, where the browser can do that. */
function mark(words) {
  if (globalThis.CSS?.highlights === undefined) return
  const ranges = []
  const walker = document.createTreeWalker(byId('conversation'), NodeFilter.SHOW_TEXT)
  while (words.length > 0 && ranges.length < MAX_MARKS && walker.nextNode()) {
    const text = walker.currentNode.data.toLowerCase()
    // A few letters get longer when they get small; then places in the one are not places in the other.
    if (text.length !== walker.currentNode.length) continue
    for (const word of words) {
      for (
        let from = text.indexOf(word);
        from >= 0 && ranges.length < MAX_MARKS;
        from = text.indexOf(word, from + word.length)
      ) {
        const range = new Range()
        range.setStart(walker.currentNode, from)
        range.setEnd(walker.currentNode, from + word.length)
        ranges.push(range)
      }
    }
  }
  CSS.highlights.set('found', new Highlight(...ranges))
}


document.documentElement.classList.add('live')
let onPath = new Set()
let current = session.leaf

const conversation = createConversation({ onSwitch: (node) => goTo(node) })
const search = createSearch({
  onChange: () => tree.refresh(),
  onVisit: (node, words) => {
    goTo(node, { reveal: true })
    openFolds(byId(\`node-\${node}\`), words)
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
    history.replaceState(null, '', \`#\${encodeURIComponent(session.ids[node])}\`)
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
  const plurals = [plural(count, 'node'), branches === 1 ? '1 branch' : \`\${branches.toLocaleString()} branches\`]
  byId('facts').textContent = [...plurals, when, session.cwd].filter(Boolean).join(' · ')
}

function setFold(kind, isOpen) {
  opened[kind] = isOpen
  const name = kind === 'tools' ? 'tool' : 'thinking'
  for (const details of document.querySelectorAll(\`details[data-fold="\${name}"]\`)) details.open = isOpen
}

for (const kind of ['tools', 'thinking']) {
  const box = byId(\`open-\${kind}\`)
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
})()
`

export const pageStyle = `/* biome-ignore-all lint/style/noDescendingSpecificity: rules are ordered by what they are about, not by weight. */
:root {
  color-scheme: light dark;
  --ground: #fcfcfa;
  --panel: #f5f6f2;
  --raised: #ffffff;
  --line: #e0e3dc;
  --text: #1c2420;
  --soft: #66716b;
  --accent: #1c7a57;
  --accent-soft: #e2f1ea;
  --warn: #b3402a;
  --label: #8a5a00;
  --label-ground: #fdf0d4;
  --found: #ffe08a;
  --code: #f2f4ef;
  --mono: ui-monospace, "SF Mono", "JetBrains Mono", Menlo, Consolas, monospace;
  --top: 3.5rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #111513;
    --panel: #161b18;
    --raised: #1b211e;
    --line: #2a322d;
    --text: #e3e9e5;
    --soft: #94a19a;
    --accent: #5fc99e;
    --accent-soft: #1b3329;
    --warn: #f08a74;
    --label: #f0c878;
    --label-ground: #3a2f16;
    --found: #6b5412;
    --code: #1a201d;
  }
}
* {
  box-sizing: border-box;
}
html {
  scroll-padding-top: calc(var(--top) + 1rem);
}
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font:
    15px / 1.6 system-ui,
    -apple-system,
    "Segoe UI",
    Roboto,
    "Helvetica Neue",
    sans-serif;
  overflow-wrap: anywhere;
}
button,
input {
  font: inherit;
  color: inherit;
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}
a {
  color: var(--accent);
}

#top {
  position: fixed;
  inset: 0 0 auto;
  z-index: 3;
  height: var(--top);
  display: flex;
  align-items: center;
  gap: 1rem;
  padding: 0 1rem;
  background: var(--panel);
  border-bottom: 1px solid var(--line);
}
#top h1 {
  margin: 0;
  font-size: 1rem;
  font-weight: 650;
  line-height: 1.3;
}
#top h1,
#facts {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
#about {
  flex: 1 1 12rem;
  min-width: 0;
}
#facts {
  margin: 0;
  color: var(--soft);
  font-size: 0.8rem;
  line-height: 1.3;
}
#search-form {
  display: flex;
  align-items: center;
  gap: 0.35rem;
  flex: 0 1 28rem;
  min-width: 9rem;
}
#search {
  flex: 1;
  min-width: 0;
  height: 2.1rem;
  padding: 0 0.7rem;
  border: 1px solid var(--line);
  border-radius: 7px;
  background: var(--raised);
}
#found {
  color: var(--soft);
  font-size: 0.8rem;
  white-space: nowrap;
  min-width: 5.5rem;
  padding-right: 0.3rem;
  text-align: right;
}
#top button {
  height: 2.1rem;
  min-width: 2.1rem;
  padding: 0 0.5rem;
  border: 1px solid transparent;
  border-radius: 7px;
  background: none;
  cursor: pointer;
}
#top button:hover {
  background: var(--raised);
  border-color: var(--line);
}
#top #tree-button {
  display: none;
  border-color: var(--line);
}

#side {
  position: fixed;
  top: var(--top);
  bottom: 0;
  left: 0;
  z-index: 2;
  width: 21.5rem;
  display: flex;
  flex-direction: column;
  background: var(--panel);
  border-right: 1px solid var(--line);
}
#tree {
  flex: 1;
  overflow: auto;
  overscroll-behavior: contain;
  padding: 0.5rem 0;
}
#tree:focus-visible {
  outline-offset: -2px;
}
#rows {
  position: relative;
}
.row {
  position: absolute;
  left: 0.6rem;
  right: 0.6rem;
  height: 30px;
  display: flex;
  align-items: center;
  gap: 0.4rem;
  padding-right: 0.3rem;
  border-radius: 6px;
  font-size: 0.84rem;
  line-height: 30px;
  color: var(--soft);
  cursor: pointer;
  user-select: none;
}
.row:hover {
  background: var(--raised);
}
.row.on {
  color: var(--text);
}
.row.current {
  background: var(--accent-soft);
}
#tree:focus-visible .row.cursor {
  box-shadow: inset 0 0 0 1.5px var(--accent);
}
.row.dim :is(.words, .label, .toggle) {
  opacity: 0.3;
}
.row .words {
  flex: 1;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.row.user .words {
  font-weight: 550;
}
.row.tool .words,
.row.system .words {
  font-family: var(--mono);
  font-size: 0.75rem;
}
.row.muted .words {
  text-decoration: line-through;
  text-decoration-thickness: 1px;
}
.row.stash {
  font-style: italic;
}
.row.title {
  cursor: default;
  padding: 0.35rem 0.5rem 0;
  font-size: 0.7rem;
  font-weight: 650;
  letter-spacing: 0.06em;
  text-transform: uppercase;
}
.row.title:hover {
  background: none;
}
.guide,
.mark {
  position: relative;
  flex: none;
  align-self: stretch;
  width: 18px;
  margin-right: -0.4rem;
}
.mark {
  width: 22px;
  margin-right: -0.1rem;
}
.guide::before,
.mark::before {
  content: "";
  position: absolute;
  left: 10px;
  top: 0;
  bottom: 0;
  border-left: 2px solid var(--line);
}
.guide::before {
  z-index: 1;
}
.guide.on::before,
.row.on .mark::before {
  border-color: var(--accent);
}
.guide.elbow::after {
  content: "";
  position: absolute;
  left: 10px;
  top: 0;
  width: 19px;
  height: 15px;
  border: 2px solid var(--line);
  border-width: 0 0 2px 2px;
  border-bottom-left-radius: 8px;
}
.row.on .guide.elbow::after {
  z-index: 2;
  border-color: var(--accent);
}
.mark.begins::before {
  top: 15px;
}
.mark.ends::before {
  bottom: 15px;
}
.mark::after {
  content: "";
  position: absolute;
  left: 6px;
  top: 10px;
  width: 10px;
  height: 10px;
  border-radius: 50%;
  background: var(--panel);
  border: 2px solid var(--soft);
}
.row.on .mark::after {
  border-color: var(--accent);
}
.row.user .mark::after {
  background: var(--soft);
}
.row.user.on .mark::after {
  background: var(--accent);
}
.row.tool .mark::after,
.row.system .mark::after {
  left: 8px;
  top: 12px;
  width: 6px;
  height: 6px;
  background: var(--line);
}
.row.summary .mark::after {
  border-radius: 2px;
  transform: rotate(45deg);
}
.row.muted .mark::after {
  background: var(--panel);
  border-style: dotted;
}
.label {
  flex: none;
  max-width: 10rem;
  overflow: hidden;
  text-overflow: ellipsis;
  padding: 0 0.45rem;
  border-radius: 5px;
  background: var(--label-ground);
  color: var(--label);
  font-size: 0.72rem;
  font-weight: 600;
  line-height: 1.5;
  white-space: nowrap;
}
.found,
.toggle {
  flex: none;
  border: 0;
  border-radius: 5px;
  background: none;
  padding: 0 0.35rem;
  color: var(--soft);
  font-size: 0.75rem;
  line-height: 1.5;
  font-variant-numeric: tabular-nums;
}
.toggle {
  cursor: pointer;
}
[aria-expanded="true"] > .toggle {
  opacity: 0.5;
}
.toggle:hover {
  background: var(--line);
  color: var(--text);
}
.found {
  background: var(--found);
  color: var(--text);
}
#folds {
  display: flex;
  flex-wrap: wrap;
  gap: 0.2rem 1rem;
  padding: 0.6rem 1rem;
  border-top: 1px solid var(--line);
  color: var(--soft);
  font-size: 0.8rem;
}
#folds label {
  display: flex;
  align-items: center;
  gap: 0.4rem;
  cursor: pointer;
}
#folds input {
  accent-color: var(--accent);
}
#folds kbd {
  padding: 0 0.3rem;
  border: 1px solid var(--line);
  border-radius: 4px;
  font: 0.72rem var(--mono);
}

main {
  padding: calc(var(--top) + 1.5rem) 2rem 4rem;
}
.live main {
  margin-left: 21.5rem;
}
#conversation,
#foot,
noscript > * {
  max-width: 50rem;
  margin-inline: auto;
}
#conversation > section {
  content-visibility: auto;
  /* Room for shadows and outlines, which end where a section ends. */
  padding: 0.2rem;
  margin: -0.2rem;
}
article {
  position: relative;
  margin: 1.6rem 0 0;
  padding: 0 1rem;
  border-radius: 10px;
  outline: none;
}
section:first-child > article:first-child {
  margin-top: 0;
}
article.goes-on {
  margin-top: 0.5rem;
}
article.goes-on > header:empty {
  display: none;
}
article.user {
  padding: 0.8rem 1rem 0.9rem;
  background: var(--raised);
  box-shadow:
    0 0 0 1px var(--line),
    0 1px 3px rgb(0 0 0 / 0.04);
}
article.user.goes-on {
  margin-top: 1rem;
}
article.summary,
article.system,
article.other {
  padding: 0.8rem 1rem;
  border: 1px dashed var(--line);
}
article.muted > :not(header) {
  opacity: 0.42;
}
article.flash {
  animation: flash 1.2s ease-out;
}
@keyframes flash {
  from {
    box-shadow: 0 0 0 3px var(--accent);
  }
}
@media (prefers-reduced-motion: reduce) {
  article.flash {
    animation: none;
  }
}
article > header {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.2rem 0.6rem;
  margin-bottom: 0.25rem;
  font-size: 0.8rem;
  color: var(--soft);
}
.who {
  color: var(--text);
  font-size: 0.85rem;
}
article.user .who {
  color: var(--accent);
}
.model {
  font-family: var(--mono);
  font-size: 0.75rem;
}
.badge {
  padding: 0 0.45rem;
  border: 1px solid var(--line);
  border-radius: 5px;
  font-size: 0.72rem;
}
.switcher {
  display: inline-flex;
  align-items: center;
  margin-left: auto;
  border: 1px solid var(--line);
  border-radius: 7px;
  font-variant-numeric: tabular-nums;
}
.switcher button {
  min-width: 1.9rem;
  height: 1.6rem;
  border: 0;
  border-radius: 6px;
  background: none;
  font-size: 1rem;
  line-height: 1;
  cursor: pointer;
}
.switcher button:hover:enabled {
  background: var(--accent-soft);
}
.switcher button:disabled {
  opacity: 0.3;
  cursor: default;
}
.prose > :first-child {
  margin-top: 0;
}
.prose > :last-child {
  margin-bottom: 0;
}
.prose + .prose {
  margin-top: 0.8rem;
}
p,
ul,
ol,
blockquote,
pre,
.table {
  margin: 0.7em 0;
}
h3,
h4,
h5,
h6 {
  margin: 1.2em 0 0.4em;
  line-height: 1.3;
  font-size: 1rem;
}
h3 {
  font-size: 1.2rem;
}
h4 {
  font-size: 1.08rem;
}
ul,
ol {
  padding-left: 1.5rem;
}
li {
  margin: 0.2em 0;
}
li > p {
  margin: 0.3em 0;
}
blockquote {
  padding-left: 1rem;
  border-left: 3px solid var(--line);
  color: var(--soft);
}
hr {
  border: 0;
  border-top: 1px solid var(--line);
}
code,
pre {
  font-family: var(--mono);
  font-size: 0.84em;
}
:not(pre) > code {
  padding: 0.12em 0.35em;
  border-radius: 4px;
  background: var(--code);
}
pre {
  position: relative;
  padding: 0.75rem 0.9rem;
  overflow: auto;
  max-height: 32rem;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--code);
  line-height: 1.5;
  overflow-wrap: normal;
  tab-size: 2;
}
pre code {
  font-size: 1em;
}
pre.plain,
.inside pre {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
pre[data-language]::after {
  content: attr(data-language);
  position: absolute;
  top: 0.35rem;
  right: 0.6rem;
  color: var(--soft);
  font-size: 0.72rem;
}
.table {
  overflow-x: auto;
}
table {
  border-collapse: collapse;
  font-size: 0.9em;
}
th,
td {
  padding: 0.3rem 0.7rem;
  border: 1px solid var(--line);
  text-align: left;
  vertical-align: top;
}
th {
  background: var(--panel);
}
img {
  display: block;
  max-width: 100%;
  max-height: 32rem;
  min-width: 1.5rem;
  min-height: 1.5rem;
  margin: 0.7em 0;
  border: 1px solid var(--line);
  border-radius: 8px;
}
.remark {
  color: var(--soft);
  font-size: 0.88rem;
  font-style: italic;
}
details {
  margin: 0.35rem 0;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--panel);
  font-size: 0.88rem;
}
summary {
  display: flex;
  align-items: center;
  gap: 0.6rem;
  padding: 0.3rem 0.7rem;
  cursor: pointer;
  list-style: none;
}
summary::-webkit-details-marker {
  display: none;
}
summary::before {
  content: "";
  flex: none;
  width: 0.4rem;
  height: 0.4rem;
  border: solid var(--soft);
  border-width: 0 1.5px 1.5px 0;
  transform: rotate(-45deg);
  transition: transform 0.12s;
}
details[open] > summary::before {
  transform: rotate(45deg);
}
summary b {
  flex: none;
  max-width: 60%;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  font-family: var(--mono);
  font-size: 0.8rem;
  font-weight: 600;
}
.brief {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  color: var(--soft);
  font-size: 0.8rem;
}
.output summary b {
  font-weight: 450;
  color: var(--soft);
}
.failed summary b {
  color: var(--warn);
}
.thinking {
  border-style: dashed;
  background: none;
}
.thinking summary b {
  font-family: inherit;
  font-weight: 500;
  color: var(--soft);
}
.inside {
  padding: 0 0.7rem 0.6rem;
}
.thinking .inside {
  color: var(--soft);
}
.inside > :first-child {
  margin-top: 0.3rem;
}
.inside pre {
  margin: 0.3rem 0 0;
}
.inside button {
  margin-top: 0.5rem;
  border: 1px solid var(--line);
  border-radius: 7px;
  background: var(--raised);
  padding: 0.2rem 0.7rem;
  cursor: pointer;
}
::highlight(found) {
  background: var(--found);
}
#foot {
  margin-top: 3.5rem;
  padding-top: 1rem;
  border-top: 1px solid var(--line);
  color: var(--soft);
  font-size: 0.8rem;
}
#veil {
  display: none;
}
html:not(.live) :is(#side, #search-form, #tree-button) {
  display: none;
}
noscript pre {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  max-height: none;
}
noscript .said {
  white-space: pre-wrap;
}

@media (max-width: 60rem) {
  .live main {
    margin-left: 0;
  }
  main {
    padding-inline: 0.75rem;
  }
  #top {
    gap: 0.5rem;
    padding: 0 0.75rem;
  }
  #top #tree-button {
    display: block;
  }
  #side {
    width: min(23rem, 88vw);
    transform: translateX(-101%);
    visibility: hidden;
    transition:
      transform 0.18s,
      visibility 0.18s;
  }
  .tree-open #side {
    transform: none;
    visibility: visible;
  }
  .tree-open #veil {
    display: block;
    position: fixed;
    inset: var(--top) 0 0;
    z-index: 1;
    background: rgb(0 0 0 / 0.35);
  }
  #found {
    order: 1;
    min-width: 0;
  }
  #found:empty,
  #found:empty ~ button {
    display: none;
  }
  #found ~ button {
    order: 2;
  }
  article {
    padding: 0 0.4rem;
  }
  #folds kbd,
  #folds .keys {
    display: none;
  }
}
@media (max-width: 34rem) {
  :root {
    --top: 6rem;
  }
  #top {
    flex-wrap: wrap;
    align-content: center;
    gap: 0.35rem 0.5rem;
  }
  #about {
    flex-basis: 60%;
  }
  #search-form {
    flex: 1 0 100%;
  }
}
@media print {
  #top {
    position: static;
    border: 0;
    height: auto;
    background: none;
  }
  .live :is(#side, #search-form, #top #tree-button, .switcher) {
    display: none;
  }
  .live main,
  main {
    margin: 0;
    padding: 0;
  }
  #conversation > section {
    content-visibility: visible;
  }
  article.user {
    break-after: avoid;
    box-shadow: none;
    border: 1px solid #ccc;
  }
  pre {
    max-height: none;
    white-space: pre-wrap;
  }
}
`
