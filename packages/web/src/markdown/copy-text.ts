import { tell, tellProblem } from '../shell/notices.ts'
import { t } from '../words/language.ts'

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    tell(t('Copied'))
  } catch (error) {
    tellProblem(error)
  }
}
