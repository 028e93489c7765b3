import { routes } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { EXPORT_FORMATS, exportUrl, FINAL_VERSION } from './export-choice.ts'

test('T43 the first offer is the trunk without what is muted, to be read', () => {
  expect(exportUrl('s1', FINAL_VERSION)).toBe(
    '/api/chat/sessions/s1/export?format=markdown&scope=trunk&enabledOnly=true',
  )
})

test('what the server refuses is not asked for: a whole log without what is muted', () => {
  expect(exportUrl('s1', { format: 'jsonl', scope: 'tree', enabledOnly: true })).not.toContain('enabledOnly')
})

test('every format and scope is one the server knows, and an id cannot leave its place', () => {
  for (const format of EXPORT_FORMATS) {
    for (const scope of ['trunk', 'tree'] as const) {
      const url = new URL(exportUrl('a/../b', { format, scope, enabledOnly: true }), 'http://x')
      expect(url.pathname).toBe('/api/chat/sessions/a%2F..%2Fb/export')
      expect(() => routes.exportSession.query.parse(Object.fromEntries(url.searchParams))).not.toThrow()
    }
  }
})
