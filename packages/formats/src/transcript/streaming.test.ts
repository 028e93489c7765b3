import { openMemoryStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { htmlWriter } from '../html/write.ts'
import { jsonWriter } from '../json/write.ts'
import { jsonlWriter } from '../jsonl/write.ts'
import { markdownWriter } from '../markdown/write.ts'

test.each([htmlWriter, jsonWriter, jsonlWriter, markdownWriter])(
  '$name is given away in small pieces, in order, waiting for each',
  async (writer) => {
    await using store = await openMemoryStore()
    const entries = Array.from({ length: 1200 }, (_, i) => ({
      type: 'message',
      id: `n${i}`,
      parentId: i === 0 ? null : `n${i - 1}`,
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { role: i % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text: `word${i} `.repeat(100) }] },
    }))
    await using session = await store.create({ cwd: '/p', entries })
    let open = 0
    let longest = 0
    let text = ''
    const sink = async (piece: string) => {
      expect(++open).toBe(1)
      longest = Math.max(longest, piece.length)
      text += piece
      await Promise.resolve()
      open--
    }
    await writer.write(session, sink, {})
    expect(text.length).toBeGreaterThan(900_000)
    // The page's tree of previews is one piece; everything else is far smaller than the session.
    expect(longest).toBeLessThan(400_000)
    expect(text.indexOf('word2 ')).toBeLessThan(text.indexOf('word1198 '))
  },
)
