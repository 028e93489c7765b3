import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasShared, listShared, sharedPath } from '../testing/shared-fixtures.ts'
import { UserHome } from '../testing/user-home.ts'

const FOLDERS = {
  pi: ['.pi/agent/sessions/--p--', 'pi'],
  xcsh: ['.xcsh/agent/sessions/--p--', 'xcsh/sessions'],
  omp: ['.omp/agent/sessions/--p--', 'omp18/sessions'],
  neovate: ['.neovate/projects/p', 'neovate'],
} as const

test.skipIf(!hasShared)(
  'I7, X72 every file of ../shared/fixtures is listed and searched, and none is changed',
  async () => {
    const user = new UserHome()
    const counts: Record<string, number> = {}
    for (const [tool, [folder, fixtures]] of Object.entries(FOLDERS)) {
      const names = listShared(fixtures)
      mkdirSync(join(user.folder, folder), { recursive: true })
      for (const name of names) cpSync(sharedPath(`${fixtures}/${name}`), join(user.folder, folder, `${name}.jsonl`))
      counts[tool] = names.length
    }
    const before = user.fingerprint()
    const listed = (await user.run(['ls', '--all', '--empty', '--limit', '1000', '--json'])).json()
    const byTool: Record<string, number> = {}
    for (const { tool } of listed.sessions) byTool[tool] = (byTool[tool] ?? 0) + 1
    expect(byTool).toEqual(counts)
    expect(listed).toMatchObject({ problems: [], next: null })
    // X72: what counts is when something was said, not when we or others read or copied the file.
    const isOfNow = ({ lastActiveAt }: { lastActiveAt: string | null }) =>
      Math.abs(Date.parse(lastActiveAt ?? '') - Date.now()) < 3_600_000
    expect(listed.sessions.filter(isOfNow)).toEqual([])
    const found = (await user.run(['search', 'hello', '--json', '-n', '500'])).json()
    expect(new Set(found.hits.map(({ tool }: { tool: string }) => tool))).toContain('neovate')
    const shown = await user.run(['ls', '--all'])
    expect(shown.code).toBe(0)
    await user.run(['stats'])
    expect(user.fingerprint()).toEqual(before)
  },
)
