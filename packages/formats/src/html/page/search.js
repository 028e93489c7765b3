import { bodyOf, count, labels } from './data.js'
import { byId } from './dom.js'

const SLICE_MS = 12

/** Looks through what every node says, a slice of time at a time, so that the page stays awake. */
export function createSearch({ onChange, onVisit }) {
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
      const said = parts.map((part) => [part.name, part.text, part.input].filter(Boolean).join('\n'))
      texts[node] = [who, labels.get(node) ?? '', ...said].join('\n').toLowerCase()
    }
    return texts[node]
  }

  function words() {
    return input.value.trim().toLowerCase().split(/\s+/).filter(Boolean)
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
      status.textContent = `${Math.round((node / count) * 100)} %`
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
    else status.textContent = at < 0 ? `${ordered.length} found` : `${at + 1} of ${ordered.length}`
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
