import { plainText } from '@treeline/core'
import { useEffect, useState } from 'react'
import type { Context } from '../../context.ts'
import type { PickerRow } from './picker-row.ts'
import { type PreviewOf, readLastMessages } from './read-last-messages.ts'

export interface ReadPreview {
  readonly of?: PreviewOf
  readonly problem?: string
}

/** Whoever holds an arrow down looks at none of those on the way. */
const REST_MS = 60

/** What the chosen session says last, read once the cursor rests on it. */
export function usePreview(context: Context, row: PickerRow | undefined, count: number): ReadPreview {
  const [read, setRead] = useState<ReadPreview & { readonly key: string }>()
  const key = row?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which row it is.
  useEffect(() => {
    if (row === undefined || count <= 0) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const of = await readLastMessages(await context.index(), row, count, stop.signal)
        if (!stop.signal.aborted) setRead({ key: row.key, of })
      } catch (error) {
        // A session that cannot be read is no reason not to look at the others.
        const problem = plainText(error instanceof Error ? error.message : String(error))
        if (!stop.signal.aborted) setRead({ key: row.key, problem })
      }
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [context, key, count])
  return read !== undefined && read.key === key ? read : {}
}
