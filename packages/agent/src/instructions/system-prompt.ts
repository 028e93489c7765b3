import type { AnyTool } from '../tools/tool.ts'

export interface PromptFacts {
  readonly cwd: string
  readonly platform: string
  /** Epoch milliseconds. Only the day is told: a prompt that changes by the minute is never found in a provider's cache. */
  readonly now: number
  readonly tools: readonly Pick<AnyTool, 'effect'>[]
}

const ABOUT = `You are the assistant in Treeline. A conversation here is a tree: the person may go back, take another way, or leave parts out of what you see. Work with what is in front of you, and ask when something you need is missing.`

const MANNERS = `Be brief and concrete. Answer in the person's language. Say what you did and what you saw; do not call done what you have not checked. If you are not sure, say so.`

const TOOLS = `You have tools. Relative paths start in the working folder. Look before you conclude: the files are the truth, not what you remember of them. Calls that do not depend on each other can be made together. When a call fails, read why, and do not repeat it unchanged.`

const CHANGES = `Read a file before you change it, keep to the style you find, and change no more than the task needs. A call may wait for the person's word; if they refuse, take their reason as the next instruction. Leave alone what cannot be undone unless they asked for it.`

/** The same text all day for the same folder and tools. */
export function defaultSystemPrompt({ cwd, platform, now, tools }: PromptFacts): string {
  const facts = [`Working folder: ${onOneLine(cwd)}`, `Today: ${dayOf(now)}`, `Platform: ${platform}`]
  const parts = [ABOUT, MANNERS]
  if (tools.length > 0) parts.push(TOOLS)
  if (tools.some(({ effect }) => effect !== 'read')) parts.push(CHANGES)
  return [...parts, facts.join('\n')].join('\n\n')
}

/** A folder may be called anything, also something that reads like a line of ours. */
export function onOneLine(path: string): string {
  return path.replace(/\p{Cc}/gu, '?')
}

function dayOf(now: number): string {
  const date = new Date(now)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
