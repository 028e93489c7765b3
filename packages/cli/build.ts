// Bundles the command into `dist/`, or the folder given: `node build.ts [folder]`, and the web app that it serves into
// `web/` in there. Everything of ours is inside, so the package has no dependencies.
import { chmodSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const root = import.meta.dirname
const outDir = resolve(process.argv[2] ?? join(root, 'dist'))
const packages = resolve(root, '..')

/** Modules of Node's that take long to load and that most commands do without. We use functions and classes of them, and no more. */
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
      const functions = exported.filter(([word, value]) => typeof value === 'function' && /^[A-Za-z]\w*$/.test(word))
      const lines = functions.map(([word]) =>
        /^[A-Z]/.test(word)
          ? // What a constructor returns is what `new` gives.
            `export function ${word}(...given) { return new (loaded().${word})(...given) }`
          : `export const ${word} = (...given) => loaded().${word}(...given)`,
      )
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

/** Of what the chat is drawn with, what it does before the first frame and we do without. */
const DRAWING: readonly { readonly file: string; readonly from: string; readonly to: string }[] = [
  // It looks for React's devtools where `DEV` is set, whoever set it for whatever.
  { file: '/ink/build/reconciler.js', from: "process.env['DEV'] === 'true'", to: 'false' },
  // Its bytes are in the file. To read them with `fetch` loads all of Node's HTTP, a third of the time to the first frame.
  { file: '/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js', from: '"function"!=typeof fetch', to: '!0' },
  // The signs that we draw with are one column each, and need no look at what Unicode says of them.
  {
    file: '/node_modules/string-width/index.js',
    from: '/^[\\u0020-\\u007E]*$/',
    to: '/^[\\u0020-\\u007E\\u00B7\\u2013\\u201C\\u201D\\u2026\\u203A\\u2190-\\u2193\\u2500-\\u257F\\u25B8\\u25CB\\u25CF\\u276F]*$/',
  },
]

const quickDrawing: Plugin = {
  name: 'quick-drawing',
  enforce: 'pre',
  transform(code, id) {
    const change = DRAWING.find(({ file }) => id.endsWith(file))
    if (change === undefined) return undefined
    // Another version may have other words for it.
    if (!code.includes(change.from)) this.error(`${id} does not say ${change.from} any more.`)
    return { code: code.replaceAll(change.from, change.to), map: null }
  },
}

/** Of Fastify what the server does without: shapes are zod's, the log is its own, and whoever asks comes through a port. */
const UNUSED: ReadonlySet<string> = new Set([
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  'pino',
])

const deadWeight: Plugin = {
  name: 'dead-weight',
  enforce: 'pre',
  resolveId: (id) => (UNUSED.has(id) ? `\0unused:${id}` : undefined),
  // The first two are called when a server is made, for what makes compilers.
  load: (id) =>
    id.startsWith('\0unused:')
      ? 'module.exports = () => () => { throw new Error("This part of Fastify is not in the bundle.") }'
      : undefined,
}

// Whoever builds, a test too, gets the same program: JSX is made for React's half that is in the bundle.
process.env.NODE_ENV = 'production'
await build({
  root,
  plugins: [builtins, pageTexts, quickDrawing, deadWeight],
  configFile: false,
  logLevel: 'warn',
  // React's other half is for those who develop with it: larger, slower, and hungrier.
  define: { 'process.env.NODE_ENV': '"production"' },
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
await build({
  root: join(packages, 'web'),
  configFile: join(packages, 'web/vite.config.ts'),
  // By itself it writes a translated copy of the configuration beside the sources, and several may build at once.
  configLoader: 'native',
  logLevel: 'warn',
  build: { outDir: join(outDir, 'web'), emptyOutDir: true },
})
