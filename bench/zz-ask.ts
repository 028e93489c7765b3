const t0 = performance.now()
const { openHome, openIndex } = await import('../packages/store/src/index.ts')
const t1 = performance.now()
const home = openHome({ home: process.argv[4] ?? '/tmp/tlb/s1k/treeline' })
const ms = (t: number) => (performance.now() - t).toFixed(1)
for (let i = 0; i < 4; i++) {
  const a = performance.now()
  const index = await openIndex({ home })
  const b = performance.now()
  const q = process.argv[2]!
  const r: any =
    q === 'list' ? await index.list({ limit: Number(process.argv[3] ?? 1000) }) : await index.search(q, { limit: 50 })
  console.log(i, 'open', (b - a).toFixed(1), q, ms(b), (r.sessions ?? r.hits).length, 'pending', r.pending)
  await index.close()
}
console.log('modules', (t1 - t0).toFixed(0))
home.locks.close()
