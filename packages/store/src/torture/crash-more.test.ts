import { test } from 'vitest'
import { amount, forSeeds, TIMEOUT } from './amounts.ts'
import { crashAgainAndAgain } from './crash-lives.ts'

const HALF = amount(500, 100_000)

// The other half of `crash.test.ts`: a file of its own has a core of its own.
test('D1, D4, I5 power fails at a random operation, by other seeds: what was acknowledged is there', TIMEOUT, () =>
  forSeeds(HALF, crashAgainAndAgain, { skip: HALF }),
)
