import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { announce } from './describe.ts'
import { lineOf } from './node-text.ts'
import type { TreeScene } from './scene.ts'
import { selectedBoxes } from './targets.ts'

/** Says aloud where one is. */
export function LiveWords({ scene }: { readonly scene: TreeScene }) {
  const { focus } = useStore(scene.selection)
  const layout = useStore(scene.layout)
  const { tree } = scene.session
  const place = tree.place(focus)
  const count = selectedBoxes(scene).length
  const text = focus === null ? '' : (lineOf(scene.session, focus) ?? '')
  const where = layout === undefined || place < 0 ? '' : announce(layout, tree, place, text)
  return (
    <p className="hidden-label" aria-live="polite">
      {count > 1 ? `${t('{count} selected', { count })}. ${where}` : where}
    </p>
  )
}
