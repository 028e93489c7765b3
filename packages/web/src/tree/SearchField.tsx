import { useEffect, useRef } from 'react'
import { Icon } from '../chat/Icon.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { NOTHING_FOUND } from './found.ts'
import type { TreeScene } from './scene.ts'
import { jumpToHit, searchTree } from './search-tree.ts'

const ASK_AFTER_MS = 200

/** What it finds stays bright and the rest is dimmed; Enter goes from hit to hit. */
export function SearchField({ scene }: { readonly scene: TreeScene }) {
  const found = useStore(scene.found)
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const onChange = (query: string): void => {
    scene.found.update((before) => (query === '' ? NOTHING_FOUND : { ...before, query, state: 'asking' }))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void searchTree(scene, query), ASK_AFTER_MS)
  }
  /** Who is quicker than the search waits for it. */
  const jump = async (step: 1 | -1): Promise<void> => {
    clearTimeout(timer.current)
    if (scene.found.get().state !== 'there') await searchTree(scene, scene.found.get().query)
    jumpToHit(scene, step)
  }
  const leave = (): void => {
    clearTimeout(timer.current)
    scene.found.set(NOTHING_FOUND)
    input.current?.closest('.tree')?.querySelector<HTMLElement>('.tree-stage')?.focus()
  }
  return (
    <search className="tree-search">
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        value={found.query}
        placeholder={t('Search in the tree')}
        aria-label={t('Search in the tree')}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') leave()
          else if (event.key === 'Enter') void jump(event.shiftKey ? -1 : 1)
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <output>{countText(found)}</output>
    </search>
  )
}

function countText({ state, ids, at, isMore }: typeof NOTHING_FOUND): string {
  if (state === 'none') return ''
  if (state === 'asking') return '…'
  const count = `${ids.length}${isMore ? '+' : ''}`
  return at < 0 ? count : `${at + 1}/${count}`
}
