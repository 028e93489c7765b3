const { openHome, openIndex } = await import('../packages/store/src/index.ts')
const home = openHome({ home: '/tmp/tlb/s1k/treeline' })
const index = await openIndex({ home })
const q = process.argv[2]!
await index.refresh()
const ts: number[] = []
for (let i = 0; i < 40; i++) {
  const a = performance.now()
  await index.search(q, { limit: 50 })
  ts.push(performance.now() - a)
}
console.log(
  q,
  ts
    .slice(0, 5)
    .map((x) => x.toFixed(1))
    .join(' '),
  'median',
  ts.sort((a, b) => a - b)[20]!.toFixed(1),
)
await index.close()
home.locks.close()
