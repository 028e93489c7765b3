import {
  applyBlobCollection,
  applyRetention,
  type BlobCollectionPlan,
  type BlobCollectionReport,
  planBlobCollection,
  planRetention,
  type RetentionOptions,
  type RetentionPlan,
  type RetentionReport,
} from '@treeline/store'
import type { Context } from '../context.ts'
import { withProgress } from '../output/with-progress.ts'

/** What can go: old sessions, when their age was given, and blobs that nothing refers to. */
export interface GcPlan {
  readonly retention: RetentionPlan | undefined
  readonly blobs: BlobCollectionPlan
}

export interface GcReport {
  readonly retention: RetentionReport | undefined
  readonly blobs: BlobCollectionReport
}

export type GcRule = Pick<RetentionOptions, 'olderThanDays' | 'keepLast' | 'cwd'>

export async function planGc(context: Context, rule: GcRule | undefined): Promise<GcPlan> {
  const home = await context.home()
  const { signal } = context
  const retention =
    rule === undefined
      ? undefined
      : await withProgress(context, 'Looking at sessions', async (onProgress) => {
          return planRetention(home, await context.index(), { ...rule, signal, onProgress })
        })
  return { retention, blobs: await planBlobCollection(home, { signal }) }
}

/** Moves to the trash exactly what the plan says, as far as it is still as it was then. */
export async function applyGc(context: Context, plan: GcPlan): Promise<GcReport> {
  const home = await context.home()
  const { signal } = context
  const { retention } = plan
  const moved =
    retention &&
    (await withProgress(context, 'Moving to the trash', (onProgress) =>
      applyRetention(home, retention, { signal, onProgress }),
    ))
  return { retention: moved, blobs: await applyBlobCollection(home, plan.blobs) }
}
