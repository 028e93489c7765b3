import type { Tree } from '@treeline/core'

/** Settings kept with a session (N23–N28). Unknown keys are kept too. */
export interface SessionConfig {
  approvalMode: 'default' | 'autoEdit' | 'yolo'
  approvalTools: string[]
  summary?: string
  model?: string
  thinkingLevel?: string
  systemPrompt?: string
  pastedTextMap: Record<string, string>
  pastedImageMap: Record<string, string>
  [key: string]: unknown
}

const TEXTS = ['summary', 'model', 'thinkingLevel', 'systemPrompt'] as const
const MODES: readonly unknown[] = ['default', 'autoEdit', 'yolo']

/** A copy of its own every time, so that no two sessions share a list (X5); values of the wrong type give the default. */
export function readConfig(tree: Tree): SessionConfig {
  const stored = structuredClone(Object.fromEntries(tree.edits.config))
  for (const key of TEXTS) if (typeof stored[key] !== 'string') delete stored[key]
  const { approvalMode, approvalTools, pastedTextMap, pastedImageMap } = stored
  return {
    ...stored,
    approvalMode: MODES.includes(approvalMode) ? (approvalMode as SessionConfig['approvalMode']) : 'default',
    approvalTools: isTextList(approvalTools) ? approvalTools : [],
    pastedTextMap: isTextMap(pastedTextMap) ? pastedTextMap : {},
    pastedImageMap: isTextMap(pastedImageMap) ? pastedImageMap : {},
  }
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isTextMap(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isTextList(Object.values(value))
}
