import type { Usage } from '@treeline/core'
import { type Fields, isFields } from './record.ts'

/** Both spellings: `input_tokens` as Neovate writes it, `promptTokens` as seed 000 has it (X16). */
export function readUsage(usage: unknown): Usage | undefined {
  if (!isFields(usage)) return undefined
  const input = numberOf(usage, 'input_tokens', 'promptTokens')
  const output = numberOf(usage, 'output_tokens', 'completionTokens')
  const total = numberOf(usage, 'total_tokens', 'totalTokens')
  if (input === undefined && output === undefined && total === undefined) return undefined
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: total ?? (input ?? 0) + (output ?? 0),
  }
}

/** Neovate counts what came from a cache as input like any other. */
export function writeUsage(usage: Fields): Fields {
  const [input = 0, cacheRead = 0, cacheWrite = 0, output = 0] = ['input', 'cacheRead', 'cacheWrite', 'output'].map(
    (name) => numberOf(usage, name),
  )
  return { input_tokens: input + cacheRead + cacheWrite, output_tokens: output }
}

function numberOf(usage: Fields, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = usage[name]
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  }
  return undefined
}
