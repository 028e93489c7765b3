import { type AnyTool, builtinTools, type Settings } from '@treeline/agent'

/**
 * The tools an agent behind HTTP gets. Unless whoever starts the server wants more, those that only read: nothing that
 * writes, edits or runs, whoever may send requests.
 */
export function serverTools(
  settings: Pick<Settings, 'bashTimeoutMs' | 'tools'>,
  { withTools }: { readonly withTools: boolean },
): readonly AnyTool[] {
  const all = builtinTools(settings)
  return withTools ? all : all.filter(({ effect }) => effect === 'read')
}
