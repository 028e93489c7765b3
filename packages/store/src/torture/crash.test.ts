import { test } from 'vitest'
import { amount, forSeeds, TIMEOUT } from './amounts.ts'
import { crashAgainAndAgain } from './crash-lives.ts'

test('D1, D4, I5 power fails at a random operation, again and again: what was acknowledged is there', TIMEOUT, () =>
  forSeeds(amount(500, 100_000), crashAgainAndAgain),
)
