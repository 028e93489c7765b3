import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../chat/Icon.tsx'
import { t } from '../words/language.ts'

const FIELD = 'textarea, input:not([type="radio"], [type="checkbox"], [type="file"])'

interface DialogProps {
  readonly title: string
  readonly className?: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Stands before everything else: the browser keeps the focus in it, Escape and a click beside it close it. */
export function Dialog({ title, className = '', onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    // By itself the browser takes the first button, which closes it.
    element.current?.querySelector<HTMLElement>(FIELD)?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, which the browser tells by its own event.
    <dialog
      ref={element}
      className={`dialog ${className}`}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="dialog-inside">
        <header className="dialog-head">
          <h2>{title}</h2>
          <button type="button" className="icon" title={t('Close')} aria-label={t('Close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
