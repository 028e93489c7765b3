// The programs that rows start as people do: built, each once per run.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Workspace } from './workspace.ts'

/** Treeline's command. */
export function treelineProgram(work: Workspace): string {
  return buildInto(work, 'program', '../../packages/cli/build.ts', 'treeline.js')
}

/** What Ink alone takes. */
export function helloProgram(work: Workspace): string {
  return buildInto(work, 'hello', '../hello/build.ts', 'hello.js')
}

/** Pi's command, as its package has it: bundled by its makers. */
export function piProgram(): string {
  return resolve(fileURLToPath(import.meta.resolve('@earendil-works/pi-coding-agent')), '../bundle/cli.js')
}

function buildInto(work: Workspace, name: string, script: string, file: string): string {
  return work.input(name, 10_000_000, (folder) => {
    const dist = join(folder, 'dist')
    execFileSync(process.execPath, [resolve(import.meta.dirname, script), dist])
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    return join(dist, file)
  })
}
