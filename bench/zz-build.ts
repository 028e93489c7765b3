import { openHome, openIndex } from '../packages/store/src/index.ts'

const home = openHome({ home: '/tmp/tlb/s1k/treeline' })
const index = await openIndex({ home, worker: process.argv[2] !== 'here' })
const t = performance.now()
const r = await index.refresh({
  onProgress: (p) => {
    if (p.filesDone % 100 === 0) console.log(p.filesDone, p.bytesDone, ((performance.now() - t) / 1000).toFixed(1))
  },
})
console.log(r.indexed, r.problems.length, ((performance.now() - t) / 1000).toFixed(1), 's')
await index.close()
home.locks.close()
