import type { Settings } from '../settings/settings.ts'
import { neovatePolicy } from './neovate-policy.ts'
import { piPolicy } from './pi-policy.ts'
import type { CompactionPolicy } from './policy.ts'

export function choosePolicy({ compaction }: Pick<Settings, 'compaction'>): CompactionPolicy {
  return compaction.policy === 'neovate' ? neovatePolicy() : piPolicy(compaction)
}
