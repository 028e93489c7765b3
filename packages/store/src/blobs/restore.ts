import { type Entry, TreelineError } from '@treeline/core'
import { errnoOf } from '../storage-error.ts'
import { type BlobRef, isBlobRef, type ReadBlob } from './blob-ref.ts'
import { Draft } from './draft.ts'
import { decodeText } from './full-text.ts'
import { formatPointer, type JsonPath, parsePointer } from './json-pointer.ts'
import { countLines, isCutOf } from './large-text.ts'
import { isContentImage, isPlain, type Node, pathTo, walk } from './walk.ts'

export interface Restored<T> {
  readonly entry: T
  /** References that stay as they are. */
  readonly unresolved: readonly UnresolvedBlob[]
}

export interface UnresolvedBlob {
  /** Where in the entry. */
  readonly pointer: string
  readonly ref: string
  /** `invalid`: not a reference, or the blob is not the text that was cut here. */
  readonly reason: 'missing' | 'damaged' | 'invalid'
}

type Form = 'base64' | 'text'

/**
 * The entry as it was before `externalise` (S32): images back as base64, long text whole again. A blob that is missing or
 * damaged leaves its place as stored and is reported; the rest of the entry is not kept from the reader (I3).
 */
export async function resolveBlobs<T extends Entry>(entry: T, read: ReadBlob): Promise<Restored<T>> {
  const draft = new Draft(entry)
  const unresolved: UnresolvedBlob[] = []
  const load = createLoader(read)
  for (const { path, ref, form } of findRefs(entry)) {
    const { text, reason } = await load(ref, form)
    if (text !== undefined) draft.set(path, text)
    else unresolved.push({ pointer: formatPointer(path), ref, reason })
  }
  for (const [pointer, ref] of Object.entries(isPlain(entry.treelineFull) ? entry.treelineFull : {})) {
    const place = isBlobRef(ref) ? findCut(entry, pointer) : undefined
    const { text, reason } = place === undefined ? INVALID : await load(ref as BlobRef, 'text')
    if (place === undefined || text === undefined || !isCutOf(place.cut, text)) {
      unresolved.push({ pointer, ref: String(ref), reason: text === undefined ? reason : 'invalid' })
      continue
    }
    draft.set(place.path, text)
    draft.recount(place.path, countLines(text))
    draft.remove(['treelineFull', pointer])
  }
  if (draft.value !== entry && isEmpty(draft.value.treelineFull)) draft.remove(['treelineFull'])
  return { entry: draft.value, unresolved }
}

interface Loaded {
  readonly text: string | undefined
  readonly reason: UnresolvedBlob['reason']
}

const GONE: ReadonlySet<string> = new Set(['damaged', 'forbidden'])
const INVALID: Loaded = { text: undefined, reason: 'invalid' }

/** Reads each blob once, however often the entry names it. */
function createLoader(read: ReadBlob): (ref: BlobRef, form: Form) => Promise<Loaded> {
  const loaded = new Map<string, Promise<Loaded>>()
  const load = async (ref: BlobRef, form: Form): Promise<Loaded> => {
    try {
      const bytes = await read(ref)
      return { text: bytes && (form === 'text' ? decodeText(bytes) : toBase64(bytes)), reason: 'missing' }
    } catch (error) {
      // One that cannot be had takes nothing else of its entry with it (I3).
      const isTooLong = errnoOf(error) === 'ERR_STRING_TOO_LONG'
      if (isTooLong || (error instanceof TreelineError && GONE.has(error.code)))
        return { text: undefined, reason: 'damaged' }
      throw error
    }
  }
  return (ref, form) => {
    const key = `${form} ${ref}`
    const found = loaded.get(key) ?? load(ref, form)
    loaded.set(key, found)
    return found
  }
}

interface FoundRef {
  readonly path: JsonPath
  readonly ref: BlobRef
  readonly form: Form
}

function findRefs(entry: Entry): FoundRef[] {
  const refs: FoundRef[] = []
  walk(entry, (node, key, value) => {
    const form = isBlobRef(value) ? formAt(node, key) : undefined
    if (form !== undefined) refs.push({ path: pathTo(node, key), ref: value as BlobRef, form })
    return 'into'
  })
  return refs
}

/** Where Treeline puts references, and the further places where oh-my-pi and xcsh do. */
function formAt(node: Node, key: string | number): Form | undefined {
  if (key === 'image_url') return 'text'
  if (key === 'result' && node.value.type === 'image_generation_call') return 'base64'
  return key === 'data' && (isContentImage(node) || isListedImage(node)) ? 'base64' : undefined
}

/** Images and frames that a tool or an extension of oh-my-pi lists beside its content. */
function isListedImage({ value, parent }: Node): boolean {
  if (parent === undefined || !Array.isArray(parent.value)) return false
  return parent.key === 'images'
    ? value.type === 'image'
    : parent.key === 'frames' && typeof value.mimeType === 'string'
}

/** The text a pointer names, if it is one that was cut: nothing else is ever replaced, whatever a file says. */
function findCut(entry: Entry, pointer: string): { readonly path: JsonPath; readonly cut: string } | undefined {
  const path = parsePointer(pointer)
  let at: unknown = entry
  for (const key of path ?? []) {
    if (!isPlain(at) || !Object.hasOwn(at, key)) return undefined
    at = at[key]
  }
  return path !== undefined && typeof at === 'string' ? { path, cut: at } : undefined
}

function isEmpty(value: unknown): boolean {
  return isPlain(value) && Object.keys(value).length === 0
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}
