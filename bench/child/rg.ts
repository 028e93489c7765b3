// ripgrep, as a person runs it over the folder of sessions; the binary comes from the package @vscode/ripgrep.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { type Action, prepared } from './job.ts'
import { runChild } from './run-child.ts'

const MAX_OUTPUT_BYTES = 1 << 30

/** Whatever the case, the text as it stands; long lines are shown around the match. */
const search: Action = ({ home, query }) => {
  const flags = ['-i', '-F', '--no-config', '--no-heading', '--max-columns', '200', '--max-columns-preview']
  return prepared(
    () => spawnSync(rgPath, [...flags, '--', query!, join(home, 'sessions')], { maxBuffer: MAX_OUTPUT_BYTES }),
    ({ status, stdout }) => ({ hits: status === 0 ? Math.min(50, countLines(stdout)) : -1 }),
  )
}

function countLines(text: Buffer): number {
  let count = 0
  for (let at = text.indexOf(0x0a); at >= 0; at = text.indexOf(0x0a, at + 1)) count++
  return count
}

await runChild({ search })
