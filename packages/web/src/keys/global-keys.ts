type Handler = () => void

/** Whether what is typed goes somewhere as text, or belongs to something open on top. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('dialog, [role="menu"]') !== null) return true
  return target.isContentEditable || target.matches('input, textarea, select')
}

/** Single keys that work wherever one is, unless one writes or a view has taken the key for itself. */
export function listenForKeys(handlers: Readonly<Record<string, Handler>>): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const handler = handlers[event.key]
    if (handler === undefined) return
    event.preventDefault()
    handler()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
