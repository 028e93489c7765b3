import { expect, test } from 'vitest'
import { openMemoryStore } from '../memory-store.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'

test('R3 however many images are appended together, a few are stored at a time', async () => {
  const real = createMemoryStorage()
  let [open, most] = [0, 0]
  const storage: SessionStorage = {
    ...real,
    openWriter(path, options) {
      const file = real.openWriter(path, options)
      if (!path.includes('/blobs/')) return file
      most = Math.max(most, ++open)
      const { closeSync } = file
      file.closeSync = () => {
        open--
        closeSync.call(file)
      }
      return file
    },
  }
  await using store = await openMemoryStore({ storage })
  await using session = await store.create()
  const image = (i: number) => ({
    type: 'image',
    data: Buffer.alloc(2000, i).toString('base64'),
    mimeType: 'image/png',
  })
  const drafts = Array.from({ length: 100 }, (_, i) => ({
    type: 'message',
    message: { role: 'user', content: [image(i)], timestamp: 1 },
  }))
  expect(await session.appendAll(drafts)).toHaveLength(100)
  expect(open).toBe(0)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThan(40)
})
