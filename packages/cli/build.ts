// Bundles the command into `dist/`, or the folder given: `node build.ts [folder]`. Everything of ours is inside, so the
// package has no dependencies.
import { chmodSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const root = import.meta.dirname
const outDir = resolve(process.argv[2] ?? join(root, 'dist'))
const packages = resolve(root, '..')

/** Modules of Node's that take long to load and that most commands do without. We use functions of them, and no more. */
const LAZY: ReadonlySet<string> = new Set(['node:crypto', 'node:zlib', 'node:fs/promises', 'node:readline/promises'])

/**
 * Takes Node's modules as they are, in code of ours. An `import` makes a copy of all that a module exports, and touching some of that loads
 * more: of `node:fs` all that has to do with promises and streams. The lazy ones are loaded when a function is called.
 */
const builtins: Plugin = {
  name: 'builtins',
  enforce: 'pre',
  resolveId(id, importer = '') {
    if (!id.startsWith('node:')) return undefined
    // What others wrote takes them as it likes, and is loaded by few commands.
    const isOurs = importer.startsWith(packages) && !importer.includes('/node_modules/')
    return isOurs ? `\0builtin:${id}` : { id, external: true }
  },
  load(id) {
    if (!id.startsWith('\0builtin:')) return undefined
    const name = id.slice('\0builtin:'.length)
    const module = `process.getBuiltinModule('${name}')`
    const exported = Object.entries(process.getBuiltinModule(name) ?? {})
    if (LAZY.has(name)) {
      const functions = exported.filter(([word, value]) => typeof value === 'function' && /^[a-z]\w*$/.test(word))
      const lines = functions.map(([word]) => `export const ${word} = (...given) => loaded().${word}(...given)`)
      return `let module; const loaded = () => (module ??= ${module});\n${lines.join('\n')}`
    }
    const words = exported.map(([word]) => word).filter((word) => /^[A-Za-z]\w*$/.test(word))
    return `const module = ${module};\n${words.map((word) => `export const ${word} = module.${word}`).join('\n')}`
  },
}

/** The script and the style of an exported page are files; in the bundle they are texts. */
const pageTexts: Plugin = {
  name: 'page-texts',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('/formats/src/html/page-source.ts')) return undefined
    const texts: Readonly<Record<string, string>> = await import(id)
    return Object.entries(texts)
      .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)}`)
      .join('\n')
  },
}

await build({
  root,
  plugins: [builtins, pageTexts],
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    target: 'node22.19',
    outDir,
    emptyOutDir: true,
    // Stack traces stay readable.
    minify: 'oxc',
    rolldownOptions: {
      // Of Node's modules only what is used is looked at.
      treeshake: { propertyReadSideEffects: false },
      // Besides the command itself what worker threads are started with: found by its name beside the running file.
      input: {
        treeline: join(root, 'src/treeline.ts'),
        'refresh-worker': join(packages, 'store/src/session-index/refresh-worker.ts'),
        'folder-source': join(packages, 'store/src/session-index/folder-source.ts'),
        'search-worker': join(packages, 'agent/src/tools/search/search-worker.ts'),
        'translated-source': join(packages, 'formats/src/translated-source.ts'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // What nearly every command needs, in few files: finding and linking each costs as much as its code.
        codeSplitting: {
          groups: [
            // What the first file needs, which loads nothing else before there is a cache for it.
            { name: 'node', test: /^\0builtin:node:(?:fs|module|os|path|util)$/ },
            {
              name: 'base',
              test: /usingCtx|\/core\/src\/|\/cli\/src\/(?:args|output|transcript|drawing|target|node-of|leaf-option)\b/,
            },
            {
              name: 'open',
              test: /\/store\/src\/(?:log|storage|blobs|locks|presence|session|[a-z-]+\.ts)\b(?!-)|\/formats\/src\/(?:[a-z-]+\.ts|[a-z]+\/(?:detect|format)\.ts)/,
            },
          ],
        },
      },
    },
  },
})
chmodSync(join(outDir, 'treeline.js'), 0o755)
