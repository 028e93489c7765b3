// Checks that package-lock.json installs anywhere: no registry addresses, and an entry for every platform's binary.
// npm leaves out platform packages that its registry does not have (a mirror that lags is enough), and then npm ci
// refuses the lockfile on every machine. `node scripts/check-lockfile.ts --fix` adds them.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

interface LockEntry {
  readonly version?: string
  readonly resolved?: string
  readonly cpu?: readonly string[]
  readonly dev?: boolean
  readonly libc?: readonly string[]
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly peer?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Packages = Readonly<Record<string, LockEntry>>

export interface Lockfile {
  readonly packages: Packages
}

interface Missing {
  readonly parent: string
  readonly name: string
  readonly version: string
}

export function findRegistryAddresses({ packages }: Lockfile): string[] {
  return Object.keys(packages).filter((path) => packages[path]?.resolved?.includes('://'))
}

export function findMissing({ packages }: Lockfile): Missing[] {
  return Object.entries(packages).flatMap(([parent, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .map(([name, version]) => ({ parent, name, version }))
      .filter((wanted) => isMissing(packages, wanted)),
  )
}

function isMissing(packages: Packages, { parent, name, version }: Missing): boolean {
  const found = foldersAbove(parent).map((folder) => packages[`${folder}node_modules/${name}`])
  const nearest = found.find((entry) => entry !== undefined)
  return nearest === undefined || (isExact(version) && nearest.version !== version)
}

/** The folders in which Node looks for what `path` imports, innermost first: `a/b/`, `a/`, the root. */
function foldersAbove(path: string): string[] {
  const steps = path === '' ? [] : path.split('/')
  return [...steps.map((_, i) => `${steps.slice(0, steps.length - i).join('/')}/`), '']
}

function isExact(version: string): boolean {
  return /^\d+\.\d+\.\d+(?:[-+]\S+)?$/.test(version)
}

/** Adds what is missing at the exact version its parent asks for; the integrity hash is npm's to add where it installs. */
export function addMissing(lockfile: Lockfile): Lockfile {
  const packages = { ...lockfile.packages }
  for (const wanted of findMissing(lockfile)) {
    const { parent, name, version } = wanted
    if (!isMissing(packages, wanted)) continue
    if (!isExact(version)) throw new Error(`${parent} wants ${name}@${version}: only a registry knows which that is`)
    const top = `node_modules/${name}`
    packages[packages[top] ? `${parent}/${top}` : top] = makeEntry(name, version, packages[parent] ?? {})
  }
  // npm's own order, so that its next install moves nothing.
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  return { ...lockfile, packages: Object.fromEntries(sorted) }
}

/** Names the platform, without which npm would try to install the package everywhere. */
function makeEntry(name: string, version: string, { dev, peer }: LockEntry): LockEntry {
  const os = /[-/](aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)\b/.exec(name)?.[1]
  const cpu = /[-/](arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32|x64)\b/.exec(name)?.[1]
  const libc = /-(gnu|musl)/.exec(name)?.[1]?.replace('gnu', 'glibc')
  if (!cpu) throw new Error(`the name ${name} does not tell its platform`)
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev }),
    ...(libc && { libc: [libc] }),
    optional: true,
    ...(os && { os: [os] }),
    ...(peer && { peer }),
  }
}

function checkLockfile(root: string, path: string): string[] {
  const lockfile: Lockfile = JSON.parse(readFileSync(join(root, path), 'utf8'))
  const missing = findMissing(lockfile)
  return [
    ...findRegistryAddresses(lockfile).map((entry) => `${path}  ${entry} names a registry: see .npmrc`),
    ...missing.map(({ parent, name }) => `${path}  ${parent} wants ${name}, which has no entry`),
    ...(missing.length > 0 ? ['To add the entries: npx node scripts/check-lockfile.ts --fix'] : []),
  ]
}

function fixLockfile(root: string, path: string): void {
  const lockfile: Lockfile = JSON.parse(readFileSync(join(root, path), 'utf8'))
  writeFileSync(join(root, path), `${JSON.stringify(addMissing(lockfile), null, 2)}\n`)
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..')
  const paths = globSync('{.,bench}/package-lock.json', { cwd: root })
  if (process.argv.includes('--fix')) for (const path of paths) fixLockfile(root, path)
  const problems = paths.flatMap((path) => checkLockfile(root, path))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
