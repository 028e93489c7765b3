import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeSampleHome, readFiles, type SampleHome } from '../testing/sample-home.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import { createBackup } from './backup.ts'
import { verifyBackup } from './verify-backup.ts'

async function makeBackup(): Promise<SampleHome & { readonly made: string }> {
  const sample = await makeSampleHome()
  const { folder } = await createBackup(sample.home, sample.folder)
  return Object.assign(sample, { made: folder })
}

test('I2 a flipped bit in any file is found, and named', async () => {
  await using sample = await makeBackup()
  const names = [...readFiles(sample.made).keys()].filter((name) => name !== 'manifest.json')
  expect(names.length).toBeGreaterThan(8)
  for (const name of names) {
    const path = join(sample.made, name)
    const bytes = readFileSync(path)
    const flipped = Buffer.from(bytes)
    flipped[Math.floor(flipped.length / 2)]! ^= 1
    writeFileSync(path, flipped)
    const { isSound, findings } = await verifyBackup(sample.made)
    expect([isSound, findings.map(({ type, path }) => [type, path])]).toEqual([false, [['changed', name]]])
    writeFileSync(path, bytes)
  }
  expect((await verifyBackup(sample.made)).isSound).toBe(true)
})

test('what is missing, cut, or was not there is found', async () => {
  await using sample = await makeBackup()
  const { made, ids } = sample
  const names = [...readFiles(made).keys()]
  const log = names.find((name) => name.startsWith('sessions/') && name.includes(ids.plain))!
  const blob = names.find((name) => name.startsWith('blobs/'))!
  rmSync(join(made, blob))
  writeFileSync(join(made, log), readFileSync(join(made, log)).subarray(0, -1))
  writeFileSync(join(made, 'sessions/--p--/.hidden'), '')
  const { findings } = await verifyBackup(made)
  expect(findings.map(({ type, path }) => [type, path]).sort()).toEqual([
    ['changed', log],
    ['extra', 'sessions/--p--/.hidden'],
    ['missing', blob],
    ['missing_blob', blob],
  ])
})

test('a log that was damaged in the home is counted, and the backup is sound', async () => {
  await using sample = await makeSampleHome()
  const path = sample.temp.plant(
    'bad',
    '{"type":"session","version":3,"id":"bad"}\n',
    'no json\n',
    '{"type":"message"}\n',
  )
  const { folder } = await createBackup(sample.home, sample.folder)
  const { isSound, findings } = await verifyBackup(folder)
  expect(isSound).toBe(true)
  expect(findings).toMatchObject([{ type: 'damaged_log', path: path.slice(sample.temp.home.length + 1) }])
})

test('K3 what a link leads to is not part of a backup', async () => {
  await using sample = await makeBackup()
  const { made, temp } = sample
  const outside = join(temp.outside, 'elsewhere')
  mkdirSync(outside)
  renameSync(join(made, 'sessions'), join(outside, 'sessions'))
  symlinkSync(join(outside, 'sessions'), join(made, 'sessions'))
  renameSync(join(made, 'settings.json'), join(outside, 'settings.json'))
  symlinkSync(join(outside, 'settings.json'), join(made, 'settings.json'))
  const { findings } = await verifyBackup(made)
  const missing = findings.filter(({ type }) => type === 'missing').map(({ path }) => path)
  expect(missing).toContain('settings.json')
  expect(missing.filter((path) => path.startsWith('sessions/'))).toHaveLength(4)
})

const sha256 = '0'.repeat(64)
const good = { format: 'treeline-backup', version: 1, createdAt: '2026-01-01T00:00:00.000Z', isComplete: true }
const named = (path: unknown) => ({ ...good, files: [{ path, size: 0, sha256 }] })

test.each([
  named('../../etc/passwd'),
  named('/etc/passwd'),
  named('sessions/../../x'),
  named('sessions//x'),
  named('sessions/./x'),
  named('sessions/a\0b'),
  named('sessions\\..\\x'),
  named(`sessions/${'x'.repeat(256)}`),
  named(`sessions/${'x/'.repeat(40)}x`),
  named('blobs/../x'),
  named('blobs/nothash'),
  named('locks/00'),
  named('index/index.db'),
  named('manifest.json'),
  named('audit.jsonl/x'),
  named(''),
  named(7),
  named({ toString: 'x' }),
  { ...good, files: [{ path: 'settings.json', size: -1, sha256 }] },
  { ...good, files: [{ path: 'settings.json', size: 1e300, sha256 }] },
  { ...good, files: [{ path: 'settings.json', size: 1.5, sha256 }] },
  { ...good, files: [{ path: 'settings.json', size: 0, sha256: 'x' }] },
  { ...good, files: [null] },
  { ...good, files: 'all' },
  { ...good, files: [...named('settings.json').files, ...named('settings.json').files] },
  { ...good, version: 2, files: [] },
  { ...good, format: 'other', files: [] },
  [],
  null,
])('K3 a manifest with %j is refused', async (manifest) => {
  using temp = makeTempHome()
  const folder = temp.outside
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  await expect(verifyBackup(folder)).rejects.toMatchObject({ code: 'damaged' })
})

test('a folder without a manifest, or with one that is no JSON, is no backup', async () => {
  using temp = makeTempHome()
  const folder = temp.outside
  await expect(verifyBackup(folder)).rejects.toMatchObject({ code: 'damaged' })
  writeFileSync(join(folder, 'manifest.json'), '{"format":')
  await expect(verifyBackup(folder)).rejects.toMatchObject({ code: 'damaged' })
  rmSync(join(folder, 'manifest.json'))
  symlinkSync('/etc/passwd', join(folder, 'manifest.json'))
  await expect(verifyBackup(folder)).rejects.toMatchObject({ code: 'forbidden' })
})
