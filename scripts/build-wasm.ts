// Compiles packages/core/wasm/*.ts (AssemblyScript) into packages/core/src/codec/*-wasm.ts, which are committed: nobody
// needs the compiler to use or change anything else. `--check` only tells whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import asc from 'assemblyscript/asc'

const ROOT = resolve(import.meta.dirname, '..')
/** Each has memory of its own that never grows, in pages of 64 KiB. */
const MODULES = [
  { name: 'scan-lines', constant: 'SCAN_LINES', pages: 16 },
  { name: 'run-crc', constant: 'RUN_CRC', pages: 18 },
] as const
/** No runtime, nothing imported. */
const OPTIONS = '-O3 --runtime stub --noAssert --enable simd --use abort='

type Module = (typeof MODULES)[number]

async function compile({ name, pages }: Module, source: string): Promise<Uint8Array> {
  let wasm: Uint8Array | undefined
  const memory = ['--initialMemory', `${pages}`, '--maximumMemory', `${pages}`]
  const { error, stderr } = await asc.main([`${name}.ts`, '--outFile', 'out.wasm', ...OPTIONS.split(' '), ...memory], {
    readFile: (file) => (file === `${name}.ts` ? source : null),
    writeFile: (_name, contents) => {
      wasm = contents as Uint8Array
    },
    listFiles: () => [],
  })
  if (error !== null || wasm === undefined) throw new Error(`${name}.ts does not compile:\n${stderr}`)
  return wasm
}

function toModule(source: string, constant: string, wasm: Uint8Array): string {
  const base64 = Buffer.from(wasm).toString('base64')
  return `// Made from ${source} by \`npm run build-wasm\`.\nexport const ${constant} =\n  '${base64}'\n`
}

for (const module of MODULES) {
  const source = `packages/core/wasm/${module.name}.ts`
  const target = `packages/core/src/codec/${module.name}-wasm.ts`
  const wasm = await compile(module, readFileSync(resolve(ROOT, source), 'utf8'))
  const made = toModule(source, module.constant, wasm)
  if (!process.argv.includes('--check')) writeFileSync(resolve(ROOT, target), made)
  else if (readFileSync(resolve(ROOT, target), 'utf8') !== made) {
    console.error(`${target} was not made from ${source} as it is now: npm run build-wasm`)
    process.exitCode = 1
  }
}
