import { el, plural } from './dom.js'
import { codeBlock, renderMarkdown } from './markdown.js'

/** More than this of one output is shown when it is asked for. */
const MAX_SHOWN = 50_000

/** Which folded things are open from the start, as the reader has set it. */
export const opened = { tools: false, thinking: false }

export function renderPart(part) {
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
        ? el('p', { class: 'remark', text: `[${part.words}]` })
        : el('img', { src: part.src, alt: part.words, loading: 'lazy' })
    default:
      return el('p', { class: 'remark', text: part.text })
  }
}

function renderOutput({ name, text, isError }) {
  const lines = text === '' ? 'empty' : plural(text.split('\n').length, 'line')
  return fold({
    kind: isError ? 'tool output failed' : 'tool output',
    title: isError ? `${name} failed` : `${name} →`,
    brief: text === '' ? lines : `${lines} · ${firstWords(text)}`,
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
export function openFolds(article, words) {
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
  box.append(el('button', { type: 'button', text: `Show ${rest.toLocaleString()} more characters`, onclick: showAll }))
  return box
}

/** `path=lights.csv limit=20` rather than JSON. */
function briefInput({ input, language }) {
  if (language !== 'json') return firstWords(input)
  try {
    const value = JSON.parse(input)
    if (typeof value !== 'object' || value === null) return firstWords(input)
    const words = ([key, one]) => `${key}=${typeof one === 'string' ? one : JSON.stringify(one)}`
    return firstWords(Object.entries(value).slice(0, 6).map(words).join('  '))
  } catch {
    // Not JSON after all: shown as it is.
    return firstWords(input)
  }
}

function firstWords(text) {
  return text.slice(0, 400).replace(/\s+/g, ' ').trim().slice(0, 160)
}
