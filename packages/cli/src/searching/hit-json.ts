import type { SearchHit } from '@treeline/store'

/** What `--json` says of a hit. `tool` is whose session it is, as in lists; `toolsCalled` are those of the model. */
export function hitJson(hit: SearchHit) {
  const { snippet } = hit
  return {
    sessionId: hit.sessionId ?? null,
    sessionName: hit.sessionName ?? null,
    tool: hit.source,
    path: hit.path,
    cwd: hit.cwd ?? null,
    nodeId: hit.nodeId,
    role: hit.role,
    time: hit.time ?? null,
    toolsCalled: hit.tools,
    error: hit.isError,
    muted: hit.isMuted,
    pruned: hit.isPruned,
    deleted: hit.isDeleted,
    snippet: { text: snippet.text, matches: snippet.matches },
  }
}
