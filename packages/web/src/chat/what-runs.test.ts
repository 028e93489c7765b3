import { expect, test } from 'vitest'
import { whatRuns } from './what-runs.ts'

test.each([
  ['bash', 'bash\nrm -r build', 'rm -r build'],
  ['bash', 'bash\nbash\nls', 'bash\nls'],
  ['bash', 'bash', 'bash'],
  ['bash', 'bash\n', 'bash\n'],
  ['write', 'write notes.txt\nHello', 'write notes.txt\nHello'],
  ['ba', 'bash\nls', 'bash\nls'],
])('of %s asking with %o one reads %o', (tool, shown, wanted) => {
  expect(whatRuns(tool, shown)).toBe(wanted)
})
