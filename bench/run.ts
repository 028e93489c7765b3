// Measures Treeline beside what tools do today: `npm run bench [-- --json --check --theirs --only id,id]`. See README.md.
import { parseArgs } from 'node:util'
import { SCALE } from './inputs/sessions.ts'
import { Workspace } from './inputs/workspace.ts'
import { describeMachine, type Machine } from './machine.ts'
import { measureRow } from './measure.ts'
import { measureProcessRow, measureTheirs } from './measure-processes.ts'
import type { ProcessRow } from './process-row.ts'
import type { AnyRow, RowResult } from './row.ts'
import { append4Processes } from './rows/append-4-processes.ts'
import { appendSynced } from './rows/append-synced.ts'
import { appendUnsynced } from './rows/append-unsynced.ts'
import { cliStart } from './rows/cli-start.ts'
import { columns100k } from './rows/columns-100k.ts'
import { fanout1000 } from './rows/fanout-1000.ts'
import { fork10k } from './rows/fork-10k.ts'
import { growthAppend } from './rows/growth-append.ts'
import { growthOpen } from './rows/growth-open.ts'
import { historySearch } from './rows/history-search.ts'
import { indexBuild } from './rows/index-build.ts'
import { indexSize } from './rows/index-size.ts'
import { layout100k } from './rows/layout-100k.ts'
import { line1g } from './rows/line-1g.ts'
import { line10k } from './rows/line-10k.ts'
import { list1kWarm } from './rows/list-1k-warm.ts'
import { list50k } from './rows/list-50k.ts'
import { listCold1k } from './rows/list-cold-1k.ts'
import { ls1kForeign } from './rows/ls-1k-foreign.ts'
import { muteHttp } from './rows/mute-http.ts'
import { open1gWarm } from './rows/open-1g-warm.ts'
import { open100kCold } from './rows/open-100k-cold.ts'
import { open100kMemory } from './rows/open-100k-memory.ts'
import { open100kWarm } from './rows/open-100k-warm.ts'
import { scan150m } from './rows/scan-150m.ts'
import { searchWarm } from './rows/search-warm.ts'
import { tree100k } from './rows/tree-100k.ts'
import { tuiKey } from './rows/tui-key.ts'
import { tuiMemory } from './rows/tui-memory.ts'
import { tuiStart } from './rows/tui-start.ts'
import { tuiTreeSearch } from './rows/tui-tree-search.ts'
import { turnOverhead } from './rows/turn-overhead.ts'
import { web100kFrame } from './rows/web-100k-frame.ts'
import { web100kOpen } from './rows/web-100k-open.ts'
import { webTyping } from './rows/web-typing.ts'
import { formatTheirs } from './statistics.ts'

const ROWS: readonly AnyRow[] = [scan150m, tree100k, line10k, layout100k]
const PROCESS_ROWS: readonly ProcessRow[] = [
  open100kWarm,
  open100kCold,
  open100kMemory,
  open1gWarm,
  line1g,
  appendUnsynced,
  appendSynced,
  append4Processes,
  fork10k,
  listCold1k,
  list1kWarm,
  list50k,
  searchWarm,
  indexSize,
  indexBuild,
  historySearch,
  ls1kForeign,
  cliStart,
  turnOverhead,
  columns100k,
  muteHttp,
  fanout1000,
  tuiStart,
  tuiKey,
  tuiTreeSearch,
  tuiMemory,
  web100kFrame,
  web100kOpen,
  webTyping,
  growthAppend,
  growthOpen,
]
const WIDTHS = [24, 10, 10, 11, 8, 8, 0]

interface Chosen {
  readonly rows: readonly AnyRow[]
  readonly processRows: readonly ProcessRow[]
}

function chooseRows(only: string | undefined, theirs: boolean): Chosen {
  const rows = theirs ? [] : ROWS
  const known = [...rows, ...PROCESS_ROWS].map(({ id }) => id)
  const ids = only?.split(',') ?? known
  const unknown = ids.filter((id) => !known.includes(id))
  if (unknown.length > 0) {
    console.error(`There is no row ${unknown.join(', ')}. Choose from: ${known.join(', ')}.`)
    process.exit(2)
  }
  return {
    rows: rows.filter(({ id }) => ids.includes(id)),
    processRows: PROCESS_ROWS.filter(({ id }) => ids.includes(id)),
  }
}

function formatCells(cells: readonly string[]): string {
  const padded = cells.map((cell, i) => (i === 0 || i > 5 ? cell.padEnd(WIDTHS[i]!) : cell.padStart(WIDTHS[i]!)))
  return padded.join('  ')
}

function formatMachine({ cpu, cores, memoryGb, platform, node }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}, node ${node}`
}

function formatResult({ id, ours, theirs, unit, ratio, target, ok, atLeast, also }: RowResult): string {
  const numbers = [ours.toFixed(2), theirs.toFixed(2), unit, ratio.toFixed(3), `${atLeast ? '≥' : '≤'} ${target}`]
  const notes = Object.entries(also ?? {}).map(([name, value]) => `${name} ${value}`)
  return formatCells([id, ...numbers, [ok ? 'ok' : 'missed', ...notes].join('  ')])
}

async function measureAll({ rows, processRows }: Chosen, onResult: (result: RowResult) => void): Promise<RowResult[]> {
  const results: RowResult[] = []
  const take = (result: RowResult): void => {
    results.push(result)
    onResult(result)
  }
  for (const row of rows) take(measureRow(row))
  if (processRows.length === 0) return results
  using work = openWorkspace()
  for (const row of processRows) for (const result of await measureProcessRow(row, work)) take(result)
  return results
}

function openWorkspace(): Workspace {
  const work = new Workspace()
  if (work.isInMemory)
    console.error(`${work.folder} is in memory, where syncing is free. Set TREELINE_BENCH_DIR to a folder on a disk.`)
  if (SCALE !== 1) console.error(`Inputs are scaled by ${SCALE}: this tries the rows out and measures nothing.`)
  return work
}

async function printTheirs({ processRows }: Chosen): Promise<void> {
  using work = openWorkspace()
  for (const row of processRows) {
    const sides = Object.entries(await measureTheirs(row, work))
    for (const [name, measurements] of sides) console.log(`${row.id}  ${name}  ${formatTheirs(measurements)}`)
  }
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      theirs: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  })
  const chosen = chooseRows(values.only, values.theirs)
  const machine = describeMachine()
  const print = (text: string): void => (values.json ? undefined : console.log(text))
  print(formatMachine(machine))
  if (values.theirs) return printTheirs(chosen)
  print(formatCells(['id', 'ours', 'theirs', 'unit', 'ratio', 'target', '']))
  const rows = await measureAll(chosen, (result) => print(formatResult(result)))
  for (const { id, what } of [...chosen.rows, ...chosen.processRows]) print(`${id}: ${what}`)
  if (values.json) console.log(JSON.stringify({ machine, rows }))
  if (values.check && rows.some((row) => !row.ok)) process.exitCode = 1
}

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? `bench: ${error.message}` : error)
  process.exitCode = 1
}
