import type { ReactNode } from 'react'
import { Icon } from '../chat/Icon.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import type { ListFilter } from './arrange-sessions.ts'
import type { SessionDirectory } from './session-directory.ts'

/** Only what is pinned, only one tag, and whether what was archived is shown too. */
export function FilterBar({ directory }: { readonly directory: SessionDirectory }) {
  const { filter, tags, hasPinned } = useStore(directory.state)
  const set = (change: Partial<ListFilter>): void => directory.setFilter(change)
  const canPin = hasPinned || filter.pinned
  if (tags.length === 0 && !canPin && !filter.archived && filter.tag === undefined) return null
  const all = filter.tag === undefined || tags.includes(filter.tag) ? tags : [filter.tag, ...tags]
  return (
    <fieldset className="filter-bar" aria-label={t('Show only')}>
      {canPin && (
        <Chip isOn={filter.pinned} onClick={() => set({ pinned: !filter.pinned })}>
          <Icon name="star" /> {t('Pinned')}
        </Chip>
      )}
      {all.map((tag) => (
        <Chip key={tag} isOn={filter.tag === tag} onClick={() => set({ tag: filter.tag === tag ? undefined : tag })}>
          {tag}
        </Chip>
      ))}
      {filter.archived && (
        <Chip isOn onClick={() => set({ archived: false })}>
          {t('with archived')}
        </Chip>
      )}
    </fieldset>
  )
}

interface ChipProps {
  readonly isOn: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

function Chip({ isOn, onClick, children }: ChipProps) {
  return (
    <button type="button" className="tag" aria-pressed={isOn} onClick={onClick}>
      {children}
    </button>
  )
}
