import type { OpenApi, Operation } from '@treeline/protocol'
import { makePage, type Page } from '../door/page.ts'
import { escapeHtml, sentence } from './html.ts'
import { methodHtml, operationHtml } from './operation-html.ts'
import { STYLE } from './style.ts'
import { typeText } from './type-text.ts'

interface Placed {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** The document as a page to read, without a script. */
export function docsPage(document: OpenApi): Page {
  const placed: readonly Placed[] = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = document.tags.map((tag) => ({
    ...tag,
    placed: placed.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const nav = groups.map(({ name, placed: all }) => `<h2>${name}</h2><ul>${all.map(navItem).join('')}</ul>`)
  const sections = groups.map(
    ({ name, description, placed: all }) =>
      `<section id="${name}"><h2>${name}</h2><p>${sentence(description)}</p>` +
      `${all.map(({ method, path, operation }) => operationHtml(method, path, operation)).join('')}</section>`,
  )
  const more =
    '<h2>More</h2><ul><li><a href="#socket">The WebSocket</a><li><a href="#problems">Problems</a><li><a href="#types">Types</a></ul>'
  const body = [
    `<p class="lead">${escapeHtml(document.info.summary)}</p>`,
    `<nav aria-label="Operations">${nav.join('')}${more}</nav>`,
    `<main>${INTRODUCTION}${sections.join('')}`,
    socketHtml(placed),
    problemsHtml(document),
    typesHtml(document),
    '</main>',
  ]
  return makePage('en', `The API of ${document.info.title}`, body.join('\n'), STYLE)
}

const INTRODUCTION =
  '<section><p>Programs send <code>Authorization: Bearer …</code> with a token of the scope that an operation names; ' +
  '<code>treeline token create NAME</code> makes one. Everything is JSON in UTF-8. Every answer about a session has its ' +
  'version as <code>ETag: "v42"</code>; a change with that <code>baseVersion</code> is refused when what it is about has ' +
  'changed since. Fields that are not named here are refused in requests, and may be more in answers. ' +
  'A request that is sent again with the same id gives what there is.</p>' +
  '<p>For programs: <a href="/api/chat/openapi.json">the same as an OpenAPI 3.1 document</a>.</p></section>'

function navItem({ method, path, operation }: Placed): string {
  const short = path.replace(/^\/api\/chat/, '').replace(/\{sessionId\}/, '…')
  return `<li><a href="#${operation.operationId}">${methodHtml(method)} ${escapeHtml(short)}</a></li>`
}

function socketHtml(placed: readonly Placed[]): string {
  const found = placed.flatMap(({ operation }) => operation['x-websocket'] ?? [])
  return found
    .map(({ subprotocol, clientFrame, serverFrame, closeCodes }) => {
      const codes = Object.entries(closeCodes).map(
        ([name, code]) =>
          `<tr><th scope="row">${code}</th><td>${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}</td></tr>`,
      )
      return (
        `<section id="socket"><h2>The WebSocket</h2><p>Subprotocol <code>${subprotocol}</code>; one JSON text per frame. ` +
        'Say <code>hello</code> first, then <code>subscribe</code> with the last sequence number that is known: all durable ' +
        'events after it come in order and without gaps, then what happens. Text of answers comes without a number and ' +
        'with its offset.</p>' +
        `<div class="io"><span>sent</span><pre>${typeText(clientFrame)}</pre></div>` +
        `<div class="io"><span>received</span><pre>${typeText(serverFrame)}, with <a href="#type-DurableEvent">events</a></pre></div>` +
        `<h3>Why it was closed</h3><table>${codes.join('')}</table></section>`
      )
    })
    .join('')
}

function problemsHtml({ 'x-problems': problems }: OpenApi): string {
  const statuses = [...new Set(problems.map(({ status }) => status))].sort((a, b) => a - b)
  const rows = statuses.map((status) => {
    const codes = problems.filter((problem) => problem.status === status).map(({ code }) => `<code>${code}</code>`)
    return `<tr><th scope="row">${status}</th><td>${codes.join(' ')}</td></tr>`
  })
  return (
    '<section id="problems"><h2>Problems</h2><p>What is refused is answered with <code>application/problem+json</code>, a ' +
    '<a href="#type-Problem">Problem</a>. Go by its <code>code</code>, and by the status where the code is new to you. ' +
    'A request that has not the shape that is named here is 400 <code>validation_failed</code>; one that has it and ' +
    `cannot be done, 422.</p><table>${rows.join('')}</table></section>`
  )
}

function typesHtml({ components }: OpenApi): string {
  const types = Object.entries(components.schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      const about = typeof schema.description === 'string' ? `<p>${sentence(schema.description)}</p>` : ''
      return `<article id="type-${name}"><h3>${name}</h3>${about}<pre>${typeText(schema).trimStart()}</pre></article>`
    })
  return `<section id="types"><h2>Types</h2>${types.join('')}</section>`
}
