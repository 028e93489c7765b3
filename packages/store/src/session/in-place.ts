import type { Dialect, EditOp, EditPlan, Entry, SessionHeader, Tree } from '@treeline/core'

/** What a person should know who continues a session where another tool keeps it. */
export interface InPlaceTerms {
  /** As its users call it. */
  readonly tool: string
  /** What becomes of D1. */
  readonly durability: string
  /** Where a new name will not be seen; nothing where the tool shows it. */
  readonly name: string | undefined
}

const TOOLS: Readonly<Record<Dialect, string>> = { pi: 'Pi', xcsh: 'xcsh', omp: 'oh-my-pi', treeline: 'Treeline' }

/**
 * What `inPlace` means for a log of this kind, in words to show.
 *
 * @example
 * if (session.isInPlace) console.error(explainInPlace(session.dialect).durability)
 */
export function explainInPlace(dialect: Dialect): InPlaceTerms {
  const tool = TOOLS[dialect]
  return { tool, durability: durabilityWith(dialect, tool), name: nameWith(dialect, tool) }
}

function durabilityWith(dialect: Dialect, tool: string): string {
  if (dialect === 'treeline') return 'What is acknowledged is on disk and stays there.'
  if (dialect === 'pi') {
    return `What is acknowledged is on disk. ${tool} does not see it in a session it has open, and goes on from where it was.`
  }
  return (
    `What is acknowledged is on disk, but ${tool} rewrites its files from memory and may erase it. ` +
    `Close the session in ${tool} first, or fork it into Treeline.`
  )
}

function nameWith(dialect: Dialect, tool: string): string | undefined {
  if (dialect !== 'xcsh') return undefined
  return `${tool} keeps a session's name in the header, which is never rewritten: it will go on showing the old one.`
}

/** A name as oh-my-pi writes it. Pi and Treeline have `session_info` for it, and xcsh nothing that can be appended. */
export function asTitleChange(plan: EditPlan, tree: Tree, header: SessionHeader): EditPlan {
  if (plan.entry === undefined) return plan
  const given = tree.edits.name
  const previous = (given === undefined ? header.title : given) || undefined
  // The slot, and with it the title in the header, changes too: so what an undo brings back is said in full.
  const back = { op: 'name' as const, name: previous ?? null }
  if (plan.entry.type !== 'session_info') return bringingBack(plan, plan.entry, back)
  const { name, inverse: _, type: __, ...rest } = plan.entry
  const inverse = [back]
  const entry: Entry = {
    type: 'title_change',
    ...rest,
    title: typeof name === 'string' ? name : (header.title ?? ''),
    ...(previous !== undefined && { previousTitle: previous }),
    source: rest.auto === true ? 'auto' : 'user',
    inverse,
  } as Entry
  return { ...plan, entry, inverse }
}

/** A name that is given together with other edits. */
function bringingBack(plan: EditPlan, entry: Entry, back: EditOp): EditPlan {
  const isWhatWas = (op: EditOp): boolean => op.op === 'name' && op.name === undefined
  if (!plan.inverse.some(isWhatWas)) return plan
  const inverse = plan.inverse.map((op) => (isWhatWas(op) ? back : op))
  return { ...plan, inverse, entry: { ...entry, data: { ...(entry.data as object), inverse } } as Entry }
}
