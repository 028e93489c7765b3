import { describe } from 'vitest'
import { appendContract } from './append.ts'
import { blobsContract } from './blobs.ts'
import { branchesContract } from './branches.ts'
import { closingContract } from './closing.ts'
import { configContract } from './config.ts'
import { continueRecentContract } from './continue-recent.ts'
import { createEntriesContract } from './create-entries.ts'
import { createOpenContract } from './create-open.ts'
import { editsContract } from './edits.ts'
import { followContract } from './follow.ts'
import { forkContract } from './fork.ts'
import type { ContractOptions } from './given.ts'
import { hostileTextContract } from './hostile-text.ts'
import { leafMovesContract } from './leaf-moves.ts'
import { lineContract } from './line.ts'
import { listContract } from './list.ts'
import { modelContract } from './model.ts'
import { partialsContract } from './partials.ts'
import { putWhereAskedContract } from './put-where-asked.ts'
import { twoWritersContract } from './two-writers.ts'
import { undoableContract } from './undoable.ts'

export type { ContractOptions, OpenedStore } from './given.ts'

/**
 * Everything a `SessionStore` promises, as tests for vitest. A backend passes all of it, or is none.
 *
 * @example
 * storeContract('memory', { open: async () => … })
 */
export function storeContract(name: string, options: ContractOptions): void {
  describe(`${name} keeps the contract of a store`, () => {
    createOpenContract(options)
    createEntriesContract(options)
    appendContract(options)
    leafMovesContract(options)
    editsContract(options)
    undoableContract(options)
    branchesContract(options)
    followContract(options)
    twoWritersContract(options)
    forkContract(options)
    configContract(options)
    listContract(options)
    continueRecentContract(options)
    blobsContract(options)
    partialsContract(options)
    hostileTextContract(options)
    lineContract(options)
    closingContract(options)
    modelContract(options)
    putWhereAskedContract(options)
  })
}
