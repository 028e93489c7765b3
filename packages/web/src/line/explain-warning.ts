import type { ContextPreview } from '@treeline/protocol'
import { t } from '../words/language.ts'

type Warning = ContextPreview['warnings'][number]

/** What was done to a line so that a provider takes it, in the reader's language; of what we do not know, the server's words. */
export function explainWarning({ code, detail }: Pick<Warning, 'code' | 'detail'>): string {
  switch (code) {
    case 'result_as_text':
      return t('The result of a tool stands as text, because its call is not sent.')
    case 'result_moved':
      return t('The result of a tool was moved up to its call.')
    case 'result_missing':
      return t('A call of a tool without a result got one that says so.')
    case 'call_renamed':
      return t('The id of a call was changed, because it was unusable or used twice.')
    default:
      return detail
  }
}
