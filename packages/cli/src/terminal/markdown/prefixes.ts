import type { Block, Container } from './blocks.ts'
import type { StyledLine, StyledRun } from './styled-line.ts'
import { widthOf } from './wrap-runs.ts'

interface Prefix {
  readonly first: StyledLine
  readonly others: StyledLine
  /** Columns left for the block. */
  readonly room: number
  /** Markers there was no room for; they go before the text. */
  readonly inline: StyledLine
}

interface Prefixer {
  of(block: Block): Prefix
  /** The empty row between two blocks: the bars of the quotes that both are in. */
  between(before: Block, block: Block): StyledLine
}

/** What stands left of blocks: markers before the first row of an item, and bars of quotes. */
export function prefixer(columns: number, isUnicode: boolean): Prefixer {
  const bar: StyledRun = { text: isUnicode ? '│ ' : '| ', dim: true }
  const bullet = isUnicode ? '• ' : '- '
  const begun = new Set<Container>()

  const markerOf = (container: Container): StyledRun => {
    if (container.type === 'quote') return bar
    const { number } = container
    return { text: number === undefined ? bullet : `${number.shown}${number.delimiter} ` }
  }

  return {
    of({ containers }) {
      const first: StyledRun[] = []
      const others: StyledRun[] = []
      const inline: StyledRun[] = []
      let room = columns
      // From the inside out: with little room the outer ones are left out.
      for (const container of containers.toReversed()) {
        const marker = markerOf(container)
        const width = widthOf(marker.text)
        const isFirst = container.type === 'item' && !begun.has(container)
        begun.add(container)
        const space = { text: ' '.repeat(width) }
        if (room - width < columns / 2 || inline.length > 0) {
          if (isFirst) inline.unshift(marker)
        } else {
          room -= width
          first.unshift(container.type === 'quote' || isFirst ? marker : space)
          others.unshift(container.type === 'quote' ? marker : space)
        }
      }
      return { first, others, room, inline }
    },

    between(before, block) {
      const shared: Container[] = []
      for (const [index, container] of block.containers.entries()) {
        if (before.containers[index] !== container) break
        shared.push(container)
      }
      const lastQuote = shared.findLastIndex((container) => container.type === 'quote')
      const runs = shared.slice(0, lastQuote + 1).map((container) => {
        const marker = markerOf(container)
        return container.type === 'quote' ? marker : { text: ' '.repeat(widthOf(marker.text)) }
      })
      const width = runs.reduce((sum, run) => sum + widthOf(run.text), 0)
      return width <= columns / 2 ? runs : []
    },
  }
}
