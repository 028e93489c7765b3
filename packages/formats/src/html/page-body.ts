import { type Entry, plainText } from '@treeline/core'
import { imageAddress, imageWords } from '../transcript/image-words.ts'
import { type Part, partsOf } from '../transcript/parts.ts'
import { speakerOf } from '../transcript/speaker.ts'
import { escapeHtml } from './escape.ts'

/** A part as the page gets it. */
type PagePart =
  | Exclude<Part, { readonly type: 'image' }>
  | { readonly type: 'image'; readonly src: string | undefined; readonly words: string }

interface PageBody {
  readonly who: string
  readonly model: string | undefined
  readonly parts: readonly PagePart[]
}

export function bodyOf(entry: Entry | undefined): PageBody {
  const { title, model } = speakerOf(entry)
  const parts = entry === undefined ? [] : partsOf(entry)
  return { who: plainText(title), model: model && plainText(model), parts: parts.map(pagePart) }
}

function pagePart(part: Part): PagePart {
  switch (part.type) {
    case 'image':
      return {
        type: 'image',
        src: imageAddress(part.mimeType, part.data),
        words: imageWords(part.mimeType, part.data),
      }
    case 'call':
      return { ...part, name: plainText(part.name), input: plainText(part.input) }
    case 'output':
      return { ...part, name: plainText(part.name), text: plainText(part.text) }
    default:
      return { ...part, text: plainText(part.text) }
  }
}

/** Of an output without scripts: the whole is in the file twice otherwise. */
const MAX_STATIC_OUTPUT = 4000

/** The same for who has no scripts: the words as they were written, images told of. */
export function staticArticle({ who, model, parts }: PageBody): string {
  const head = `<header><b class="who">${escapeHtml(who)}</b>${model === undefined ? '' : ` ${escapeHtml(model)}`}</header>`
  return `<article>${head}${parts.map(staticPart).join('')}</article>\n`
}

function staticPart(part: PagePart): string {
  switch (part.type) {
    case 'text':
      return `<div class="said">${escapeHtml(part.text)}</div>`
    case 'thinking':
      return staticFold('Thinking', part.text)
    case 'call':
      return staticFold(part.name, part.input)
    case 'output':
      return staticFold(part.isError ? `${part.name} failed` : `Result of ${part.name}`, part.text)
    case 'image':
      return `<p class="remark">[${escapeHtml(part.words)}]</p>`
    case 'remark':
      return `<p class="remark">${escapeHtml(part.text)}</p>`
  }
}

function staticFold(title: string, text: string): string {
  const isCut = text.length > MAX_STATIC_OUTPUT
  const shown = isCut ? text.slice(0, MAX_STATIC_OUTPUT).toWellFormed() : text
  const rest = isCut ? '<p class="remark">The rest is shown where scripts may run.</p>' : ''
  return `<details><summary><b>${escapeHtml(title)}</b></summary><pre>${escapeHtml(shown)}</pre>${rest}</details>`
}
