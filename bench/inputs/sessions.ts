// The sessions on disk that rows measure, each made once per run, when the first row asks for it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { START_MS } from './session-writer.ts'
import { writeShortSession } from './short-session.ts'
import type { Workspace } from './workspace.ts'
import { type WrittenSession, writeSession } from './write-session.ts'

/** For trying rows out: `TREELINE_BENCH_SCALE=0.01` makes every input a hundredth as long. The figures then mean nothing. */
export const SCALE = Number(process.env.TREELINE_BENCH_SCALE ?? 1)

const LINE_BYTES = 1_500
// A turn may be left for another more than once, so that 2 % of the entries come to be branch points.
const REALISTIC = { branching: 0.024, branchAt: 'recent', textScale: 0.65 } as const
/** Growth is about the number of entries: with short texts a line has 0.6 KB, and a million of them 600 MB. */
const SHORT = { ...REALISTIC, textScale: 0.01 } as const
const SHORT_LINE_BYTES = 600
/** What a short session takes on disk, its columns included. */
const FILE_BYTES = 12_000
const MS_BETWEEN_SESSIONS = 2 * 3_600_000

export const GROWTH_ENTRIES = [1_000, 10_000, 100_000, 1_000_000].map(scaled)

export interface SessionsInput {
  readonly oursHome: string
  readonly piHome: string
  readonly sessions: readonly WrittenSession[]
}

export function scaled(count: number): number {
  return Math.max(10, Math.round(count * SCALE))
}

/** 100,000 entries, 150 MB. */
export function session100k(work: Workspace): WrittenSession {
  const maxEntries = scaled(100_000)
  return work.input('session-100k', maxEntries * LINE_BYTES * 2, (folder) => {
    const homes = homesIn(folder)
    return writeSession({ ...homes, seed: 100, maxEntries, ...REALISTIC })
  })
}

/** A word to search for: its first letters are in many texts, the whole of it in none but those that are marked. */
export const MARK = 'heath'

/** 100,000 entries as somebody would go on with them: with compactions, the last some hundred entries before the end. */
export function chat100k(work: Workspace): WrittenSession & { readonly cwd: string } {
  const maxEntries = scaled(100_000)
  return work.input('chat-100k', maxEntries * LINE_BYTES * 2, (folder) => {
    const homes = homesIn(folder)
    const cwd = join(folder, 'project')
    mkdirSync(cwd)
    const compaction = { everyEntries: 1_000, keepEntries: 200, tailEntries: 100 }
    const marks = { word: MARK, everyTurns: 5 }
    return { ...writeSession({ ...homes, cwd, seed: 101, maxEntries, compaction, marks, ...REALISTIC }), cwd }
  })
}

/** 1 GiB with compactions, the last of them some hundred entries before the end, keeping 200. */
export function session1g(work: Workspace): WrittenSession {
  const maxBytes = Math.round(2 ** 30 * SCALE)
  return work.input('session-1g', maxBytes, (folder) => {
    const { oursHome } = homesIn(folder)
    const compaction = { everyEntries: 1_000, keepEntries: 200, tailEntries: 100 }
    return writeSession({ oursHome, seed: 1024, maxBytes, compaction, ...REALISTIC })
  })
}

/** The path to the leaf has 10,000 entries; with the branches beside it there are some more. */
export function session10kDeep(work: Workspace): WrittenSession {
  const minDepth = scaled(10_000)
  return work.input('session-10k-deep', minDepth * LINE_BYTES * 3, (folder) => {
    const homes = homesIn(folder)
    return writeSession({ ...homes, seed: 10, minDepth, ...REALISTIC })
  })
}

/** 1,000 sessions of 200 entries, in 20 projects, one after the other as a person has them. */
export function sessions1k(work: Workspace): SessionsInput {
  const count = scaled(1_000)
  const maxEntries = 200
  return work.input('sessions-1k', count * maxEntries * LINE_BYTES * 2, (folder) => {
    const homes = homesIn(folder)
    const sessions = Array.from({ length: count }, (_, i) => {
      const startMs = START_MS + i * MS_BETWEEN_SESSIONS
      const cwd = `/home/dev/project-${i % 20}`
      return writeSession({ ...homes, cwd, startMs, seed: 5_000 + i, maxEntries, ...REALISTIC })
    })
    return { ...homes, sessions }
  })
}

/** 50,000 short sessions in 500 projects, only as Treeline writes them. */
export function sessions50k(work: Workspace): { readonly home: string; readonly count: number } {
  const count = scaled(50_000)
  return work.input('sessions-50k', count * FILE_BYTES, (folder) => {
    const { oursHome } = homesIn(folder)
    for (let i = 0; i < count; i++) {
      writeShortSession(oursHome, `/home/dev/project-${i % 500}`, i, START_MS + i * MS_BETWEEN_SESSIONS)
    }
    return { home: oursHome, count }
  })
}

/** Only as Treeline writes it: growth is compared with itself. */
export function sessionOfEntries(work: Workspace, maxEntries: number): WrittenSession {
  return work.input(`session-of-${maxEntries}`, maxEntries * SHORT_LINE_BYTES, (folder) => {
    const { oursHome } = homesIn(folder)
    return writeSession({ oursHome, seed: 7, maxEntries, ...SHORT })
  })
}

function homesIn(folder: string): { readonly oursHome: string; readonly piHome: string } {
  return { oursHome: join(folder, 'treeline'), piHome: join(folder, 'pi') }
}
