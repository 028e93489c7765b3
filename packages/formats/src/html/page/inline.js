import { el } from './dom.js'

const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:)/i
/** How far ahead the other end of a pair is looked for, so that a text of openings alone costs little. */
const REACH = 2000
const MARK = /[`*_~[\\]|https?:\/\//g

/** The words of a paragraph: code, strong, emphasis, deleted, links. What is none of them is text. */
export function appendInline(parent, text, depth = 0) {
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
  if (char === '`') return readCode(text, at)
  if (char === '[') return readLink(text, at)
  if (char === 'h') return readAddress(text, at)
  if (char === '\\') return /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '') ? said(2, text[at + 1]) : undefined
  return readPair(text, at)
}

function said(length, text) {
  return { length, make: () => document.createTextNode(text) }
}

function readCode(text, at) {
  const run = /^`+/.exec(text.slice(at, at + 20))[0]
  const window = text.slice(at + run.length, at + REACH)
  for (let end = window.indexOf(run); end >= 0; end = window.indexOf(run, end + 1)) {
    if (window[end - 1] === '`' || window[end + run.length] === '`') continue
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
  if (/\s/.test(next) || (text[at] === '_' && /\w/.test(before))) return undefined
  const window = text.slice(at + marks.length, at + REACH)
  const end = window.indexOf(marks)
  if (end <= 0 || /\s/.test(window[end - 1])) return undefined
  if (marks[0] === '_' && /\w/.test(window[end + marks.length] ?? ' ')) return undefined
  const tag = marks === '~~' ? 's' : marks.length === 2 ? 'strong' : 'em'
  const inner = window.slice(0, end)
  return { length: end + marks.length * 2, make: (depth) => appendInline(el(tag), inner, depth) }
}

function readLink(text, at) {
  const found = /^\[([^\]\n]{0,500})\]\(\s{0,4}([^()\s]{1,2000})(?:\s{1,4}"[^"\n]{0,200}")?\s{0,4}\)/.exec(
    text.slice(at, at + 2800),
  )
  if (found === null) return undefined
  const [all, words, address] = found
  // What leads anywhere else is shown as it was written.
  if (!SAFE_ADDRESS.test(address)) return said(all.length, all)
  return { length: all.length, make: (depth) => appendInline(link(address), words === '' ? address : words, depth) }
}

function readAddress(text, at) {
  if (/\w/.test(text[at - 1] ?? ' ')) return undefined
  const address = /^https?:\/\/[^\s<>"'`|\\^{}[\]]{1,2000}/
    .exec(text.slice(at, at + 2010))?.[0]
    .replace(/[.,;:!?)*_]+$/, '')
  if (address === undefined || address.length < 9) return undefined
  return { length: address.length, make: () => link(address, address) }
}

function link(address, words) {
  return el('a', { href: address, rel: 'noopener noreferrer nofollow', target: '_blank', text: words })
}
