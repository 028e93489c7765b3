import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the built program. */
    readonly dist: string
  }
}

interface Build {
  readonly dist: string
  users: number
}

/** Each project of Vitest's loads this file anew, but all of them in one process. */
const shared = globalThis as { treelineBuild?: Build | undefined }

/** Builds the program that the tests run, once for all projects that do. Vitest calls it and what it returns. */
export function setup(project: TestProject): () => void {
  shared.treelineBuild ??= { dist: buildProgram(), users: 0 }
  const build = shared.treelineBuild
  build.users++
  project.provide('dist', build.dist)
  return () => {
    if (--build.users > 0) return
    rmSync(build.dist, { recursive: true, force: true })
    shared.treelineBuild = undefined
  }
}

function buildProgram(): string {
  const dist = mkdtempSync(join(tmpdir(), 'treeline-dist-'))
  execFileSync(process.execPath, [resolve(import.meta.dirname, '../packages/cli/build.ts'), dist], { stdio: 'inherit' })
  // What the published package says of the files in its folder.
  writeFileSync(join(dist, 'package.json'), '{ "type": "module" }')
  return dist
}
