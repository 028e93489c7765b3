import type { PointerEvent as ReactPointerEvent } from 'react'
import { useRef } from 'react'
import { Icon } from '../chat/Icon.tsx'
import { useSession } from '../shell/app-context.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { nameFragment, putBack, remove } from './actions.ts'
import { countMessages } from './describe.ts'
import { beginDrag, endDrag, moveDrag } from './dragging.ts'
import { lineOf } from './node-text.ts'
import { askForText } from './prompt.ts'
import type { TreeScene } from './scene.ts'
import { selectOne } from './selection.ts'

/** Fewer than this many pixels is a click. */
const SLACK_PX = 5

/** What was cut out and can be put somewhere: dragged onto the tree, or taken up and put down with a key. */
export function StashShelf({ scene }: { readonly scene: TreeScene }) {
  const session = useSession()
  const { stash } = useStore(scene.panels)
  const isOver = useStore(scene.drag)?.isOverStash ?? false
  const tops = session.tree.fragments
  if (!stash || (tops.length === 0 && !isOver)) return null
  return (
    <section className={`tree-stash${isOver ? ' is-over' : ''}`} aria-label={t('Stash')}>
      <h2>
        <Icon name="archive" /> {t('Stash')} <small>{tops.length}</small>
      </h2>
      <ul>
        {[...tops].reverse().map((place) => (
          <Fragment key={place} scene={scene} id={session.tree.ids[place]!} />
        ))}
      </ul>
    </section>
  )
}

function Fragment({ scene, id }: { readonly scene: TreeScene; readonly id: string }) {
  const session = useSession()
  const held = useStore(scene.held)
  const fragment = session.fragments.find(({ rootId }) => rootId === id)
  const count = fragment?.nodeCount ?? [...session.tree.subtree(session.tree.place(id))].length
  const preview = fragment?.preview ?? lineOf(session, id) ?? ''
  const title = fragment?.title ?? ''
  const take = (): void => {
    scene.held.set(held === id ? undefined : id)
    scene.selection.update(({ focus }) => selectOne(focus === id ? session.tree.activeLeafId : focus))
  }
  const rename = async (): Promise<void> => {
    const named = await askForText({ title: t('Title of this fragment'), text: title })
    if (named !== undefined) await nameFragment(session, id, named.trim())
  }
  return (
    <li className={held === id ? 'is-held' : undefined}>
      <FragmentHandle scene={scene} id={id} onTake={take} isHeld={held === id}>
        <strong>{title === '' ? countMessages(count) : title}</strong>
        <span>{preview}</span>
      </FragmentHandle>
      <div className="stash-tools">
        <StashTool icon="undo" label={t('Put back where it was')} run={() => void putBack(session, id)} />
        <StashTool icon="edit" label={t('Title of this fragment')} run={() => void rename()} />
        <StashTool icon="trash" label={t('Delete')} run={() => void remove(session, [id], 'subtree')} />
      </div>
    </li>
  )
}

interface HandleProps {
  readonly scene: TreeScene
  readonly id: string
  readonly isHeld: boolean
  readonly onTake: () => void
  readonly children: React.ReactNode
}

function FragmentHandle({ scene, id, isHeld, onTake, children }: HandleProps) {
  const from = useRef<{ x: number; y: number; isDragging: boolean }>(undefined)
  const onStage = (event: ReactPointerEvent): { x: number; y: number } => {
    const stage = event.currentTarget.closest('.tree')!.querySelector('.tree-stage')!.getBoundingClientRect()
    return { x: event.clientX - stage.left, y: event.clientY - stage.top }
  }
  return (
    <button
      type="button"
      className="stash-handle"
      aria-pressed={isHeld}
      title={t('Drag it onto the tree, or take it up here and press p on a node')}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, y: event.clientY, isDragging: false }
      }}
      onPointerMove={(event) => {
        const start = from.current
        if (start === undefined) return
        if (start.isDragging) moveDrag(scene, onStage(event), event)
        else if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLACK_PX) {
          start.isDragging = true
          beginDrag(scene, id, onStage(event), event)
        }
      }}
      onPointerUp={() => {
        if (from.current?.isDragging) void endDrag(scene)
      }}
      onPointerCancel={() => scene.drag.set(undefined)}
      onClick={() => {
        const wasDragged = from.current?.isDragging ?? false
        from.current = undefined
        if (wasDragged) return
        onTake()
        document.querySelector<HTMLElement>('.tree-stage')?.focus()
      }}
    >
      {children}
    </button>
  )
}

function StashTool({
  icon,
  label,
  run,
}: {
  readonly icon: 'undo' | 'edit' | 'trash'
  readonly label: string
  readonly run: () => void
}) {
  return (
    <button type="button" className="icon" title={label} aria-label={label} onClick={run}>
      <Icon name={icon} />
    </button>
  )
}
