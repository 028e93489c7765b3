import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon, type IconName } from '../chat/Icon.tsx'
import { onMenuKey } from './menu-keys.ts'

/** Kept free to the edges of the window. */
const EDGE = 8

export interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  /** Why it cannot be done now, or what it is for. */
  readonly hint?: string
  /** For one that is on or off. */
  readonly isChecked?: boolean
  /** One of several, of which one holds. */
  readonly isChoice?: true
  readonly isDisabled?: boolean
  readonly isDanger?: true
  readonly run: () => void
}

interface MenuProps {
  /** What it is called, for the button and for those who cannot see it. */
  readonly label: string
  readonly button: ReactNode
  readonly className?: string
  /** A line between each of them. Asked when it opens. */
  readonly groups: () => readonly (readonly MenuItem[])[]
}

/** A button with a list of things to do under it. Arrow keys go through it, a letter to what begins with it. */
export function Menu({ label, button, className = '', groups }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const onPointer = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', onPointer)
    return () => removeEventListener('pointerdown', onPointer)
  }, [isOpen])
  const close = (): void => {
    setOpen(false)
    box.current?.querySelector('button')?.focus()
  }
  return (
    <div className={`menu-box ${className}`} ref={box}>
      <button
        type="button"
        className="icon"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={label}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && <MenuList label={label} groups={groups()} onClose={close} />}
    </div>
  )
}

interface MenuListProps {
  readonly label: string
  readonly groups: readonly (readonly MenuItem[])[]
  readonly onClose: () => void
}

function MenuList({ label, groups, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const button = list.current!.parentElement!.getBoundingClientRect()
    placeBy(list.current!, button)
    list.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus()
  }, [])
  return (
    <div
      className="menu"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      ref={list}
      onKeyDown={(event) => onMenuKey(event, onClose)}
    >
      {groups.map((items, i) => (
        <Fragment key={items[0]?.label ?? i}>
          {i > 0 && <hr />}
          {items.map((item) => (
            <Item key={item.label} item={item} onClose={onClose} />
          ))}
        </Fragment>
      ))}
    </div>
  )
}

function Item({ item, onClose }: { readonly item: MenuItem; readonly onClose: () => void }) {
  const { label, icon, hint, isChecked, isChoice, isDisabled = false, isDanger, run } = item
  const choose = (): void => {
    if (isDisabled) return
    onClose()
    run()
  }
  const kind = isChoice ? 'menuitemradio' : isChecked === undefined ? 'menuitem' : 'menuitemcheckbox'
  return (
    <button
      type="button"
      role={kind}
      tabIndex={-1}
      aria-disabled={isDisabled}
      {...(isChecked !== undefined && { 'aria-checked': isChecked })}
      className={isDanger ? 'menu-danger' : undefined}
      onClick={choose}
    >
      <span className="menu-mark">{isChecked ? '✓' : icon !== undefined && <Icon name={icon} />}</span>
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </button>
  )
}

/** Under its button, or above where there is no room; over whatever would cut it off. */
function placeBy(list: HTMLElement, button: DOMRect): void {
  const { width, height } = list.getBoundingClientRect()
  const isAbove = button.bottom + height > innerHeight - EDGE && button.top - height > EDGE
  const top = isAbove ? button.top - height - 4 : Math.min(button.bottom + 4, innerHeight - height - EDGE)
  const left = button.left + width > innerWidth - EDGE ? button.right - width : button.left
  list.style.top = `${Math.max(EDGE, top)}px`
  list.style.left = `${Math.max(EDGE, left)}px`
}
