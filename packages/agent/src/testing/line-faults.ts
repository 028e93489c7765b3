import type { LineMessage } from '@treeline/core'

/** What every provider would refuse in a line; an empty list is a line that can be sent. */
export function lineFaults(messages: readonly LineMessage[]): string[] {
  const faults: string[] = []
  const said = messages[0]?.role === 'system' ? messages.slice(1) : messages
  if (said.length > 0 && said[0]!.role !== 'user') faults.push(`the first message is ${said[0]!.role}`)
  let open: readonly string[] = []
  for (const [i, message] of said.entries()) {
    const before = said[i - 1]?.role
    if (message.content.length === 0) faults.push(`${i}: empty`)
    if (message.role === 'system') faults.push(`${i}: system is not the first`)
    if (message.role === before) faults.push(`${i}: two messages of ${message.role}`)
    if (message.role === 'tool') {
      const answered = message.content.map(({ toolCallId }) => toolCallId)
      if (answered.join() !== open.join()) faults.push(`${i}: results of ${answered} to calls ${open}`)
      open = []
      continue
    }
    if (open.length > 0) faults.push(`${i}: no results for ${open}`)
    open =
      message.role === 'assistant' ? message.content.flatMap((p) => (p.type === 'tool_call' ? [p.toolCallId] : [])) : []
  }
  if (open.length > 0) faults.push(`the end: no results for ${open}`)
  return faults
}
