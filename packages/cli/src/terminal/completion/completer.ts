import type { ChatActions } from '../chat-actions.ts'
import { goTo, type ListState, moveList, START } from '../lists/list-state.ts'
import type { ProjectFiles } from '../mentions/project-files.ts'
import { type Offer, offersFor } from './offers.ts'
import { findWanted, type Wanted } from './wanted.ts'

export interface Menu {
  readonly wanted: Wanted
  readonly offers: readonly Offer[]
  readonly list: ListState
  /** The user chose one with the arrows. */
  readonly isMoved: boolean
}

/** What is put in the place of what was typed. */
export interface Taken {
  readonly from: number
  readonly to: number
  readonly offer: Offer
}

export interface CompleterParts {
  readonly actions: ChatActions
  readonly files: ProjectFiles
  readonly onChange: () => void
  /** For one that was asked for before it was known. */
  readonly onTaken: (taken: Taken) => void
}

export const MENU_ROWS = 8
const ANNOUNCED_AFTER_MS = 200

/**
 * What is offered below the editor. Nothing here is waited for by a key: what has to be looked for comes when it comes, and
 * not at all when another key was quicker. Class: keys come faster than frames, and each must find what the one before left.
 */
export class Completer {
  menu: Menu | undefined
  private readonly parts: CompleterParts
  private looking = new AbortController()
  /** Where the user has closed it; it stays closed for this word. */
  private closedAt: string | undefined
  /** What is shown is from before the latest key, or nothing. */
  isLooking = false
  private isTakenSoon = false
  private announcing: NodeJS.Timeout | undefined

  constructor(parts: CompleterParts) {
    this.parts = parts
  }

  /** After every change of the text or the cursor. */
  update(text: string, cursor: number): void {
    const wanted = findWanted(text, cursor)
    if (wanted === undefined || placeOf(wanted) !== this.closedAt) this.closedAt = undefined
    if (wanted === undefined || this.closedAt !== undefined) this.clear()
    else this.look(wanted)
  }

  /** Tab: takes what is chosen, as soon as it is known; where nothing is shown the user asks for it. */
  tab(text: string, cursor: number): void {
    if (this.isLooking) this.isTakenSoon = true
    else if (this.menu !== undefined) this.take(this.menu)
    else {
      this.closedAt = undefined
      this.update(text, cursor)
      this.takeOnly()
    }
  }

  /** Enter, where it chooses. */
  enter(): void {
    if (this.menu !== undefined) this.take(this.menu)
  }

  /** Closed until another word is begun. */
  close(): void {
    if (this.menu !== undefined) this.closedAt = placeOf(this.menu.wanted)
    this.clear()
  }

  /** Another text stands in the editor now, or none. */
  readonly forget = (): void => {
    this.closedAt = undefined
    this.clear()
  }

  move(step: 'up' | 'down'): void {
    const { menu } = this
    if (menu === undefined || menu.offers.length === 0) return
    const { cursor } = menu.list
    const last = menu.offers.length - 1
    const isAround = step === 'up' ? cursor === 0 : cursor === last
    const list = isAround
      ? goTo(menu.list, step === 'up' ? last : 0, menu.offers.length, MENU_ROWS)
      : moveList(menu.list, step, menu.offers.length, MENU_ROWS)
    this.set({ ...menu, list, isMoved: true })
  }

  /** Whether Enter chooses what is offered instead of sending what was typed. A command that is typed in full is sent. */
  get takesEnter(): boolean {
    const { menu } = this
    if (menu === undefined || this.isLooking || menu.offers.length === 0) return false
    const { wanted, offers } = menu
    return menu.isMoved || (wanted.type === 'command' && !offers.some(({ text }) => text === `/${wanted.name}`))
  }

  private takeOnly(): void {
    if (this.menu?.offers.length === 1) this.take(this.menu)
  }

  private take({ wanted: { from, to }, offers, list }: Menu): void {
    const offer = offers[list.cursor]
    this.clear()
    if (offer !== undefined) this.parts.onTaken({ from, to, offer })
  }

  private look(wanted: Wanted): void {
    this.stopLooking()
    const { signal } = this.looking
    const found = offersFor(wanted, this.parts.actions, this.parts.files, signal)
    if (found instanceof Promise) this.await(wanted, found, signal)
    else this.offer(wanted, found)
  }

  private await(wanted: Wanted, found: Promise<readonly Offer[]>, signal: AbortSignal): void {
    this.isLooking = true
    const before = this.menu?.wanted.type === wanted.type ? this.menu.offers : []
    const late = { wanted, offers: before, list: START, isMoved: false }
    // What comes soon is not announced, and what was shown before is not taken away for it.
    if (before.length > 0) this.set(late)
    else {
      this.set(undefined)
      this.announcing = setTimeout(() => this.set(late), ANNOUNCED_AFTER_MS)
    }
    found.then(
      (offers) => signal.aborted || this.offer(wanted, offers),
      // A command that cannot tell what may follow offers nothing; what is wrong shows when it is run.
      () => signal.aborted || this.offer(wanted, []),
    )
  }

  private offer(wanted: Wanted, offers: readonly Offer[]): void {
    const isTaken = this.isTakenSoon
    const menu = { wanted, offers, list: START, isMoved: false }
    this.stopLooking()
    if (offers.length === 0) this.clear()
    else if (isTaken) this.take(menu)
    else this.set(menu)
  }

  private clear(): void {
    this.stopLooking()
    this.set(undefined)
  }

  private stopLooking(): void {
    this.looking.abort()
    this.looking = new AbortController()
    clearTimeout(this.announcing)
    this.isLooking = false
    this.isTakenSoon = false
  }

  private set(menu: Menu | undefined): void {
    if (menu === undefined && this.menu === undefined) return
    this.menu = menu
    this.parts.onChange()
  }
}

function placeOf({ type, from }: Wanted): string {
  return `${type} ${from}`
}
