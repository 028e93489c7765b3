import type { Table, TableRow } from 'mdast'
import type { Definitions } from './definitions.ts'
import { InlineView } from './InlineView.tsx'

interface TableViewProps {
  readonly table: Table
  readonly definitions: Definitions
}

export function TableView({ table, definitions }: TableViewProps) {
  const [head, ...rows] = table.children
  const cellsOf = (row: TableRow, as: 'th' | 'td') =>
    row.children.map((cell, i) => {
      const Cell = as
      const align = table.align?.[i]
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column.
        <Cell key={i} className={align ? `align-${align}` : undefined}>
          <InlineView content={cell.children} definitions={definitions} />
        </Cell>
      )
    })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
    <div className="table-scroll" tabIndex={0}>
      <table>
        <thead>{head && <tr>{cellsOf(head, 'th')}</tr>}</thead>
        <tbody>
          {rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place.
            <tr key={i}>{cellsOf(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
