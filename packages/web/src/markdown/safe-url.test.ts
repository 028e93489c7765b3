import { expect, test } from 'vitest'
import { readDataPicture, safeLink } from './safe-url.ts'

test.each([
  ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
  ['HTTP://example.org', 'http://example.org/'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
])('%s may be followed', (url, href) => expect(safeLink(url)).toBe(href))

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.org/1',
  '/api/chat/tokens',
  '//example.org',
  '#top',
  '',
])('%s may not', (url) => expect(safeLink(url)).toBeUndefined())

test('pictures are those that are in the text, of types that cannot run anything', () => {
  expect(readDataPicture('data:image/png;base64,AAAA')).toEqual({ mimeType: 'image/png', base64: 'AAAA' })
  for (const url of [
    'https://example.org/a.png',
    'data:image/svg+xml;base64,AAAA',
    'data:text/html;base64,AAAA',
    'data:image/png,<svg>',
  ]) {
    expect(readDataPicture(url), url).toBeUndefined()
  }
})
