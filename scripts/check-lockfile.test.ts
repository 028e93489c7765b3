import { expect, test } from 'vitest'
import { addMissing, findMissing, findRegistryAddresses, type Lockfile } from './check-lockfile.ts'

const optionalDependencies = { '@tool/darwin-arm64': '1.2.3', '@tool/linux-x64-musl': '1.2.3' }
const incomplete: Lockfile = {
  packages: {
    '': {},
    'node_modules/@tool/darwin-arm64': { version: '1.2.3' },
    'node_modules/tool': { version: '1.2.3', dev: true, optionalDependencies },
  },
}

test('a registry address is found, a workspace link is not', () => {
  const packages = {
    'node_modules/@treeline/core': { resolved: 'packages/core' },
    'node_modules/a': { resolved: 'https://registry.example/a-1.0.0.tgz' },
  }
  expect(findRegistryAddresses({ packages })).toEqual(['node_modules/a'])
})

test('a platform package without an entry is found', () => {
  expect(findMissing(incomplete)).toEqual([
    { parent: 'node_modules/tool', name: '@tool/linux-x64-musl', version: '1.2.3' },
  ])
})

test('an entry is looked for where Node would, from the inside out', () => {
  const inner = (path: string): Lockfile => ({
    packages: { 'packages/a/node_modules/b': { optionalDependencies: { c: '^1.0.0' } }, [path]: {} },
  })
  expect(findMissing(inner('node_modules/c'))).toEqual([])
  expect(findMissing(inner('packages/a/node_modules/c'))).toEqual([])
  expect(findMissing(inner('packages/a/node_modules/b/node_modules/c'))).toEqual([])
  expect(findMissing(inner('packages/d/node_modules/c'))).toHaveLength(1)
})

test('what is added names its platform and leaves nothing missing', () => {
  const complete = addMissing(incomplete)
  expect(complete.packages['node_modules/@tool/linux-x64-musl']).toEqual({
    version: '1.2.3',
    cpu: ['x64'],
    dev: true,
    libc: ['musl'],
    optional: true,
    os: ['linux'],
  })
  expect(Object.keys(complete.packages)).toEqual([...Object.keys(complete.packages)].sort())
  expect(findMissing(complete)).toEqual([])
})

test('two versions of a platform package live side by side, one version only once', () => {
  const wants = (version: string) => ({ version, optionalDependencies: { '@tool/linux-x64': version } })
  const packages = {
    'node_modules/a': wants('1.0.0'),
    'node_modules/b': wants('1.0.0'),
    'node_modules/c': wants('2.0.0'),
  }
  const added = Object.keys(addMissing({ packages }).packages).filter((path) => !(path in packages))
  expect(added).toEqual(['node_modules/@tool/linux-x64', 'node_modules/c/node_modules/@tool/linux-x64'])
})

test('what cannot be known is refused', () => {
  const wanting = (dependencies: Record<string, string>): Lockfile => ({
    packages: { 'node_modules/tool': { optionalDependencies: dependencies } },
  })
  expect(() => addMissing(wanting({ '@tool/linux-x64': '^1.0.0' }))).toThrow('only a registry knows')
  expect(() => addMissing(wanting({ '@tool/fast': '1.0.0' }))).toThrow('does not tell its platform')
})
