// The command: as a process of its own, or called within this one, to time the work without the start.
import { spawnSync } from 'node:child_process'
import { Writable } from 'node:stream'
import { catalogue } from '../../packages/cli/src/catalogue.ts'
import { run } from '../../packages/cli/src/run.ts'
import { type Action, prepared } from './job.ts'
import { runChild } from './run-child.ts'

/** The first page of what is in another tool's folder, `home`; our own home is `path`. */
const ls: Action = async ({ home, path }) => {
  const list = () => call(['ls', '--all', '--json'], { PI_CODING_AGENT_DIR: home, TREELINE_HOME: path! })
  // What the command loads is loaded before, not what it knows: that is in files.
  await catalogue.ls!.load()
  await call(['ls', '--all', '--json'], { HOME: '/nonexistent', TREELINE_HOME: `${path}-empty` })
  return prepared(list, (text) => ({ listed: JSON.parse(text).sessions.length }))
}

/** A whole process: `path` is the program, `query` the session. */
const tree: Action = ({ home, path, query }) => {
  const env = { ...process.env, TREELINE_HOME: home }
  return prepared(
    () => spawnSync(process.execPath, [path!, 'tree', query!], { env }),
    ({ status }) => ({ status: status ?? -1 }),
  )
}

async function call(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  let text = ''
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const { stderr } = process
  const { signal } = new AbortController()
  const code = await run(words, {
    stdin: () => process.stdin,
    stdout,
    stderr,
    env: { HOME: '/nonexistent', ...env },
    cwd: '/',
    signal,
  })
  if (code !== 0) throw new Error(`treeline ${words.join(' ')} ended with ${code}.`)
  return text
}

await runChild({ ls, tree })
