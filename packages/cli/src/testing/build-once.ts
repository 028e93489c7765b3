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

/** Builds the program that the tests run, once for all of them. Vitest calls it and what it returns. */
export function setup(project: TestProject): () => void {
  const dist = mkdtempSync(join(tmpdir(), 'treeline-dist-'))
  execFileSync(process.execPath, [resolve(import.meta.dirname, '../../build.ts'), dist], { stdio: 'inherit' })
  // What the published package says of the files in its folder.
  writeFileSync(join(dist, 'package.json'), '{ "type": "module" }')
  project.provide('dist', dist)
  return () => rmSync(dist, { recursive: true, force: true })
}
