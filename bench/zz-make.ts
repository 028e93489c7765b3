import { mkdirSync } from 'node:fs'
import { sessions1k } from './inputs/sessions.ts'

const work: any = {
  input: (_n: string, _s: number, make: any) => {
    mkdirSync('/tmp/tlb/s1k', { recursive: true })
    return make('/tmp/tlb/s1k')
  },
}
const t = performance.now()
sessions1k(work)
console.log('made', performance.now() - t)
