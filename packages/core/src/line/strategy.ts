import { isReadable, textPart } from './content.ts'
import type { Item } from './item.ts'

/** Text that a strategy adds: to the system message, or before or after all that is said. */
export interface Injection {
  readonly place: 'system' | 'start' | 'end'
  readonly text: string
}

/** What a strategy may look at. History itself it cannot touch (T37). */
export interface StrategyView {
  /** Nodes that will be sent, in order. */
  readonly sentIds: readonly string[]
}

/** Adds instructions, notes or retrieved text to a line. Pure: the same view gives the same injections (G4). */
export interface LineStrategy {
  readonly name: string
  inject(view: StrategyView): readonly Injection[]
}

export interface Injected extends Injection {
  readonly by: string
}

export function systemText(text: string): LineStrategy {
  return { name: 'system-text', inject: () => [{ place: 'system', text }] }
}

/** Keeps pinned nodes in sight: those the line does not send are added as notes at its start. */
export function pinnedNotes(notes: readonly { readonly nodeId: string; readonly text: string }[]): LineStrategy {
  return {
    name: 'pinned-notes',
    inject: ({ sentIds }) => {
      const sent = new Set(sentIds)
      const missing = notes.filter(({ nodeId }) => !sent.has(nodeId))
      if (missing.length === 0) return []
      const text = missing.map((note) => `<note>\n${note.text}\n</note>`).join('\n')
      return [{ place: 'start', text: `Pinned by the user:\n\n${text}` }]
    },
  }
}

/** Asks every strategy, in order. Blank text is nothing. */
export function collectInjections(strategies: readonly LineStrategy[], items: readonly Item[]): Injected[] {
  if (strategies.length === 0) return []
  const sent = new Set(items.map((item) => item.nodeId))
  const view: StrategyView = { sentIds: [...sent].filter((id) => id !== undefined) }
  return strategies.flatMap((strategy) =>
    strategy
      .inject(view)
      .filter(({ text }) => isReadable(text))
      .map(({ place, text }) => ({ by: strategy.name, place, text })),
  )
}

/** Puts injections among the items; system text ahead of everything, so that it leads the line. */
export function withInjections(items: readonly Item[], injected: readonly Injected[]): readonly Item[] {
  if (injected.length === 0) return items
  const at = (place: Injection['place']) => injected.filter((injection) => injection.place === place)
  const user = ({ text }: Injected): Item => ({ type: 'user', nodeId: undefined, parts: [textPart(text)] })
  const firstSaid = items.findIndex((item) => item.type !== 'system')
  const split = firstSaid < 0 ? items.length : firstSaid
  return [
    ...at('system').map(({ text }): Item => ({ type: 'system', tag: 'system', nodeId: undefined, text })),
    ...items.slice(0, split),
    ...at('start').map(user),
    ...items.slice(split),
    ...at('end').map(user),
  ]
}
