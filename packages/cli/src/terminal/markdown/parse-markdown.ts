import type { Block, Code, Container, Leaf } from './blocks.ts'
import { continueContainer, indentOf, isRule, openContainer } from './containers.ts'
import { isDelimiterRow, splitRow, startTable } from './parse-table.ts'

/** Deeper marks are text. */
const MAX_DEPTH = 8
const MAX_LANGUAGE = 20

const FENCE = /^(?:`{3,}(?=[^`]*$)|~{3,})/
const HEADING = /^(#{1,6})(?: |$)/

interface State {
  readonly blocks: Block[]
  containers: readonly Container[]
  /** What the next line may add to. */
  open: Leaf | undefined
  hasGap: boolean
}

/**
 * The blocks of a text without tabs. Never throws; whatever is not finished yet, such as code without an end, goes as far
 * as the text. Takes time in proportion to the text.
 */
export function parseMarkdown(text: string): readonly Block[] {
  const state: State = { blocks: [], containers: [], open: undefined, hasGap: false }
  for (const line of text.split('\n')) addLine(state, line)
  return state.blocks
}

function addLine(state: State, line: string): void {
  const isInCode = state.open?.type === 'code'
  let rest = line
  let depth = 0
  for (; depth < state.containers.length; depth++) {
    const next = continueContainer(state.containers[depth]!, rest, isInCode)
    if (next === undefined) break
    rest = next
  }
  const isInside = depth === state.containers.length
  if (state.open?.type === 'code' && isInside) {
    addCode(state, state.open, rest)
    return
  }
  if (rest.trim() === '') {
    state.containers = state.containers.slice(0, depth)
    state.open = undefined
    state.hasGap = true
    return
  }

  const containers = state.containers.slice(0, depth)
  const isParagraphOpen = state.open?.type === 'paragraph'
  while (containers.length < MAX_DEPTH && !isRule(rest)) {
    const isFirst = containers.length === depth
    const sibling = isFirst ? state.containers[depth] : undefined
    const opened = openContainer(rest, { isInterrupting: isFirst && isInside && isParagraphOpen, sibling })
    if (opened === undefined) break
    containers.push(opened.container)
    rest = opened.rest
  }
  const isNew = containers.length > depth
  const leaf = startLeaf(rest)
  // A paragraph goes on without the marks of what it stands in.
  const isLazy = !isNew && isParagraphOpen && leaf === undefined
  if (!isLazy && (isNew || !isInside)) {
    state.containers = containers
    state.open = undefined
  }
  if (leaf === undefined) addText(state, rest.trim())
  else push(state, leaf)
}

function push(state: State, leaf: Leaf): void {
  state.blocks.push({ leaf, containers: state.containers, hasGap: state.hasGap })
  state.hasGap = false
  state.open = leaf
}

function startLeaf(line: string): Leaf | undefined {
  const indent = indentOf(line)
  const text = line.slice(indent).trimEnd()
  const fence = FENCE.exec(text)?.[0]
  if (fence !== undefined) {
    const [language = ''] = text
      .slice(fence.length)
      .trim()
      .split(/[\s{,]/, 1)
    return { type: 'code', language: language.slice(0, MAX_LANGUAGE).toLowerCase(), lines: [], fence, indent }
  }
  const marks = HEADING.exec(text)?.[1]
  if (marks !== undefined) return { type: 'heading', level: marks.length, text: headingText(text.slice(marks.length)) }
  return isRule(text) ? { type: 'rule' } : undefined
}

/** Without the marks that may close it. */
function headingText(text: string): string {
  const trimmed = text.trim()
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end--
  return end === 0 || trimmed[end - 1] === ' ' ? trimmed.slice(0, end).trim() : trimmed
}

function addCode(state: State, code: Code, line: string): void {
  const text = line.trim()
  const isEnd = text.length >= code.fence.length && text.startsWith(code.fence) && isAllOf(text, code.fence[0]!)
  if (isEnd) state.open = undefined
  else code.lines.push(line.slice(Math.min(code.indent, indentOf(line))))
}

function isAllOf(text: string, character: string): boolean {
  for (let at = 0; at < text.length; at++) if (text[at] !== character) return false
  return true
}

function addText(state: State, line: string): void {
  const { open } = state
  if (open?.type === 'table' && line.includes('|')) {
    open.rows.push(splitRow(line))
  } else if (open?.type !== 'paragraph') {
    push(state, { type: 'paragraph', lines: [line] })
  } else if (open.lines.at(-1)?.includes('|') && isDelimiterRow(line)) {
    const header = open.lines.pop() ?? ''
    const emptied = open.lines.length === 0 ? state.blocks.pop() : undefined
    state.hasGap = emptied?.hasGap ?? false
    push(state, startTable(header, line))
  } else {
    // A marker with nothing behind it has its text on the next line.
    if (open.lines[0] === '') open.lines.pop()
    open.lines.push(line)
  }
}
