import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { callTreeline } from './call-treeline.ts'
import { type Ran, runTreeline, tempFolder } from './run-treeline.ts'

export interface Said {
  readonly role: 'user' | 'assistant' | 'toolResult'
  readonly text: string
  /** ISO 8601. */
  readonly at: string
  readonly parent?: string | null
  /** Of an answer. */
  readonly cost?: number
  readonly model?: string
  /** More fields of the message. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** Somebody who uses other tools: their home, with sessions where the tools keep them, and a project they are in. */
export class UserHome {
  readonly folder = tempFolder()
  readonly project = join(this.folder, 'project')

  constructor() {
    mkdirSync(this.project)
  }

  /** Puts a session of Pi where it keeps them; entries are called `<id>-0`, `<id>-1` …, each under the one before. */
  plantPi(id: string, cwd: string, said: readonly Said[], tool: 'pi' | 'xcsh' = 'pi'): string {
    const header = { type: 'session', version: 3, id, timestamp: said[0]?.at ?? '2026-01-01T00:00:00.000Z', cwd }
    const entries = said.map(({ role, text, at, parent, cost, model = 'large', more }, i) => ({
      type: 'message',
      id: `${id}-${i}`,
      parentId: parent === undefined ? (i === 0 ? null : `${id}-${i - 1}`) : parent,
      timestamp: at,
      message: {
        role,
        content: [{ type: 'text', text }],
        ...(role === 'assistant' && { provider: 'demo', model, usage: usage(cost ?? 0), stopReason: 'stop' }),
        timestamp: Date.parse(at),
        ...more,
      },
    }))
    const lines = [header, ...entries].map((line) => `${JSON.stringify(line)}\n`)
    return this.write(`.${tool}/agent/sessions/--p--/${id}.jsonl`, lines.join(''))
  }

  write(name: string, text: string): string {
    const path = join(this.folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  /** Of every file of the tools, and when it was written to: nothing of theirs may change. */
  fingerprint(): Readonly<Record<string, string>> {
    const names = readdirSync(this.folder, { recursive: true })
      .map(String)
      .filter((name) => /^\.(pi|xcsh|omp|neovate)/.test(name))
    return Object.fromEntries(
      names.map((name) => {
        const path = join(this.folder, name)
        const stat = statSync(path)
        const hash = stat.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder'
        return [name, `${hash} ${stat.mtimeMs} ${stat.mode}`]
      }),
    )
  }

  /** In this process, for the many cases of a command. */
  call(words: readonly string[]): Promise<Ran> {
    return callTreeline(words, { cwd: this.project, home: join(this.folder, 'treeline'), env: { HOME: this.folder } })
  }

  /** As a user would: the built program, in a process of its own. */
  run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    return runTreeline(words, {
      cwd: this.project,
      home: join(this.folder, 'treeline'),
      env: { HOME: this.folder, TZ: 'UTC', ...env },
    })
  }
}

function usage(cost: number) {
  return { input: cost * 100, output: cost * 10, cacheRead: cost, cacheWrite: 0, cost: { total: cost } }
}
