import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Makes one file of a script and all that it imports, in `folder`, and returns its path. A process that is killed again and
 * again starts three times as fast from one file as from a hundred sources, also when all of them were compiled before.
 */
export async function bundleScript(script: URL, folder: string): Promise<string> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(script),
      outDir: folder,
      emptyOutDir: false,
      target: 'node22',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'script.mjs', codeSplitting: false } },
    },
  })
  return join(folder, 'script.mjs')
}
