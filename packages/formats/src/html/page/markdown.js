import { el } from './dom.js'
import { appendInline } from './inline.js'

const FENCE = /^( {0,12})(`{3,}|~{3,})\s*([\w+#.-]{0,40})/
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/
const ITEM = /^( {0,12})(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/
const TABLE_RULE = /^ {0,3}\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$/
/** A longer text is no prose. */
const MAX_PROSE = 200_000

/** A small Markdown, as elements: paragraphs, headings, lists, quotes, tables, code. It knows no HTML. */
export function renderMarkdown(text) {
  const root = el('div', { class: 'prose' })
  if (text.length > MAX_PROSE) root.append(el('pre', { class: 'plain', text }))
  else renderBlocks(root, text.split('\n'), 0)
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
    parent.append(appendInline(el(`h${Math.min(6, heading[1].length + 2)}`), heading[2].replace(/\s+#+\s*$/, '')))
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
  parent.append(codeBlock(code.join('\n'), language))
  return end + 1
}

export function codeBlock(text, language = '') {
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
  const cells = (line) => line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|')
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
