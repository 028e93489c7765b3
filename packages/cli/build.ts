// Bundles the command into `dist/`, or the folder given: `node build.ts [folder]`. Everything of ours is inside, so the
// package has no dependencies.
import { chmodSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = import.meta.dirname
const outDir = resolve(process.argv[2] ?? join(root, 'dist'))
const packages = resolve(root, '..')

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    target: 'node22.19',
    outDir,
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      // Besides the command itself what worker threads are started with: found by its name beside the running file.
      input: {
        treeline: join(root, 'src/treeline.ts'),
        'refresh-worker': join(packages, 'store/src/session-index/refresh-worker.ts'),
        'folder-source': join(packages, 'store/src/session-index/folder-source.ts'),
        'translated-source': join(packages, 'formats/src/translated-source.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
chmodSync(join(outDir, 'treeline.js'), 0o755)
