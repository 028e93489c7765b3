import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** What it is built from. Folders count too: a file that is gone leaves no other trace. */
const SOURCES = [
  'packages/*/src/**',
  'packages/*/package.json',
  'packages/cli/build.ts',
  'packages/web/index.html',
  'packages/web/vite.config.ts',
  'package-lock.json',
]
/** A running program loads parts of itself late, so builds of before stay for a while. */
const KEPT = 3

/** The program as of its sources, built when there is none yet. Gives the file to run. */
export function findProgram(kept = join(ROOT, 'node_modules/.cache/treeline'), say = tell): string {
  const stamp = stampOf(ROOT)
  const known = join(kept, stamp, 'treeline.js')
  if (existsSync(known)) return known
  const builds = findPlace(kept)
  const dist = join(builds, stamp)
  const program = join(dist, 'treeline.js')
  say('Building Treeline (only when its sources have changed) …')
  const made = `${dist}.${process.pid}`
  execFileSync(process.execPath, [join(ROOT, 'packages/cli/build.ts'), made], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // The package of the repository is not theirs.
  writeFileSync(join(made, 'package.json'), '{ "type": "module" }\n')
  takePlace(made, dist)
  removeOld(builds)
  return program
}

/** Where builds are kept; where nothing can be written there, a folder that is gone at the end. */
export function findPlace(builds: string): string {
  try {
    mkdirSync(builds, { recursive: true })
    accessSync(builds, constants.W_OK)
    return builds
  } catch {
    const place = mkdtempSync(join(tmpdir(), 'treeline-start-'))
    process.on('exit', () => rmSync(place, { recursive: true, force: true }))
    return place
  }
}

/** Another for other sources, also for ones that are older than those it was built from before. */
export function stampOf(root: string): string {
  const files = globSync(SOURCES, { cwd: root }).sort()
  const seen = files.map((path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    return [path, stat?.mtimeMs, stat?.size]
  })
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 16)
}

function removeOld(builds: string): void {
  // One with a point in its name is still being built by somebody.
  const names = readdirSync(builds).filter((name) => !name.includes('.'))
  const made = names.map((name) => join(builds, name))
  const madeMs = new Map(made.map((dist) => [dist, statSync(dist, { throwIfNoEntry: false })?.mtimeMs ?? 0]))
  const old = made.sort((a, b) => madeMs.get(b)! - madeMs.get(a)!).slice(KEPT)
  for (const dist of old) rmSync(dist, { recursive: true, force: true })
}

/** Whoever builds at the same time builds the same. */
function takePlace(made: string, dist: string): void {
  try {
    renameSync(made, dist)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(dist)) throw error
  }
}

function tell(message: string): void {
  process.stderr.write(`${message}\n`)
}
