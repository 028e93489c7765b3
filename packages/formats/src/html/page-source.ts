import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In the order in which they need each other. */
const MODULES = ['dom', 'data', 'inline', 'markdown', 'runs', 'parts', 'tree-view', 'conversation', 'search', 'main']

/** Of an exported page. Read from `page/`, which a bundle does not have: whoever makes one puts the texts here (cli's `build.ts`). */
export const pageStyle = read('page.css')

/** Modules of a page without a server cannot load each other: they are put together as one. */
export const pageScript = `(() => {\n'use strict'\n${MODULES.map(readModule).join('\n')}})()\n`

function readModule(name: string): string {
  return read(`${name}.js`)
    .replace(/^import [^;]*? from '[^']*'\n/gm, '')
    .replace(/^export /gm, '')
}

function read(name: string): string {
  return readFileSync(join(import.meta.dirname, 'page', name), 'utf8')
}
