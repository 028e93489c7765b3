import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findProgram } from '../scripts/program.ts'
import { warmCode } from './warm-code.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the built program. */
    readonly dist: string
  }
}

interface Build {
  readonly dist: Promise<string>
  users: number
}

/** Each project of Vitest's loads this file anew, but all of them in one process. */
const shared = globalThis as { treelineBuild?: Build | undefined }

/** Builds the program that the tests run, once for all projects that do. Vitest calls it and what it returns. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.treelineBuild ??= { dist: buildProgram(), users: 0 }
  const build = shared.treelineBuild
  build.users++
  project.provide('dist', await build.dist)
  return async () => {
    if (--build.users > 0) return
    rmSync(await build.dist, { recursive: true, force: true })
    shared.treelineBuild = undefined
  }
}

async function buildProgram(): Promise<string> {
  const dist = mkdtempSync(join(tmpdir(), 'treeline-dist-'))
  // A copy, because one for `npm start` is gone when there are newer ones.
  cpSync(dirname(findProgram(undefined, () => {})), dist, { recursive: true })
  await warmCode(join(dist, 'treeline.js'))
  return dist
}
