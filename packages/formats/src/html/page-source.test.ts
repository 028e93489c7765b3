import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageScript, pageStyle } from './page-source.ts'

test('K4 the script of the page makes no markup out of text, runs no text and asks for nothing', () => {
  expect(pageScript).not.toMatch(/<\/|<!--|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|\bfetch\b/)
  expect(pageStyle).not.toMatch(/<\/|@import|url\(/)
})

test('every module of the page is in its script, and none waits to be loaded', () => {
  const folder = join(import.meta.dirname, 'page')
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
  for (const file of files) {
    const end = readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-6)
      .join('\n')
      .replace(/^export /gm, '')
    expect(pageScript, file).toContain(end)
  }
  expect(pageScript).not.toMatch(/^(?:import|export) /m)
  expect(() => new Function(pageScript)).not.toThrow()
})
