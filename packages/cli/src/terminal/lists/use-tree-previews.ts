import { plainText } from '@treeline/core'
import { useEffect, useState } from 'react'
import type { TreeBrowser } from './tree-browser.ts'

/** Often enough to be seen, and seldom enough not to be felt. */
const REPAINT_MS = 200

/**
 * Reads what the rows in sight say, and while there is a search what all of them say, batch by batch. Gives what went
 * wrong.
 */
export function useTreePreviews(browser: TreeBrowser, repaint: () => void): string | undefined {
  const [problem, setProblem] = useState<string>()
  const fail = (error: unknown) => setProblem(plainText(error instanceof Error ? error.message : String(error)))
  const { previews, searched, isSearching } = browser

  // After every frame, because any key may bring others into sight. Nothing is missing in most.
  useEffect(() => {
    browser.readInSight().then((hasRead) => hasRead && repaint(), fail)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `fail` and `repaint` do the same in every frame.
  useEffect(() => {
    if (!isSearching) return
    let isOver = false
    let paintedAt = performance.now()
    const show = () => {
      paintedAt = performance.now()
      browser.takeFound()
      repaint()
    }
    const onBatch = () => {
      if (!isOver && performance.now() - paintedAt > REPAINT_MS) show()
      return !isOver
    }
    previews.read(searched, onBatch).then(() => isOver || show(), fail)
    return () => {
      isOver = true
    }
  }, [browser, previews, searched, isSearching])

  return problem
}
