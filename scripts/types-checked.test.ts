import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** AssemblyScript, which its own compiler checks. */
const OTHERS = 'packages/core/wasm/'

/** The files of one program of `npm run check`. */
function filesOf(project: string): readonly string[] {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const listed = execFileSync(process.execPath, [tsc, '--listFilesOnly', '-p', project], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').map((path) => relative(root, path))
}

test('every source file is in a program whose types npm run check checks', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const projects = [...scripts['check:run'].matchAll(/tsc --noEmit(?: -p (\S+))?/g)].map(([, folder]) => folder ?? '.')
  const checked = new Set(projects.flatMap(filesOf))
  const sources = globSync('{packages,bench,scripts,testing}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|fixtures)(?:\/|$)/.test(path),
  })
  expect(sources.length).toBeGreaterThan(1_000)
  expect(sources.filter((path) => !checked.has(path) && !path.startsWith(OTHERS))).toEqual([])
})
