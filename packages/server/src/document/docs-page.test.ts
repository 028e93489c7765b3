import { buildOpenApi, doorRoutes, routes } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { docsPage } from './docs-page.ts'
import { typeText } from './type-text.ts'

const document = buildOpenApi({ version: '1' })
const { html, headers } = docsPage(document)
const seen = html.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, '')

test('every operation, type, problem code, frame and event is on the page', () => {
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const types = Object.keys(document.components.schemas).map((name) => `type-${name}`)
  for (const id of [...Object.keys({ ...routes, ...doorRoutes }), ...types]) expect(ids).toContain(id)
  for (const { code } of document['x-problems']) expect(html).toContain(`<code>${code}</code>`)
  for (const word of ['snapshot_required', 'subscribe_list', 'node.content.snapshot', 'tree.grafted', '4008']) {
    expect(seen).toContain(word)
  }
})

test('its links lead somewhere', () => {
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.length).toBeGreaterThan(200)
  expect(links.filter((id) => !ids.has(id))).toEqual([])
})

test('K2 it needs no script and nothing from elsewhere', () => {
  expect(html).not.toMatch(/<script|<link|<img| on\w+=|url\(|https?:/)
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*';/)
})

test('types read as one would write them', () => {
  const words = (schema: object): string => typeText({ ...schema }).replace(/<[^>]*>/g, '')
  expect(words({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('string | null')
  expect(words({ type: 'array', items: { enum: ['a', 'b'] } })).toBe('(&#34;a&#34; | &#34;b&#34;)[]')
  expect(words({ type: 'object', properties: { a: { type: 'integer' } }, required: [] })).toBe('{ a?: integer }')
  const shared = { type: { type: 'string' }, seq: { type: 'integer' } }
  const choice = (name: string) => ({ type: 'object', properties: { ...shared, [name]: { type: 'null' } } })
  expect(words({ oneOf: ['x', 'y', 'z'].map(choice) })).toBe(
    '{ type?: string, seq?: integer } and one of\n| { x?: null }\n| { y?: null }\n| { z?: null }',
  )
  expect(words({ const: '<b>"&' })).toBe('&#34;&#60;b&#62;\\&#34;&#38;&#34;')
})
