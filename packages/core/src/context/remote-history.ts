import type { Entry } from '../entry/entry.ts'
import { isObject, isText } from './json.ts'

/** A provider's own compacted history, as xcsh and oh-my-pi hand it back to that provider. */
export interface RemoteHistory {
  readonly type: 'openaiResponsesHistory'
  readonly provider: string
  readonly items: readonly unknown[]
}

/** Both parts must be usable, else the compaction is read as an ordinary one. */
export function readRemoteHistory(compaction: Entry): RemoteHistory | undefined {
  const { preserveData } = compaction
  const remote = isObject(preserveData) ? preserveData.openaiRemoteCompaction : undefined
  if (!isObject(remote) || !isText(remote.provider) || !Array.isArray(remote.replacementHistory)) return undefined
  return { type: 'openaiResponsesHistory', provider: remote.provider, items: remote.replacementHistory }
}
