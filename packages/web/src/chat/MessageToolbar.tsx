import type { KeyboardEvent } from 'react'
import { t } from '../words/language.ts'
import { Icon } from './Icon.tsx'
import type { Command } from './message-commands.ts'

/** The message is the tab stop; from there the arrows lead in here. */
export function MessageToolbar({ commands }: { readonly commands: readonly Command[] }) {
  return (
    <div className="message-toolbar" role="toolbar" aria-label={t('What to do with this message')} onKeyDown={walk}>
      {commands.map(({ key, icon, label, isOff = false, run }) => (
        <button
          key={key}
          type="button"
          className="icon"
          tabIndex={-1}
          title={`${label}  (${key})`}
          aria-label={label}
          aria-keyshortcuts={key}
          aria-disabled={isOff}
          onClick={run}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  )
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const next = buttons.indexOf(event.target as HTMLButtonElement) + step
  event.preventDefault()
  event.stopPropagation()
  if (next < 0) event.currentTarget.closest<HTMLElement>('article')?.focus()
  else buttons[next]?.focus()
}
