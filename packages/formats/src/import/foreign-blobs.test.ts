import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { loadWriter } from '../registry.ts'
import { makeTempFolder, toText } from '../testing/temp-folder.ts'
import { importSession } from './import-session.ts'

const AT = '2026-01-01T00:00:00.000Z'

test("K3 text that names a blob of another session stays text, wherever in another tool's file it stands", async () => {
  using temp = makeTempFolder()
  await using store = await openFileStore({ home: temp.home })
  const ref = await store.putBlob(Buffer.from('secret'.repeat(400)))
  const places = { data: ref, image_url: ref, result: ref, image: { type: 'image', data: ref, mimeType: 'image/png' } }
  const node = { id: 'a', parentId: null, childrenIds: [], role: 'user', content: ref, timestamp: AT, metadata: places }
  const flat = { id: '1', parentId: null, timestamp: 1, type: 'user', content: ref, metadata: places, ...places }
  const files = [
    [
      'comfytavern',
      JSON.stringify({ sessionId: 's', nodes: { a: { ...node, ...places } }, rootNodeId: 'a', ...places }),
    ],
    ['generic', toText([flat, { ...flat, id: '2', type: 'tool_call', metadata: { arguments: places } }])],
    [
      'neovate',
      toText([
        { type: 'config', config: { approvalTools: [ref], ...places } },
        { parentUuid: null, uuid: 'a', role: 'user', content: [places.image], type: 'message', ...places },
      ]),
    ],
  ] as const
  for (const [format, text] of files) {
    const { sessionId } = await importSession(store, temp.plant(format, text))
    await using session = await store.open(sessionId)
    for (const name of [format, 'pi', 'jsonl', 'json', 'html', 'markdown']) {
      const pieces: string[] = []
      await (await loadWriter(name)).write(session, (piece) => void pieces.push(piece), {})
      const written = pieces.join('')
      expect([name, written.includes('secretsecret'), written.includes('c2VjcmV0')]).toEqual([name, false, false])
      if (name === format) expect(written.replace(/\n/g, '').replace(/": /g, '":')).toBe(text.replace(/\n/g, ''))
    }
  }
})
