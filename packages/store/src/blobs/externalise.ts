import { type Entry, kindOf, treeReadsBody } from '@treeline/core'
import { isBlobRef, type PutBlob } from './blob-ref.ts'
import { Draft } from './draft.ts'
import { encodeText } from './full-text.ts'
import { formatPointer, type JsonPath } from './json-pointer.ts'
import { countLines, cutText, isWorthlessInPart, MAX_CHARS } from './large-text.ts'
import { isContentImage, isPlain, type Node, pathTo, type Step, walk } from './walk.ts'

const MIN_IMAGE_CHARS = 1024
const TRANSIENT_KEYS = ['partialJson', 'jsonlEvents']
const TRANSIENT: ReadonlySet<unknown> = new Set(TRANSIENT_KEYS)
/** Where none of these keys is, only a text longer than the limit gives `externalise` something to do. */
export const LARGE_KEYS: ReadonlySet<string> = new Set([...TRANSIENT_KEYS, 'data'])
/** Never touched at the top of an entry: what readers find it by, and where the full texts are named. */
const HEAD: ReadonlySet<unknown> = new Set(['type', 'id', 'parentId', 'timestamp', 'treelineFull'])

/**
 * Whether `externalise` may have something to do. Quick: asked on every append. `messageText` is the JSON of the entry's
 * message, where somebody has it already: a look at that takes a twentieth of one at every member.
 */
export function needsExternalising(entry: Entry, messageText?: string): boolean {
  if (messageText === undefined) {
    if (!looksLarge(entry, MAX_LOOK_DEPTH)) return false
  } else {
    const { message: _, ...others } = entry
    if (!textLooksLarge(messageText) && !looksLarge(others, MAX_LOOK_DEPTH)) return false
  }
  if (isReadByTree(entry)) return false
  let found = false
  walk(entry, (node, key, value) => {
    found = judge(node, key, value) !== undefined
    return found ? 'end' : stepAfter(node, key)
  })
  return found
}

/**
 * By the ends of the keys in question: a search for what begins with a rare letter is quick. A key may stand in JSON with
 * some of its letters escaped, but not in what `JSON.stringify` made.
 */
function textLooksLarge(text: string): boolean {
  if (text.length > MAX_CHARS || (text.length >= MIN_IMAGE_CHARS && text.includes('data":'))) return true
  return text.includes('Json":') || text.includes('Events":')
}

const MAX_LOOK_DEPTH = 64

/** A first look that makes nothing: whether any member could be a reason. What is nested too deep is left to the walk. */
function looksLarge(value: object, limit: number): boolean {
  if (limit === 0) return true
  for (const key in value) {
    const child = (value as Record<string, unknown>)[key]
    if (typeof child === 'string') {
      if (child.length > MAX_CHARS || (key === 'data' && child.length >= MIN_IMAGE_CHARS)) return true
    } else if (typeof child === 'object' && child !== null && looksLarge(child, limit - 1)) return true
    if (TRANSIENT.has(key)) return true
  }
  return false
}

/**
 * The entry as it is to be stored (S31): transient fields gone, large images as references to blobs, long text cut, with
 * the whole of it in a blob that `treelineFull` names. The blobs are durable when this resolves. Works on a copy; an
 * entry that needs nothing comes back as the same object, and so does one no log takes because it is nested too deep, and
 * what the tree reads.
 */
export async function externalise<T extends Entry>(entry: T, put: PutBlob): Promise<T> {
  if (isReadByTree(entry)) return entry
  const draft = new Draft(entry)
  const full: Record<string, string> = {}
  for (const { change, path, value } of findChanges(entry)) {
    if (change === 'remove') draft.remove(path)
    else if (change === 'image') await moveImage(draft, path, value as string, put)
    else full[formatPointer(path)] = await moveText(draft, path, value as string, put)
  }
  if (Object.keys(full).length > 0) {
    draft.set(['treelineFull'], { ...(isPlain(entry.treelineFull) ? entry.treelineFull : {}), ...full })
  }
  return draft.value
}

/** Edits, labels, names: the tree looks into no blob, and what an undo brings back would be the text that was cut. */
function isReadByTree({ type, customType }: Entry): boolean {
  return treeReadsBody(kindOf(type, customType))
}

interface Change {
  readonly change: 'remove' | 'image' | 'cut'
  readonly path: JsonPath
  readonly value: unknown
}

function findChanges(entry: Entry): Change[] {
  const changes: Change[] = []
  const isWhole = walk(entry, (node, key, value) => {
    const change = judge(node, key, value)
    if (change !== undefined) changes.push({ change, path: pathTo(node, key), value })
    return change === undefined ? stepAfter(node, key) : 'past'
  })
  return isWhole ? changes : []
}

function judge(node: Node, key: string | number, value: unknown): Change['change'] | undefined {
  if (TRANSIENT.has(key)) return 'remove'
  if (typeof value !== 'string' || value.length < MIN_IMAGE_CHARS) return undefined
  if (node.parent === undefined && HEAD.has(key)) return undefined
  if (key === 'data' && isContentImage(node)) return isBlobRef(value) ? undefined : 'image'
  return value.length > MAX_CHARS && !isWorthlessInPart(node.value, key, value) ? 'cut' : undefined
}

function stepAfter(node: Node, key: string | number): Step {
  return node.parent === undefined && HEAD.has(key) ? 'past' : 'into'
}

/** Only what comes back exactly: base64 with line ends, without padding or cut short stays as it is. */
async function moveImage(draft: Draft<Entry>, path: JsonPath, data: string, put: PutBlob): Promise<void> {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') === data) draft.set(path, await put(bytes))
}

async function moveText(draft: Draft<Entry>, path: JsonPath, text: string, put: PutBlob): Promise<string> {
  const ref = await put(encodeText(text))
  const cut = cutText(text)
  draft.set(path, cut)
  draft.recount(path, countLines(cut))
  return ref
}
