import { buildLine, type Line, type LineOptions } from '../line/line.ts'
import { runSteps } from '../steps.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import { linePath } from '../tree/path.ts'
import type { TestLog } from './make-tree.ts'

/** The line of a test log; bodies of the entries named `unreadable` are withheld. */
export function lineOf(
  log: TestLog,
  leaf: number = attachedLeaf(log.tree),
  options: LineOptions & { readonly unreadable?: ReadonlySet<string> } = {},
): Line {
  const { unreadable, ...rest } = options
  const { refs } = linePath(log.tree, leaf)
  return runSteps(buildLine(log.tree, leaf, rest), (positions) =>
    positions.map((position) => {
      const entry = log.bodyOf(refs[position]!)
      return entry !== undefined && unreadable?.has(entry.id) ? undefined : entry
    }),
  )
}
