// Measures Treeline beside what tools do today: `npm run bench [-- --json --check --only id,id]`. See README.md.
import { parseArgs } from 'node:util'
import { describeMachine, type Machine } from './machine.ts'
import { measureRow } from './measure.ts'
import type { AnyRow, RowResult } from './row.ts'
import { line10k } from './rows/line-10k.ts'
import { scan150m } from './rows/scan-150m.ts'
import { tree100k } from './rows/tree-100k.ts'

const ROWS: readonly AnyRow[] = [scan150m, tree100k, line10k]
const WIDTHS = [12, 10, 10, 6, 8, 8, 0]

function chooseRows(only: string | undefined): readonly AnyRow[] {
  const ids = only?.split(',') ?? ROWS.map(({ id }) => id)
  const unknown = ids.filter((id) => !ROWS.some((row) => row.id === id))
  if (unknown.length > 0) {
    console.error(`There is no row ${unknown.join(', ')}. Choose from: ${ROWS.map(({ id }) => id).join(', ')}.`)
    process.exit(2)
  }
  return ROWS.filter(({ id }) => ids.includes(id))
}

function formatCells(cells: readonly string[]): string {
  const padded = cells.map((cell, i) => (i === 0 || i > 5 ? cell.padEnd(WIDTHS[i]!) : cell.padStart(WIDTHS[i]!)))
  return padded.join('  ')
}

function formatMachine({ cpu, cores, memoryGb, platform, node }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}, node ${node}`
}

function formatResult({ id, ours, theirs, unit, ratio, target, ok }: RowResult): string {
  const numbers = [ours.toFixed(2), theirs.toFixed(2), unit, ratio.toFixed(3), `≤ ${target}`]
  return formatCells([id, ...numbers, ok ? 'ok' : 'over'])
}

function run(): void {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, check: { type: 'boolean' }, only: { type: 'string' } },
  })
  const chosen = chooseRows(values.only)
  if (globalThis.gc === undefined)
    console.error('Without node --expose-gc the garbage of one side is collected in the time of the other.')
  const machine = describeMachine()
  const print = (text: string): void => (values.json ? undefined : console.log(text))
  print(formatMachine(machine))
  print(formatCells(['id', 'ours', 'theirs', 'unit', 'ratio', 'target', '']))
  const rows = chosen.map((row) => {
    const result = measureRow(row)
    print(formatResult(result))
    return result
  })
  for (const { id, what } of chosen) print(`${id}: ${what}`)
  if (values.json) console.log(JSON.stringify({ machine, rows }))
  if (values.check && rows.some((row) => !row.ok)) process.exitCode = 1
}

run()
