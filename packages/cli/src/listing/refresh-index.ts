import { preview } from '@treeline/core'
import type { RefreshOptions, RefreshReport, SessionIndex } from '@treeline/store'
import type { Context } from '../context.ts'
import { counted } from '../output/amount.ts'

export interface FreshIndex {
  readonly index: SessionIndex
  readonly problems: RefreshReport['problems']
}

/**
 * The index, as of now: a session that was begun a second ago is in it. The first time this reads everything, later it
 * looks at sizes and times. What cannot be read is told of and hides nothing else (I7).
 */
export async function refreshIndex(
  context: Context,
  { withinMs }: Pick<RefreshOptions, 'withinMs'> = {},
): Promise<FreshIndex> {
  const { out, signal } = context
  const index = await context.index()
  const bar = context.progress('Reading sessions')
  try {
    const { problems } = await index.refresh({
      withinMs,
      signal,
      onProgress: ({ bytesDone, bytesTotal }) => bar.update(bytesDone, bytesTotal),
    })
    bar.end()
    const [first] = problems
    if (first !== undefined) {
      const what = `${counted(problems.length, 'file or folder', 'files or folders')} could not be read`
      out.note(`${what}, such as ${preview(first.path, 400)}: ${preview(first.problem, 200)}`)
    }
    return { index, problems }
  } finally {
    bar.end()
  }
}
