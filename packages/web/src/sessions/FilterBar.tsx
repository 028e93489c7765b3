import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import type { SessionDirectory } from './session-directory.ts'

/** By which tag, and whether what was archived is shown too. */
export function FilterBar({ directory }: { readonly directory: SessionDirectory }) {
  const { filter, tags } = useStore(directory.state)
  if (tags.length === 0 && !filter.archived && filter.tag === undefined) return null
  const all = filter.tag === undefined || tags.includes(filter.tag) ? tags : [filter.tag, ...tags]
  return (
    <div className="filter-bar">
      {all.map((tag) => (
        <button
          type="button"
          key={tag}
          className="tag"
          aria-pressed={filter.tag === tag}
          onClick={() => directory.setFilter({ tag: filter.tag === tag ? undefined : tag })}
        >
          {tag}
        </button>
      ))}
      {filter.archived && (
        <button type="button" className="tag" aria-pressed onClick={() => directory.setFilter({ archived: false })}>
          {t('with archived')}
        </button>
      )}
    </div>
  )
}
