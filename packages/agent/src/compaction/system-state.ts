import type { SystemMessage } from '@treeline/core'

/**
 * What several system messages of a path add up to, as Pi replays them: texts one after the other, sections patched by
 * name, tools taken away and added in order. A compaction restates it, or the system prompt above it would be lost.
 */
export function joinSystemMessages(messages: readonly SystemMessage[], timestamp: number): SystemMessage | undefined {
  if (messages.length === 0) return undefined
  const texts: string[] = []
  const sections = new Map<string, string>()
  const tools = new Map<string, unknown>()
  for (const message of messages) {
    const text = textOf(message.content)
    if (text.trim() !== '') texts.push(text)
    for (const [name, section] of Object.entries(message.sections ?? {})) {
      if (typeof section === 'string') sections.set(name, section)
      else sections.delete(name)
    }
    for (const tool of listOf(message.toolsRemoved)) tools.delete(nameOf(tool))
    for (const tool of listOf(message.toolsAdded)) tools.set(nameOf(tool), tool)
  }
  return {
    role: 'system',
    content: texts.join('\n\n'),
    ...(sections.size > 0 && { sections: Object.fromEntries(sections) }),
    ...(tools.size > 0 && { toolsAdded: [...tools.values()] }),
    timestamp,
  }
}

/** All of its words, as the line would say them. */
export function systemText({ content, sections }: SystemMessage): string {
  return [textOf(content), ...Object.values(sections ?? {})].filter((text) => typeof text === 'string').join('\n\n')
}

function textOf(content: SystemMessage['content']): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((block) => (block as { readonly text?: unknown } | null)?.text)
    .filter((text) => typeof text === 'string')
    .join('\n\n')
}

function nameOf(tool: unknown): string {
  const name = (tool as { readonly name?: unknown } | null)?.name
  return typeof name === 'string' ? name : JSON.stringify(tool)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
