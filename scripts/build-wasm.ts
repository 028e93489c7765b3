// Compiles packages/core/wasm/scan-lines.ts (AssemblyScript) into packages/core/src/codec/scan-lines-wasm.ts, which is
// committed: nobody needs the compiler to use or change anything else. `--check` only tells whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import asc from 'assemblyscript/asc'

const ROOT = resolve(import.meta.dirname, '..')
const SOURCE = 'packages/core/wasm/scan-lines.ts'
const TARGET = 'packages/core/src/codec/scan-lines-wasm.ts'
/** 1 MiB that never grows, no runtime, nothing imported. */
const OPTIONS = '-O3 --runtime stub --noAssert --enable simd --initialMemory 16 --maximumMemory 16 --use abort='

async function compile(source: string): Promise<Uint8Array> {
  let wasm: Uint8Array | undefined
  const { error, stderr } = await asc.main(['scan-lines.ts', '--outFile', 'out.wasm', ...OPTIONS.split(' ')], {
    readFile: (name) => (name === 'scan-lines.ts' ? source : null),
    writeFile: (_name, contents) => {
      wasm = contents as Uint8Array
    },
    listFiles: () => [],
  })
  if (error !== null || wasm === undefined) throw new Error(`${SOURCE} does not compile:\n${stderr}`)
  return wasm
}

function toModule(wasm: Uint8Array): string {
  return `// Made from ${SOURCE} by \`npm run build-wasm\`.\nexport const SCAN_LINES =\n  '${Buffer.from(wasm).toString('base64')}'\n`
}

const made = toModule(await compile(readFileSync(resolve(ROOT, SOURCE), 'utf8')))
if (!process.argv.includes('--check')) writeFileSync(resolve(ROOT, TARGET), made)
else if (readFileSync(resolve(ROOT, TARGET), 'utf8') !== made) {
  console.error(`${TARGET} was not made from ${SOURCE} as it is now: npm run build-wasm`)
  process.exitCode = 1
}
