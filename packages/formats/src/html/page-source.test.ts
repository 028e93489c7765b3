import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** In the order in which they need each other. */
const MODULES = ['dom', 'data', 'inline', 'markdown', 'runs', 'parts', 'tree-view', 'conversation', 'search', 'main']

test('the page has the script and the style of page/; `npx vitest run packages/formats/src/html -u` brings them up to date', async () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, 'page', name), 'utf8')
  // Modules of a page without a server cannot load each other: they are put together as one.
  const scripts = MODULES.map((name) =>
    read(`${name}.js`)
      .replace(/^import [^;]*? from '[^']*'\n/gm, '')
      .replace(/^export /gm, ''),
  )
  const script = `(() => {\n'use strict'\n${scripts.join('\n')}})()\n`
  expect(script).not.toMatch(/<\/|<!--|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|\bfetch\b/)
  const source = `// biome-ignore-all format: made of page/*.js and page/page.css by page-source.test.ts; see there.
/** As texts in a module, so that they are there wherever the package is bundled into. */
export const pageScript = \`${asTemplate(script)}\`

export const pageStyle = \`${asTemplate(read('page.css'))}\`
`
  await expect(source).toMatchFileSnapshot('page-source.ts')
})

function asTemplate(text: string): string {
  return text.replace(/[\\`]|\$\{/g, '\\$&')
}
