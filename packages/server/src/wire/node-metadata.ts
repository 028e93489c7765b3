import { type Entry, Flag, Kind, MERGE_TYPE, type Tree } from '@treeline/core'
import type { NodeMetadata } from '@treeline/protocol'
import { isObject, type JsonObject, numberOr, objectOr, textOr, textsOf } from './json.ts'
import { outcomeOf } from './node-outcome.ts'
import { kindOfNode } from './node-role.ts'

/** Under this name in `ext` stands what Treeline keeps of a node and the wire has no field for. */
export const OWN_EXT = 'treeline'
/** The keys of a node's own values that stand there. */
export const OWN_KEYS = ['pinned', 'note', 'stashTitle'] as const

/** `undefined` when there is nothing to tell. `entry` as for `toNode`. */
export function metadataOf(tree: Tree, ref: number, entry: Entry | undefined): NodeMetadata | undefined {
  const isGenerating = tree.columns.has(ref, Flag.generating)
  const ext = extOf(tree, ref, entry)
  return told({ ...fromEdits(tree, ref), ...fromLine(tree, ref, entry, isGenerating), ext })
}

/** What its own line tells of a node, whatever has been said of it since. */
export function firstMetadataOf(
  tree: Tree,
  ref: number,
  entry: Entry | undefined,
  isGenerating: boolean,
): NodeMetadata | undefined {
  const ext = { ...contextOf(tree, ref), ...objectOr(entry?.ext) }
  return told({
    ...fromLine(tree, ref, entry, isGenerating),
    ext: isEmpty(ext) && !isObject(entry?.ext) ? undefined : ext,
  })
}

function told(all: NodeMetadata): NodeMetadata | undefined {
  const entries = Object.entries(all).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function fromLine(tree: Tree, ref: number, entry: Entry | undefined, isGenerating: boolean): NodeMetadata {
  return {
    ...(isGenerating ? fromAnnouncement(entry) : fromBody(entry)),
    kind: entry?.customType === MERGE_TYPE ? 'merge' : kindOfNode(tree, ref),
    generationId: generationIdOf(tree, ref),
  }
}

/** The id of the line that announced an answer names its generation. */
export function generationIdOf(tree: Tree, ref: number): string | undefined {
  const row = tree.orderOf(ref)
  const announced = row < 0 ? ref : tree.refAtRow(row)
  return tree.columns.kind[announced] === Kind.generation ? tree.ids.textOf(announced) : undefined
}

/** The label that other tools know, and those beside it. */
export function labelsOf({ edits, ids }: Pick<Tree, 'edits' | 'ids'>, ref: number): string[] {
  const label = edits.labels.get(ids.textOf(ref))?.label
  return [...new Set([...(label === undefined ? [] : [label]), ...textsOf(edits.meta.get(ref)?.get('labels'))])]
}

function fromEdits({ edits, ids }: Tree, ref: number): NodeMetadata {
  const meta = edits.meta.get(ref)
  const labels = labelsOf({ edits, ids }, ref)
  const original = edits.copies.get(ref)?.original
  return {
    rating: numberOr(meta?.get('rating')),
    labels: labels.length === 0 ? undefined : labels,
    copiedFrom: original === undefined ? undefined : ids.textOf(original),
  }
}

function fromAnnouncement(entry: Entry | undefined): NodeMetadata {
  return { model: textOr(objectOr(entry?.data).model) || undefined }
}

function fromBody(entry: Entry | undefined): NodeMetadata {
  const { finishReason, isTruncated, error } = outcomeOf(entry)
  const message = objectOr(entry?.message)
  const details = objectOr(entry?.details)
  const usage = objectOr(message.usage ?? entry?.usage ?? details.usage)
  return {
    model: modelOf(message),
    finishReason,
    isTruncated,
    error,
    latency: latencyOf(message, details),
    ...spentOn(usage),
    summarizedFrom: idsOf(details.summarizedFrom),
    mergedFrom: idsOf(details.mergedFrom),
    editedFrom: textOr(entry?.editedFrom) || undefined,
  }
}

function modelOf({ provider, model, askedModel }: JsonObject): string | undefined {
  const name = textOr(model)
  if (name === '') return textOr(askedModel) || undefined
  return textOr(provider) === '' ? name : `${textOr(provider)}/${name}`
}

function latencyOf({ latency }: JsonObject, { latencyMs }: JsonObject): NodeMetadata['latency'] {
  const totalMs = numberOr(objectOr(latency).totalMs) ?? numberOr(latencyMs)
  const firstTokenMs = numberOr(objectOr(latency).firstTokenMs)
  return totalMs === undefined ? undefined : { totalMs, ...(firstTokenMs !== undefined && { firstTokenMs }) }
}

/** `input` is what no cache had, so that what was sent is all three together. */
function spentOn(usage: JsonObject): Pick<NodeMetadata, 'tokenCount' | 'cost'> {
  const [input, output] = [numberOr(usage.input), numberOr(usage.output)]
  if (input === undefined || output === undefined) return {}
  const cacheRead = numberOr(usage.cacheRead) ?? 0
  const cacheWrite = numberOr(usage.cacheWrite) ?? 0
  const amount = numberOr(objectOr(usage.cost).total)
  return {
    tokenCount: { context: input + cacheRead + cacheWrite, output, cacheRead, cacheWrite },
    cost: amount === undefined ? undefined : { amount, currency: 'USD' },
  }
}

function idsOf(value: unknown): string[] | undefined {
  const ids = textsOf(value)
  return ids.length === 0 ? undefined : ids
}

/** What an answer was given is the line to its parent as of its announcement: see docs/adr/0009. */
function contextOf(tree: Tree, ref: number): JsonObject {
  return generationIdOf(tree, ref) === undefined ? {} : { contextVersion: tree.heads.line[tree.orderOf(ref)] }
}

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0
}

/** What the line brought, and over it what was set later. */
function extOf(tree: Tree, ref: number, entry: Entry | undefined): JsonObject | undefined {
  const meta = tree.edits.meta.get(ref)
  const own = OWN_KEYS.flatMap((key) => (meta?.has(key) ? [[key, meta.get(key)]] : []))
  const set = meta?.get('ext')
  const context = contextOf(tree, ref)
  if (!isObject(entry?.ext) && !isObject(set) && own.length === 0 && isEmpty(context)) return undefined
  const ext = { ...context, ...objectOr(entry?.ext), ...objectOr(set) }
  return own.length === 0 ? ext : { ...ext, [OWN_EXT]: Object.fromEntries(own) }
}
