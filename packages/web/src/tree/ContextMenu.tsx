import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { onMenuKey } from '../shell/menu-keys.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { rate } from './actions.ts'
import type { Point } from './camera.ts'
import { commandsFor, type TreeCommand } from './commands.ts'
import type { TreeScene } from './scene.ts'
import { nodesMeant } from './targets.ts'

interface ContextMenuProps {
  readonly scene: TreeScene
  readonly stage: RefObject<HTMLDivElement | null>
}

/** What can be done with what is selected, where one has asked for it. */
export function ContextMenu({ scene, stage }: ContextMenuProps) {
  const at = useStore(scene.menu)
  if (at === undefined) return null
  return <OpenMenu scene={scene} stage={stage} at={at} />
}

function OpenMenu({ scene, stage, at }: ContextMenuProps & { readonly at: Point }) {
  const menu = useRef<HTMLDivElement>(null)
  const commands = commandsFor(scene)
  const close = (): void => {
    scene.menu.set(undefined)
    stage.current?.focus({ preventScroll: true })
  }
  useLayoutEffect(() => {
    const { width, height } = menu.current!.getBoundingClientRect()
    const { style } = menu.current!
    style.left = `${Math.max(4, Math.min(at.x, scene.viewport.size.width - width - 4))}px`
    style.top = `${Math.max(4, Math.min(at.y, scene.viewport.size.height - height - 4))}px`
    menu.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus({ preventScroll: true })
  }, [at, scene])
  useEffect(() => {
    const onPointer = (event: PointerEvent): void => {
      if (!menu.current?.contains(event.target as Node)) scene.menu.set(undefined)
    }
    addEventListener('pointerdown', onPointer)
    return () => removeEventListener('pointerdown', onPointer)
  }, [scene])
  const run = (act: () => void): void => {
    close()
    act()
  }
  return (
    <div
      ref={menu}
      className="menu tree-menu"
      role="menu"
      tabIndex={-1}
      aria-label={t('What can be done')}
      onKeyDown={(event) => onMenuKey(event, close)}
    >
      {commands.map((command, i) => (
        <Item key={command.id} command={command} isFirst={i === 0} onRun={run} />
      ))}
      <hr />
      <Rating scene={scene} onRun={run} />
    </div>
  )
}

function Item(props: {
  readonly command: TreeCommand
  readonly isFirst: boolean
  readonly onRun: (act: () => void) => void
}) {
  const { label, key, isDanger, isApart, run } = props.command
  return (
    <>
      {isApart && !props.isFirst && <hr />}
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        className={isDanger ? 'menu-danger' : undefined}
        onClick={() => props.onRun(run)}
      >
        <span>{label}</span>
        {key !== undefined && <kbd>{key}</kbd>}
      </button>
    </>
  )
}

function Rating({ scene, onRun }: { readonly scene: TreeScene; readonly onRun: (act: () => void) => void }) {
  const ids = nodesMeant(scene).slice(0, 1_000)
  const now = ids.length === 1 ? (scene.session.node(ids[0]!)?.metadata?.rating ?? 0) : 0
  return (
    <fieldset className="menu-rating" aria-label={t('Rating')}>
      {[1, 2, 3, 4, 5].map((stars) => (
        <button
          key={stars}
          type="button"
          role="menuitemradio"
          aria-checked={stars === now}
          tabIndex={-1}
          aria-label={t('{stars} of 5', { stars })}
          title={t('{stars} of 5', { stars })}
          onClick={() => onRun(() => void rate(scene.session, ids, stars))}
        >
          {stars <= now ? '★' : '☆'}
        </button>
      ))}
    </fieldset>
  )
}
