import { drawTree, type FlatEntry, flatSource } from '@treeline/core'

/** The tree under a line `root`, each entry as `<id>: <first 30 characters>` (P22, X36). */
export function visualizeBranches(entries: readonly FlatEntry[]): string {
  return joinLines(drawTree(flatSource(entries), 'ids'))
}

/** The trees one after the other, each entry as `[<type>] <first 40 characters>` (P26). */
export function visualizeTyped(entries: readonly FlatEntry[]): string {
  return joinLines(drawTree(flatSource(entries), 'typed'))
}

function joinLines(lines: Iterable<string>): string {
  let text = ''
  for (const line of lines) text += `${line}\n`
  return text
}
