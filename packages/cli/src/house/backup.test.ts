import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'

test('N77 a backup is made, verified, and brings back what is missing without touching what is there', async () => {
  const { path, ...at } = await sampleHome()
  const made = await callTreeline(['backup', 'backups', '--verify', '--json'], at)
  expect(made.stderr).toBe('')
  const { backup, verified } = made.json()
  expect(backup).toMatchObject({ isComplete: true, problems: [] })
  expect(verified).toMatchObject({ isSound: true, logCount: 1 })
  const checked = await callTreeline(['backup', '--verify', backup.folder], at)
  expect(checked.stdout).toMatch(/^Sound: \d+ files?, 1 session, made /)

  const bytes = readFileSync(path)
  rmSync(path)
  const planned = await callTreeline(['restore-backup', backup.folder, '--dry-run'], at)
  expect(planned.stdout).toMatch(/^would[\s\S]*restore +sessions[\s\S]*Nothing was changed\.\n$/)
  expect(existsSync(path)).toBe(false)
  const restored = await callTreeline(['restore-backup', backup.folder, '--json'], at)
  expect(restored.json()).toMatchObject({ isDryRun: false, counts: { restore: 1, damaged: 0 } })
  expect(readFileSync(path)).toEqual(bytes)
})

test('I2 a backup that was changed is told, with exit code 6', async () => {
  const { path, ...at } = await sampleHome()
  const { folder } = (await callTreeline(['backup', 'backups', '--json'], at)).json().backup
  appendFileSync(join(folder, path.slice(at.home.length + 1)), 'x')
  const checked = await callTreeline(['backup', '--verify', folder], at)
  expect(checked).toMatchObject({ code: 6, stdout: expect.stringMatching(/Not sound[\s\S]*changed/) })
  rmSync(path)
  expect((await callTreeline(['restore-backup', folder], at)).code).toBe(6)
  expect(existsSync(path)).toBe(false)
})

test('R2 a folder that is no backup is refused', async () => {
  const { cwd, ...at } = await sampleHome()
  const wrong = await callTreeline(['restore-backup', cwd], { ...at, cwd })
  expect(wrong.code).not.toBe(0)
  expect(wrong.stderr).toContain('manifest.json')
  const { folder } = (await callTreeline(['backup', 'kept', '--json'], { ...at, cwd })).json().backup
  const above = await callTreeline(['restore-backup', 'kept'], { ...at, cwd })
  expect(above).toMatchObject({ code: 2, stderr: expect.stringContaining(`The latest: ${folder}`) })
  const inside = await callTreeline(['backup', join(at.home, 'inside')], { ...at, cwd })
  expect(inside.code).not.toBe(0)
})
