import type { KeyboardEvent } from 'react'
import type { Command } from './message-commands.ts'

interface MessageKeys {
  readonly commands: readonly Command[]
  readonly onSibling: (step: -1 | 1) => void
}

/** Keys on a message that has the focus itself: up and down to the next, right into its toolbar, letters for its commands. */
export function onMessageKey(event: KeyboardEvent<HTMLElement>, { commands, onSibling }: MessageKeys): void {
  const article = event.currentTarget
  if (event.key === 'Escape' && event.target !== article) {
    article.focus()
    return
  }
  if (event.target !== article || event.ctrlKey || event.metaKey || event.altKey) return
  if (!act(event, { commands, onSibling })) return
  event.preventDefault()
}

function act(
  { key, currentTarget: article }: KeyboardEvent<HTMLElement>,
  { commands, onSibling }: MessageKeys,
): boolean {
  switch (key) {
    case 'ArrowUp':
      return focusNext(article, -1)
    case 'ArrowDown':
      return focusNext(article, 1)
    case 'ArrowRight':
      article.querySelector<HTMLElement>('.message-toolbar button')?.focus()
      return true
    case '[':
      onSibling(-1)
      return true
    case ']':
      onSibling(1)
      return true
    default: {
      const command = commands.find((one) => one.key === key)
      command?.run()
      return command !== undefined
    }
  }
}

/** The one above or below, or the end of the list, which is the box to write in. */
function focusNext(article: HTMLElement, step: -1 | 1): boolean {
  const all = [...(article.closest('.chat-scroll')?.querySelectorAll<HTMLElement>('article, .hidden-mark') ?? [])]
  const next = all[all.indexOf(article) + step]
  if (next !== undefined) next.focus()
  else if (step === 1) article.closest('.chat')?.querySelector<HTMLElement>('.composer textarea')?.focus()
  return true
}
