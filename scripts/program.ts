import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** What it is built from. Folders count too: a file that is gone leaves no other trace. */
const SOURCES = ['packages/*/src/**', 'packages/*/package.json', 'packages/cli/build.ts', 'package-lock.json']
/** A running program loads parts of itself late, so builds of before stay for a while. */
const KEPT = 3

/** The program as of its sources, built when there is none yet. Gives the file to run. */
export function findProgram(builds = join(ROOT, 'node_modules/.cache/treeline'), say = tell): string {
  const dist = join(builds, String(newestMs()))
  const program = join(dist, 'treeline.js')
  if (existsSync(program)) return program
  say('Building Treeline (only when its sources have changed) …')
  const made = `${dist}.${process.pid}`
  mkdirSync(builds, { recursive: true })
  execFileSync(process.execPath, [join(ROOT, 'packages/cli/build.ts'), made], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // The package of the repository is not theirs.
  writeFileSync(join(made, 'package.json'), '{ "type": "module" }\n')
  takePlace(made, dist)
  const old = readdirSync(builds).filter((name) => /^\d+$/.test(name))
  for (const name of old.sort((a, b) => Number(a) - Number(b)).slice(0, -KEPT))
    rmSync(join(builds, name), { recursive: true, force: true })
  return program
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

function newestMs(): number {
  const times = globSync(SOURCES, { cwd: ROOT }).map((path) => statSync(join(ROOT, path)).mtimeMs)
  return Math.floor(Math.max(...times))
}

function tell(message: string): void {
  process.stderr.write(`${message}\n`)
}
