import { bodyOf, GENERATING, labels, MUTED, pathTo, session, siblingsOf, stashTops } from './data.js'
import { byId, el } from './dom.js'
import { renderPart } from './parts.js'

/** So many messages are one section: those out of sight are one empty box to the browser. */
const SECTION = 40
/** Filled in the background up to this many sections, so that the browser's own search finds what they say. */
const MAX_FILLED_AHEAD = 40

/**
 * One branch, from its root to its end, in sections that are filled when they come into sight, so that a branch of ten
 * thousand messages opens like one of ten.
 */
export function createConversation({ onSwitch }) {
  const list = byId('conversation')
  let path = []
  /** `{box, from, to, isFull}`: the messages of the path in `[from, to)`. */
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
      section.box.style.containIntrinsicBlockSize = `auto ${(section.to - from) * 130}px`
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
    const article = el('article', { class: kind, id: `node-${node}`, tabindex: '-1' })
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
    const place = el('span', { text: `${at + 1} / ${siblings.length}` })
    const label = `Branch ${at + 1} of ${siblings.length}`
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
