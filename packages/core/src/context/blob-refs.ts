import type { AgentMessage } from '../entry/message.ts'

/** A value kept in the blob store. The message wants it back as base64 of its bytes, or as the text it is. */
export interface BlobRef {
  readonly hash: string
  readonly form: 'base64' | 'text'
}

/** Nothing else is a reference: what a session file says must never become a path (K3). */
const BLOB_REF = /^blob:sha256:([a-f0-9]{64})$/

/** The references a message holds, in no particular order, repeated ones repeated. */
export function findBlobRefs(message: AgentMessage): readonly BlobRef[] {
  return findPlaces(message).map((place) => place.ref)
}

/** The message with its references looked up; those the lookup does not know stay. Never changes its input. */
export function replaceBlobRefs<T extends AgentMessage>(message: T, lookup: (ref: BlobRef) => string | undefined): T {
  let root: unknown = message
  for (const { node, key, ref } of findPlaces(message)) {
    const found = lookup(ref)
    if (found !== undefined) root = replaceIn(node, key, found)
  }
  return root as T
}

/** An object or array of the message; `value` is replaced by a changed copy as references below it are looked up. */
interface Node {
  value: Container
  readonly parent: Node | undefined
  readonly key: string | number
}

type Container = Readonly<Record<string, unknown>> | readonly unknown[]

interface Place {
  readonly node: Node
  readonly key: string
  readonly ref: BlobRef
}

/** Walks with a stack of its own: stored JSON may be nested deeper than the call stack allows. */
function findPlaces(message: AgentMessage): Place[] {
  const places: Place[] = []
  const open: Node[] = [{ value: message as unknown as Container, parent: undefined, key: '' }]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { value } = node
    if (Array.isArray(value)) {
      for (const [key, child] of value.entries()) if (isContainer(child)) open.push({ value: child, parent: node, key })
      continue
    }
    for (const [key, child] of Object.entries(value)) {
      if (isContainer(child)) open.push({ value: child, parent: node, key })
      const hash = typeof child === 'string' ? BLOB_REF.exec(child)?.[1] : undefined
      const form = hash === undefined ? undefined : findForm(node, key)
      if (hash !== undefined && form !== undefined) places.push({ node, key, ref: { hash, form } })
    }
  }
  return places
}

/** Where the tools put references: image blocks of the content, generated images, and data URLs at any depth. */
function findForm(node: Node, key: string): BlobRef['form'] | undefined {
  if (key === 'image_url') return 'text'
  const type = 'type' in node.value ? node.value.type : undefined
  if (key === 'result' && type === 'image_generation_call') return 'base64'
  const list = node.parent
  const inContent = list !== undefined && list.key === 'content' && list.parent?.parent === undefined
  return key === 'data' && type === 'image' && inContent && list.parent !== undefined ? 'base64' : undefined
}

function replaceIn(node: Node, key: string, text: string): unknown {
  let child: unknown = text
  let at: string | number = key
  for (let above: Node | undefined = node; above !== undefined; above = above.parent) {
    above.value = Array.isArray(above.value) ? above.value.with(at as number, child) : { ...above.value, [at]: child }
    child = above.value
    at = above.key
  }
  return child
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}
