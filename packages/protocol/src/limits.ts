import { z } from 'zod'

export const limitsSchema = z
  .object({
    bodyBytes: z.int(),
    importBytes: z.int(),
    formBytes: z.int(),
    blobBytes: z.int(),
    contentChars: z.int(),
    operationsPerEdit: z.int(),
    nodesPerBatch: z.int(),
    generationsPerSession: z.int(),
    generationsPerServer: z.int(),
    skeletonPage: z.int(),
    fullPage: z.int(),
    treeNodes: z.int(),
    treeBytes: z.int(),
    eventsBehind: z.int(),
    cursorMs: z.int(),
  })
  .meta({ id: 'Limits' })

export type Limits = z.infer<typeof limitsSchema>

export const LIMITS: Limits = {
  bodyBytes: 4 * 1024 * 1024,
  /** Of a file that is imported by its bytes alone, which are streamed. */
  importBytes: 256 * 1024 * 1024,
  /** Of one within a form, which is held in memory. */
  formBytes: 64 * 1024 * 1024,
  /** Of a blob, held in memory until its hash is known to be right. */
  blobBytes: 32 * 1024 * 1024,
  contentChars: 1024 * 1024,
  operationsPerEdit: 1_000,
  nodesPerBatch: 10_000,
  generationsPerSession: 8,
  generationsPerServer: 32,
  skeletonPage: 5_000,
  fullPage: 200,
  treeNodes: 5_000,
  treeBytes: 16 * 1024 * 1024,
  eventsBehind: 10_000,
  cursorMs: 15 * 60_000,
}
