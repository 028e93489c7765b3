// Bundles the hello-world into the folder given, with the settings of ../../packages/cli/build.ts: `node build.ts folder`.
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = import.meta.dirname

process.env.NODE_ENV = 'production'
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    target: 'node22.19',
    outDir: resolve(process.argv[2]!),
    emptyOutDir: true,
    minify: 'oxc',
    rolldownOptions: {
      treeshake: { propertyReadSideEffects: false },
      input: { hello: join(root, 'hello.ts') },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
