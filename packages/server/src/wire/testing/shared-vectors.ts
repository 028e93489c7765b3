import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Vectors of the API's edit operations. They lie beside the checkout and are not part of it. */
const VECTORS = join(import.meta.dirname, '../../../../../../shared/fixtures/treeops')

export const hasVectors = existsSync(VECTORS)
export const SKIPPED = '../shared/fixtures not found: skipped'

export interface VectorNode {
  readonly id: string
  readonly parentId: string | null
  readonly children: readonly string[]
  readonly role: string
  readonly status: string
  readonly isEnabled: boolean
}
export interface VectorTree {
  readonly nodes: Readonly<Record<string, VectorNode>>
  readonly roots: readonly string[]
  readonly fragments: readonly {
    readonly root: string
    readonly fromParentId: string | null
    readonly fromIndex: number
  }[]
  readonly activeLeafId: string | null
  readonly deleted: readonly string[]
}
export interface Vector {
  readonly name: string
  readonly initial: VectorTree
  readonly request: { readonly baseVersion?: number; readonly operations: readonly unknown[] }
  readonly expected:
    | {
        readonly status: 200
        readonly tree: VectorTree
        readonly activeLeafMoved: boolean
        readonly context: readonly string[]
      }
    | { readonly status: number; readonly code: string; readonly nodeIds: readonly string[]; readonly tree?: undefined }
}

export function readVectors(): Vector[] {
  if (!hasVectors) return []
  const files = readdirSync(VECTORS).filter((file) => file.endsWith('.json'))
  return files.sort().map((file) => JSON.parse(readFileSync(join(VECTORS, file), 'utf8')) as Vector)
}
