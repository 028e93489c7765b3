import { numberText } from './amount.ts'
import type { Screen } from './screen.ts'
import { render } from './style.ts'

/** Shown on the error stream while something takes long, and gone afterwards. Nothing at all where nobody watches. */
export interface ProgressBar {
  /** Without a total the count alone is shown. */
  update(done: number, total: number | undefined): void
  end(): void
}

const WIDTH = 24
const INTERVAL_MS = 80
/** What is over sooner needs no bar. */
const DELAY_MS = 300

export function createProgressBar(stderr: Screen, label: string): ProgressBar {
  if (!stderr.isTTY) return { update() {}, end() {} }
  const startedAt = performance.now()
  let shownAt = 0
  let isShown = false
  return {
    update(done, total) {
      const now = performance.now()
      if (now - startedAt < DELAY_MS || now - shownAt < INTERVAL_MS) return
      shownAt = now
      isShown = true
      if (total === undefined) {
        stderr.write(`\r${render(label, false)} ${numberText(done)}\u001b[K`)
        return
      }
      const share = total > 0 ? Math.min(1, done / total) : 0
      const full = Math.round(share * WIDTH)
      const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
      stderr.write(`\r${render(label, false)} ${bar} ${Math.floor(share * 100)} %\u001b[K`)
    },
    end() {
      if (isShown) stderr.write('\r\u001b[K')
    },
  }
}
