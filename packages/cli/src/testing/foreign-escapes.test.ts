import { expect, test } from 'vitest'
import { findForeignEscapes } from './foreign-escapes.ts'
import { HOSTILE } from './hostile-text.ts'

/** These change how text looks and drive nothing. */
const HARMLESS = new Set(['zero width', 'separators', 'a tower', 'tags'])

test.each(Object.entries(HOSTILE))('%s is found', (what, text) => {
  expect(findForeignEscapes(`before ${text} behind`).length > 0).toBe(!HARMLESS.has(what))
})

test('what the chat itself asks of a terminal is not', () => {
  const styles = '\u001b[1m\u001b[2m\u001b[36mtext\u001b[39m\u001b[22m\u001b[7m \u001b[27m'
  const frame = '\u001b[?2026h\u001b[2K\u001b[1A\u001b[2K\u001b[G\r\none\r\ntwo\t東京 👩‍👩‍👧\u001b[?2026l'
  expect(findForeignEscapes(`\u001b[?25l\u001b[?2004h${styles}${frame}\u001b[H\u001b[J\u001b[?25h`)).toEqual([])
})
