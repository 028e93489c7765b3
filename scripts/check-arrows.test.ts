import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findViolations } from './check-arrows.ts'

function makeWorkspace(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'check-arrows-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const manifests = {
    'packages/core/package.json': '{}',
    'packages/store/package.json': '{ "dependencies": { "@treeline/core": "0.0.0" } }',
  }
  for (const [path, text] of Object.entries({ ...manifests, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const check = (files: Readonly<Record<string, string>>) => findViolations(makeWorkspace(files))

test('imports along the arrows pass', () => {
  const found = check({
    'packages/core/src/index.ts': "export * from './tree.ts'",
    'packages/core/src/tree.ts': 'export const tree = 1',
    'packages/store/src/file/open.ts':
      "import { open } from 'node:fs/promises'\nimport { tree } from '@treeline/core'\nimport '../index.ts'",
  })
  expect(found).toEqual([])
})

test('an import against the arrows is named with its file, its line and what is allowed', () => {
  const found = check({
    'packages/core/src/tree.ts': "\nimport { open } from '@treeline/store'",
    'packages/store/src/index.ts': "export type { Line } from '@treeline/agent'",
  })
  expect(found).toEqual([
    'packages/core/src/tree.ts:2  core may not import @treeline/store, no other package',
    'packages/store/src/index.ts:1  store may not import @treeline/agent, only core',
  ])
})

test.each(['node:fs', 'fs', 'fs/promises', 'zod'])('core may not import %s', (specifier) => {
  const found = check({ 'packages/core/src/tree.ts': `const it = await import('${specifier}')` })
  expect(found).toEqual([expect.stringContaining(`packages/core/src/tree.ts:1  core may not import '${specifier}': `)])
})

test('what the browser loads may use npm packages but no Node builtins', () => {
  const found = check({
    'packages/protocol/package.json': '{}',
    'packages/protocol/src/event.ts': "import { z } from 'zod'\nimport 'node:util'\nimport 'util'",
  })
  expect(found).toEqual([
    expect.stringContaining("packages/protocol/src/event.ts:2  protocol may not import 'node:util'"),
    expect.stringContaining("packages/protocol/src/event.ts:3  protocol may not import 'util'"),
  ])
})

test('tests and src/testing may use Node, npm packages and devDependencies', () => {
  const source = "import 'node:fs'\nimport 'fast-check'\n"
  const found = check({
    'packages/core/src/tree.test.ts': source,
    'packages/core/src/testing/arbitrary.ts': source,
    'packages/formats/package.json': '{ "devDependencies": { "@treeline/store": "0.0.0" } }',
    'packages/formats/src/pi.test.ts': "import '@treeline/store'",
  })
  expect(found).toEqual([])
})

test('tests may use what is in testing/ at the root, and shipped source may not', () => {
  const found = check({
    'packages/store/src/a.test.ts': "import '../../../testing/chromium.ts'",
    'packages/store/src/testing/b.ts': "import '../../../../testing/chromium.ts'",
    'packages/store/src/c.ts': "import '../../../testing/chromium.ts'",
  })
  expect(found).toEqual([expect.stringContaining("c.ts:1  '../../../testing/chromium.ts' leaves packages/store: ")])
})

test('shipped source may not use devDependencies, and nothing may be undeclared', () => {
  const found = check({
    'packages/formats/package.json': '{ "devDependencies": { "@treeline/store": "0.0.0" } }',
    'packages/formats/src/pi.ts': "import '@treeline/store'",
    'packages/formats/src/pi.test.ts': "import '@treeline/core'",
  })
  expect(found).toEqual([
    expect.stringMatching(/^packages\/formats\/src\/pi\.test\.ts:1 {2}@treeline\/core is not declared: /),
    expect.stringMatching(/^packages\/formats\/src\/pi\.ts:1 {2}@treeline\/store is not declared: /),
  ])
})

test('packages are imported by name, and only what they export', () => {
  const found = check({
    'packages/store/src/a.ts': "import '../../core/src/tree.ts'",
    'packages/store/src/b.ts': "import '@treeline/core/src/tree.ts'",
    'packages/store/src/c.ts': "import '@treeline/store'",
  })
  expect(found).toEqual([
    expect.stringContaining("a.ts:1  '../../core/src/tree.ts' leaves packages/store: "),
    expect.stringContaining('b.ts:1  store may not reach into @treeline/core/src: '),
    expect.stringContaining('c.ts:1  store may not import itself by name: '),
  ])
})

test('a package without a rule is refused', () => {
  expect(check({ 'packages/extra/package.json': '{}' })).toEqual([
    expect.stringContaining('packages/extra/package.json:1  extra has no rule: '),
  ])
})

test('the command prints the violations and exits 1, or is silent and exits 0', () => {
  const root = makeWorkspace({ 'packages/core/src/tree.ts': "import 'node:fs'" })
  cpSync(import.meta.dirname, join(root, 'scripts'), { recursive: true })
  const run = () => spawnSync(process.execPath, [join(root, 'scripts', 'check-arrows.ts')], { encoding: 'utf8' })

  const failing = run()
  expect(failing.stderr).toMatch(/^packages\/core\/src\/tree\.ts:1 {2}core may not import 'node:fs': .+\n$/)
  expect(failing.status).toBe(1)

  writeFileSync(join(root, 'packages/core/src/tree.ts'), '')
  expect(run()).toMatchObject({ stdout: '', stderr: '', status: 0 })
})

test('a bundled package declares our packages for development, because users get them inside', () => {
  const uses = { 'packages/cli/src/run.ts': "import { tree } from '@treeline/core'" }
  const declared = { 'packages/cli/package.json': '{ "devDependencies": { "@treeline/core": "0.0.0" } }' }
  expect(check({ ...uses, ...declared })).toEqual([])
  expect(check({ ...uses, 'packages/cli/package.json': '{}' })).toEqual([
    'packages/cli/src/run.ts:1  @treeline/core is not declared: add it to the devDependencies in packages/cli/package.json',
  ])
})
