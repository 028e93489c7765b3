import {
  type Entry,
  Flag,
  isNamedByPerson,
  Kind,
  nodePath,
  preview,
  Role,
  TreelineError,
  textOf,
  type Usage,
  withoutAttached,
} from '@treeline/core'
import type { Session } from '@treeline/store'
import { cut, escapeTags } from '../compaction/serialise.ts'
import type { AgentEnv } from '../env.ts'
import type { Model } from '../models/model.ts'
import { askForText } from './ask-for-text.ts'
import { leafRef } from './target.ts'
import { TITLE_GRAPHEMES, toTitle } from './title-text.ts'

export interface TitleRequest {
  readonly model: Model
  readonly signal: AbortSignal
}

const SYSTEM = `You name conversations between a person and a coding assistant, for a list of them. \
What you are shown is a record: you do not answer it. You reply with the name alone.`

const TASK = `Give this conversation a name of three to seven words that says what it is about, in the language the person \
uses. No quotes, no full stop, one line.`

/** Enough for models that think before they answer. */
const MAX_OUTPUT = 1_024
const SHOWN_CHARS = 2_000
const BATCH = 32

/**
 * Gives a session a name once there is something to name: a prompt and an answer to it. A name that a person gave stays,
 * also one given while the model thinks. Without a model that can be asked, the first prompt is the name. Returns the name
 * it gave, if it gave one.
 */
export async function titleSession(
  env: AgentEnv,
  session: Session,
  { model, signal }: TitleRequest,
): Promise<string | undefined> {
  if (isNamed(session)) return undefined
  const start = await readStart(session)
  if (start === undefined) return undefined
  const { title, usage } = await findTitle(env, session, start, { model, signal })
  const isGiven = title !== '' && title !== session.name && !signal.aborted && (await giveName(session, title))
  if (usage !== undefined) await noteUsage(session, model, usage, start.answerId)
  return isGiven ? title : undefined
}

function isNamed({ tree, header }: Session): boolean {
  // Where nothing is said of who gave a title, it was a person.
  const isHeaderOurs = header.title === undefined || header.title === '' || header.titleSource === 'auto'
  return !isHeaderOurs || isNamedByPerson(tree.edits)
}

/** Looked at once more where it counts, under the lock. */
async function giveName(session: Session, name: string): Promise<boolean> {
  const { entry } = await session.edit({ operations: [{ op: 'name', name, ifAuto: true }], auto: true })
  return entry !== undefined
}

interface Start {
  readonly prompt: string
  readonly answer: string
  readonly answerId: string
}

/** The first prompt of the trunk and the first answer to it that is one. */
async function readStart(session: Session): Promise<Start | undefined> {
  const { tree, leafId } = session
  const { columns, ids } = tree
  const said = nodePath(tree, leafRef(tree, leafId)).filter((ref) => {
    if (columns.kind[ref] !== Kind.message || columns.has(ref, Flag.muted | Flag.generating)) return false
    return columns.role[ref] === Role.user || columns.role[ref] === Role.assistant
  })
  let prompt = ''
  for (let start = 0; start < said.length; start += BATCH) {
    const entries = await session.readEntries(said.slice(start, start + BATCH).map((ref) => ids.textOf(ref)))
    for (const entry of entries) {
      if (entry === undefined) continue
      const { role, stopReason } = (entry.message ?? {}) as Readonly<Record<string, unknown>>
      const text = textOf(withoutAttached(entry as Entry)).trim()
      if (role === 'user') prompt ||= text
      else if (prompt !== '' && text !== '' && (stopReason === undefined || FINISHED.has(stopReason))) {
        return { prompt, answer: text, answerId: entry.id }
      }
    }
  }
  return undefined
}

const FINISHED = new Set<unknown>(['stop', 'length'])

interface Found {
  readonly title: string
  readonly usage?: Usage
}

async function findTitle(env: AgentEnv, session: Session, start: Start, request: TitleRequest): Promise<Found> {
  const { model, signal } = request
  // A made-up name from before is no worse than the first prompt.
  const fallback = { title: session.name === undefined ? preview(start.prompt, TITLE_GRAPHEMES) : '' }
  if (model.provider === 'demo') return fallback
  const shown = (from: string, text: string) =>
    `<message from="${from}">\n${escapeTags(cut(text, SHOWN_CHARS))}\n</message>`
  const record = [shown('user', start.prompt), shown('assistant', start.answer)].join('\n\n')
  const prompt = `<conversation>\n${record}\n</conversation>\n\n${TASK}`
  const maxOutput = Math.min(MAX_OUTPUT, model.info.maxOutput)
  try {
    const { text, usage } = await askForText(env, session, model, {
      ...{ system: SYSTEM, prompt, maxOutput, signal },
      purpose: 'title',
    })
    return { title: toTitle(text) || fallback.title, usage }
  } catch (error) {
    if (signal.aborted) return { title: '' }
    // A name is not worth an error: the prompt stands for it, and the model's trouble shows in the next answer.
    if (error instanceof TreelineError) return fallback
    throw error
  }
}

/** What was paid, beside the tree: the leaf stays, also where an answer is being generated. */
async function noteUsage(session: Session, model: Model, usage: Usage, parentId: string): Promise<void> {
  const entry = { type: 'usage', kind: 'title', provider: model.provider, model: model.id, usage }
  await session.append(entry, { parentId, leaf: 'stay' })
}
