import type { EditPlan } from '@treeline/core'
import type { OpenedFile } from '@treeline/formats'
import { explainInPlace, type Session } from '@treeline/store'
import type { OptionSpecs } from '../args/command.ts'
import type { Context } from '../context.ts'
import { shellWord } from '../output/shell-word.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { openTarget } from '../target.ts'
import { compareSizes, sizeOf } from './line-size.ts'

/** What a command is going to do to an open session. */
export interface Change {
  readonly perform: (session: Session) => Promise<EditPlan>
  /** What was done, in lines for a person. Asked afterwards. */
  readonly tell: (plan: EditPlan, session: Session) => Iterable<string> | AsyncIterable<string>
  /** Said instead when everything is so already. */
  readonly already: string
  /** Known beforehand: nothing is performed then. An edit also finds out by itself where it changes nothing. */
  readonly isSo?: boolean
  /** A name or label, which is not meant to change what a model gets. */
  readonly isAside?: boolean
  /** What reverses it: the edit is undone by its id, unless it is an undo itself. */
  readonly reverse?: 'redo'
  /** Fields of the document beside the common ones. */
  readonly json?: Readonly<Record<string, unknown>>
}

export interface ChangeTarget {
  readonly file: string | undefined
  readonly inPlace: boolean | undefined
}

export const inPlaceOption = {
  'in-place': {
    type: 'boolean',
    help: "change another tool's file itself; what was written then lasts only as long as that tool keeps it",
  },
} as const satisfies OptionSpecs

export const CHANGE_JSON =
  '{"sessionId","path","changed","editId","leafId","operations":[…],"changedIds":[…],' +
  '"warnings":[{"code","nodeIds","detail"}],"line":{"before":{"messages","tokens"},"after":{"messages","tokens"}}}; editId is null when nothing had to change'

/**
 * Opens a session for writing, carries a change out and tells what became of it: what is different, what a model would get
 * now, and how to take it back.
 */
export async function changeSession(
  context: Context,
  { file, inPlace }: ChangeTarget,
  prepare: (session: Session, opened: OpenedFile) => Change | Promise<Change>,
): Promise<number> {
  await using opened = await openTarget(context, file, { write: true, inPlace })
  const { session } = opened
  const change = await prepare(session, opened)
  const before = sizeOf(await session.line())
  const plan = change.isSo ? undefined : await change.perform(session)
  const entry = plan?.entry
  const after = entry === undefined ? before : sizeOf(await session.line())
  context.out.json({
    sessionId: session.id,
    path: opened.path,
    changed: entry !== undefined,
    editId: entry?.id ?? null,
    leafId: session.leafId,
    operations: (entry && plan?.operations) ?? [],
    changedIds: (entry && plan?.changedIds) ?? [],
    warnings: plan?.warnings ?? [],
    line: { before, after },
    ...change.json,
  })
  if (plan === undefined || entry === undefined) {
    context.out.print(`${change.already} Nothing was written.`)
    return 0
  }
  for await (const line of change.tell(plan, session)) context.out.print(line)
  for (const { detail } of plan.warnings) context.out.print(paint('warn', detail))
  const isSame = before.messages === after.messages && before.tokens === after.tokens
  if (!isSame || change.isAside !== true) context.out.print(compareSizes(before, after))
  if (session.isInPlace) for (const line of inPlaceText(opened, plan)) context.out.note(paint('warn', line))
  const name = session.isInPlace ? `${shellWord(opened.path)} --in-place` : shortId(session.id)
  const how =
    change.reverse === 'redo' ? `Do it again: treeline redo ${name}` : `Take it back: treeline undo ${name} ${entry.id}`
  context.out.print(paint('faint', how))
  return 0
}

/** What the change is worth in a file that another tool may write too. */
function inPlaceText({ path, dialect }: OpenedFile, { operations }: EditPlan): string[] {
  const { tool, durability, name } = explainInPlace(dialect)
  const isNamed = operations.some(({ op }) => op === 'name')
  return [`${path} is kept by ${tool}. ${durability}`, ...(isNamed && name !== undefined ? [name] : [])]
}
