import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'

export interface DemoCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

type Values = Readonly<Record<'path' | 'command' | 'pattern' | 'content', string>>

/** How the arguments of tools are called here and elsewhere. */
const NAMES: Readonly<Record<keyof Values, readonly string[]>> = {
  path: ['path', 'file_path', 'filePath', 'file', 'dir'],
  command: ['command', 'cmd'],
  pattern: ['pattern', 'query'],
  content: ['content', 'contents', 'text'],
}

interface Rule {
  readonly words: RegExp
  readonly tool: string
  /** From what the words caught. */
  readonly values: (caught: readonly string[]) => Partial<Values>
}

/** A word, or several in quotes. */
const THING = '["“\'`]([^"”\'`\\n]{1,2000})["”\'`]|(\\S{1,500})'

const RULES: readonly Rule[] = [
  {
    words: new RegExp(`\\bwrite\\s+(?:${THING})\\s+(?:in)?to\\s+(?:${THING})`, 'i'),
    tool: 'write',
    values: writeValues,
  },
  { words: /\brun\s+`([^`\n]{1,2000})`/i, tool: 'bash', values: ([command = '']) => ({ command }) },
  { words: /\brun\s+["“']([^"”'\n]{1,2000})["”']/i, tool: 'bash', values: ([command = '']) => ({ command }) },
  { words: /\blist\s+(?:all\s+)?(?:the\s+)?files\b/i, tool: 'ls', values: () => ({ path: '.' }) },
  {
    words: new RegExp(`\\bsearch\\s+for\\s+(?:${THING})`, 'i'),
    tool: 'grep',
    values: ([pattern = '']) => ({ pattern }),
  },
  {
    words: new RegExp(`\\bread\\s+(?:the\\s+file\\s+)?(?:${THING})`, 'i'),
    tool: 'read',
    values: ([path = '']) => ({ path }),
  },
]

/** Harmless ones, of which two are called when several are wanted at once. */
const TOGETHER: readonly DemoCall[] = [
  { name: 'ls', input: { path: '.' } },
  { name: 'find', input: { pattern: '*.md' } },
  { name: 'grep', input: { pattern: 'TODO' } },
  { name: 'read', input: { path: 'README.md' } },
]

/** The tools that what was said asks for, of those that are offered. */
export function planCalls(asked: string, { tools = [], toolChoice }: LanguageModelV4CallOptions): readonly DemoCall[] {
  if (toolChoice?.type === 'none') return []
  const offered = new Map(tools.filter((tool) => tool.type === 'function').map((tool) => [tool.name, tool]))
  const named = findNamed(asked, offered)
  if (named !== undefined) return [named]
  if (/\btools\s+in\s+parallel\b/i.test(asked)) {
    return TOGETHER.filter(({ name }) => offered.has(name)).slice(0, 2)
  }
  for (const { words, tool, values } of RULES) {
    const caught = words.exec(asked)
    const found = offered.get(tool)
    if (caught === null || found === undefined) continue
    const things = caught.slice(1).filter((thing) => thing !== undefined)
    return [{ name: tool, input: inputFor(found, values(things)) }]
  }
  return []
}

/** `use the tool NAME with {…}`, for any tool there is. */
function findNamed(asked: string, offered: ReadonlyMap<string, unknown>): DemoCall | undefined {
  const caught = /\buse\s+the\s+tool\s+`?([\w-]{1,64})`?(?:\s+with\s+(\{[\s\S]*\}))?/i.exec(asked)
  if (caught === null || !offered.has(caught[1]!)) return undefined
  try {
    return { name: caught[1]!, input: JSON.parse(caught[2] ?? '{}') }
  } catch {
    // Not an object after all: then it was only talked about.
    return undefined
  }
}

function writeValues([content = '', path = '']: readonly string[]): Partial<Values> {
  return { content: `${content}\n`, path: trimEnd(path) }
}

/** As the tool calls its arguments. */
function inputFor(
  { inputSchema }: LanguageModelV4FunctionTool,
  values: Partial<Values>,
): Readonly<Record<string, string>> {
  const known = Object.keys(inputSchema.properties ?? {})
  const input: Record<string, string> = {}
  for (const [meaning, value] of Object.entries(values) as [keyof Values, string][]) {
    const names = NAMES[meaning]
    input[names.find((name) => known.includes(name)) ?? names[0]!] = meaning === 'path' ? trimEnd(value) : value
  }
  return input
}

/** The end of a sentence is no part of a path. */
function trimEnd(path: string): string {
  return path.length > 1 ? path.replace(/[.,;:!?]$/, '') : path
}
