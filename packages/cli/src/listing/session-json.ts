import type { IndexedSession, Usage } from '@treeline/store'

/** What `--json` says of a session. Keys stay; what is not known is `null`. */
export function sessionJson(session: IndexedSession) {
  const { usage, ownUsage } = session
  return {
    id: session.id ?? null,
    tool: session.source,
    path: session.path,
    cwd: session.cwd ?? null,
    parentSession: session.parentSession ?? null,
    name: session.name ?? null,
    firstPrompt: session.firstPrompt ?? null,
    createdAt: session.createdAt ?? null,
    lastActiveAt: session.lastActiveAt ?? null,
    entries: session.entryCount,
    messages: session.messageCount,
    branches: session.branchCount,
    leafId: session.leafId,
    models: session.models,
    usage: tokensJson(usage),
    cost: usage.cost,
    ownUsage: tokensJson(ownUsage),
    ownCost: ownUsage.cost,
    tags: session.tags,
    pinned: session.isPinned,
    archived: session.isArchived,
    sizeBytes: session.sizeBytes,
    damage: session.damageCount,
    problem: session.problem ?? null,
  }
}

function tokensJson({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage) {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }
}
