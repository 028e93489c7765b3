import type { TreeScene } from './scene.ts'

/** Carries the elements along with the boxes that they stand over. */
export function moveCards({ motion, near }: TreeScene, layer: HTMLElement): void {
  const { layout, boxes } = near.get()
  if (layout === undefined) return
  const now = performance.now()
  const isUnderWay = motion.isUnderWay(layout, now)
  for (const [at, box] of boxes.entries()) {
    const style = (layer.children[at] as HTMLElement | undefined)?.style
    const offset = isUnderWay ? motion.offsetOf(box, now) : undefined
    const translate = offset === undefined ? '' : `${offset.x}px ${offset.y}px`
    if (style !== undefined && style.translate !== translate) style.translate = translate
  }
}
