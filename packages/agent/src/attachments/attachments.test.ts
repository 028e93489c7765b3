import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { splitAttached, toAttachedText } from '@treeline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openBench } from '../tools/testing/tool-bench.ts'
import { readAttachment } from './read-attachment.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

async function project(secrets: readonly string[] = []) {
  const { cwd } = await openBench()
  const { signal } = new AbortController()
  const read = (path: string) => readAttachment({ cwd, secrets: () => secrets }, path, signal)
  return { cwd, read }
}

describe('what goes with a prompt', () => {
  test('a text, with its path and how many lines it has', async () => {
    const { cwd, read } = await project()
    writeFileSync(join(cwd, 'a.ts'), 'one\ntwo\n')
    expect(await read('a.ts')).toEqual([{ type: 'text', text: '<file path="a.ts" count="2">\none\ntwo\n</file>' }])
  })

  test('of a long one its beginning, and it is said that there is more', async () => {
    const { cwd, read } = await project()
    writeFileSync(join(cwd, 'long.txt'), 'line\n'.repeat(5_000))
    const blocks = (await read('long.txt'))!
    const { attached } = splitAttached([{ type: 'text', text: 'see' }, ...blocks])
    expect(attached).toMatchObject([{ path: 'long.txt', isCut: true }])
    expect(attached[0]!.count).toBeLessThanOrEqual(2_000)
    expect(blocks[0]).toMatchObject({ text: expect.stringMatching(/there is more: offset \d+\]\n<\/file>$/) })
  })

  test('an image, and a folder as a list of names', async () => {
    const { cwd, read } = await project()
    mkdirSync(join(cwd, 'src'))
    writeFileSync(join(cwd, 'src/b.ts'), '')
    writeFileSync(join(cwd, 'x.png'), PNG)
    expect(await read('x.png')).toMatchObject([
      { type: 'text', text: expect.stringContaining('<file path="x.png">') },
      { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') },
    ])
    expect(await read('src')).toEqual([{ type: 'text', text: '<file path="src/" count="1">\nb.ts\n</file>' }])
  })

  test('nothing for what is not there, and a refusal for what is no text or outside of the project', async () => {
    const { cwd, read } = await project()
    writeFileSync(join(cwd, 'raw'), Buffer.of(1, 0, 2))
    symlinkSync('/etc/hostname', join(cwd, 'way-out'))
    symlinkSync('/etc', join(cwd, 'folder-out'))
    expect(await read('nowhere')).toBeUndefined()
    expect(await read('raw/below')).toBeUndefined()
    await expect(read('raw')).rejects.toThrow('raw is binary')
    for (const path of ['way-out', 'folder-out', 'folder-out/hostname', '../..', '/etc/hostname']) {
      await expect(read(path)).rejects.toThrow('outside of the project')
    }
  })

  test('a key in it is not sent', async () => {
    const { cwd, read } = await project(['sk-live-0123456789abcdef'])
    writeFileSync(join(cwd, '.env'), 'KEY=sk-live-0123456789abcdef\n')
    expect(JSON.stringify(await read('.env'))).toContain('KEY=***')
  })
})

describe('parting', () => {
  test('what was said stays whole, whatever the files hold', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.tuple(fc.string(), fc.string())), (words, files) => {
        const said = [{ type: 'text', text: words }] as const
        const blocks = files.map(([path, body]) => ({
          type: 'text' as const,
          text: toAttachedText({ path, isCut: false }, body),
        }))
        const parted = splitAttached([...said, ...blocks])
        expect(parted.said).toEqual(said)
        expect(parted.attached).toHaveLength(files.length)
      }),
    )
  })

  test('images that were pasted are said, those of files are not', () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const
    const file = { type: 'text', text: toAttachedText({ path: 'x.png', isCut: false }, '[png]') } as const
    const { said, attached } = splitAttached([{ type: 'text', text: 'Look' }, image, file, image])
    expect(said).toEqual([{ type: 'text', text: 'Look' }, image])
    expect(attached).toEqual([{ path: 'x.png', isCut: false }])
  })

  test('who types what looks like a file has said it', () => {
    const typed = { type: 'text', text: '<file path="a">\nb\n</file>' } as const
    expect(splitAttached([typed]).said).toEqual([typed])
  })
})
