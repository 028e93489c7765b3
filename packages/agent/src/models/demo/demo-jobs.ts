import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { shorten, textOf } from './demo-text.ts'

const TITLE_WORDS = 6
const POINT_CHARS = 160
const MAX_POINTS = 8

interface Said {
  readonly from: string
  readonly text: string
}

/** What it answers when it is asked for a summary, a merge or a title instead of talking; `undefined` otherwise. */
export function demoJob({ prompt, providerOptions }: LanguageModelV4CallOptions): string | undefined {
  const purpose = providerOptions?.treeline?.purpose
  const given = prompt.map((message) => (message.role === 'user' ? textOf(message.content) : '')).join('\n')
  switch (purpose) {
    case 'title':
      return title(given)
    case 'summary':
    case 'branch-summary':
      return summary(given)
    case 'merge':
      return merge(given)
    default:
      return undefined
  }
}

function title(given: string): string {
  const first = said(given).find(({ from }) => from === 'user')?.text ?? given
  const words = first.replace(/[^\p{L}\p{N}\s'-]/gu, ' ').match(/\S+/g) ?? []
  return shorten(words.slice(0, TITLE_WORDS).join(' '), 60) || 'Untitled'
}

/** In the parts that a summary has here (M13). */
function summary(given: string): string {
  const pieces = said(given)
  const user = pieces.filter(({ from }) => from === 'user')
  const answers = pieces.filter(({ from }) => from === 'assistant')
  const failed = pieces.filter(({ from }) => from === 'failure')
  // Of the notes so far, not of the outline that the task shows.
  const [, notes = ''] = /<summary>\n([\s\S]*?)\n<\/summary>/.exec(given) ?? []
  const before = /^## Goal\n+(?:- )?(.+)$/m.exec(notes)?.[1]
  return [
    `## Goal\n${point(before ?? user[0]?.text ?? given)}`,
    '## Constraints & Preferences\n- None were noted.',
    `## Progress\n### Done\n${points(answers)}\n### In Progress\n${points(user.slice(-1))}\n### Blocked\n${points(failed)}`,
    '## Key Decisions\n- None were noted.',
    `## Next Steps\n${points(user.slice(-1))}`,
    `## Critical Context\n- ${pieces.length} pieces were summarised by Treeline's demo, not by a real model.`,
  ].join('\n\n')
}

function merge(given: string): string {
  const answers = said(given).filter(({ from }) => from === 'assistant')
  const merged = answers.length > 0 ? points(answers) : point(given)
  return `Merged by Treeline's demo, not by a real model. What the branches say:\n\n${merged}`
}

function points(pieces: readonly Said[]): string {
  if (pieces.length === 0) return '- Nothing.'
  const shown = pieces.slice(-MAX_POINTS).map(({ text }) => point(text))
  return [...(pieces.length > MAX_POINTS ? [`- ${pieces.length - MAX_POINTS} earlier ones.`] : []), ...shown].join('\n')
}

function point(text: string): string {
  return `- ${shorten(text, POINT_CHARS) || 'Nothing was said.'}`
}

/** Who said what, from the tagged pieces that a conversation is given in. Cut at the tags: nothing is searched twice. */
function said(given: string): readonly Said[] {
  return given
    .split(/(?=<message from="|<result tool=")/)
    .map((piece) => {
      const [, from, attributes = ''] = /^<(?:message from="([^"]*)"|result ([^>]*))>/.exec(piece) ?? []
      const text = piece.replace(/^<[^>]*>/, '').replace(/<\/(?:message|result)>[\s\S]*$/, '')
      return { from: from ?? (attributes.includes('error="true"') ? 'failure' : 'result'), text: text.trim() }
    })
    .filter(({ text }, i) => i > 0 && text !== '')
}
