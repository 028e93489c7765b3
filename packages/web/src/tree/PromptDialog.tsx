import { Dialog } from '../shell/Dialog.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { type Prompt, prompt } from './prompt.ts'

export function PromptDialog() {
  const asked = useStore(prompt)
  return asked === undefined ? null : <Asked key={asked.title} {...asked} />
}

function Asked({ title, text, hint, answer }: Prompt) {
  return (
    <Dialog title={title} className="tree-prompt" onClose={() => answer(undefined)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          answer(String(new FormData(event.currentTarget).get('text') ?? ''))
        }}
      >
        <input name="text" defaultValue={text} aria-label={title} maxLength={200} autoComplete="off" />
        {hint !== undefined && <small>{hint}</small>}
        <div className="tree-prompt-buttons">
          <button type="button" onClick={() => answer(undefined)}>
            {t('Cancel')}
          </button>
          <button type="submit" className="primary">
            {t('Save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
