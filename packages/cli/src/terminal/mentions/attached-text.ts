import type { AttachedFile } from '@treeline/core'
import { numberText } from '../../output/amount.ts'
import { t } from '../../output/language.ts'

/** A file that went with a prompt, in a line of the transcript. */
export function attachedText({ path, count, isCut }: AttachedFile): string {
  if (count === undefined) return t('+ {path} (image)', { path })
  const value = numberText(count)
  if (path.endsWith('/')) {
    return count === 1 ? t('+ {path} (1 name)', { path }) : t('+ {path} ({count} names)', { path, count: value })
  }
  if (isCut) return t('+ {path} (the first {count} lines)', { path, count: value })
  return count === 1 ? t('+ {path} (1 line)', { path }) : t('+ {path} ({count} lines)', { path, count: value })
}
