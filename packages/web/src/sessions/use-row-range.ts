import { type RefObject, useLayoutEffect, useState } from 'react'

/** Rows this far outside of what is seen are in the page already. */
const MARGIN_ROWS = 6

/** Which rows of one height are near what is seen of a scrolling element. */
export function useRowRange(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): { readonly first: number; readonly end: number } {
  const [range, setRange] = useState({ first: 0, end: 30 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const choose = (): void => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - MARGIN_ROWS)
      const end = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + MARGIN_ROWS
      setRange((before) => (before.first === first && before.end === end ? before : { first, end }))
    }
    choose()
    const sizes = new ResizeObserver(choose)
    sizes.observe(element)
    element.addEventListener('scroll', choose, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', choose)
    }
  }, [scroller, rowHeight])
  return { first: Math.min(range.first, count), end: Math.min(range.end, count) }
}
