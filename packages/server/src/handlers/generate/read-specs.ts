import type { Agent, GenerateSpec as AgentSpec, ThinkingLevel } from '@treeline/agent'
import { newEntryId, ROOT, TreelineError } from '@treeline/core'
import type { GenerateSpec } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { strategyOf } from './strategy.ts'

/** One of the answers wanted, with the id it will have. */
export interface Wanted extends AgentSpec {
  readonly nodeId: string
  /** The client chose the id: by it a retry is known. */
  readonly isOwn: boolean
  readonly label?: string | undefined
  /** What is too long is sent all the same, and the conversation is summed up when the model says so. */
  readonly mayCompact: boolean
}

const THINKING: readonly string[] = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] satisfies ThinkingLevel[]

/** Nothing where nothing is to be generated. Throws for what nobody can do, before anything is written. */
export async function readSpecs(
  agent: Agent,
  { tree }: Session,
  given: false | GenerateSpec | readonly GenerateSpec[] | undefined,
): Promise<readonly Wanted[]> {
  if (given === false) return []
  const specs =
    given === undefined ? [{}] : Array.isArray(given) ? (given as readonly GenerateSpec[]) : [given as GenerateSpec]
  const taken = new Set<string>()
  const wanted = specs.map(({ nodeId, model, maxOutputTokens: maxOutput, label, strategy, params }) => {
    if (nodeId !== undefined && taken.has(nodeId)) {
      throw new TreelineError('id_in_use', `Two answers cannot both have the id ${nodeId}.`, { nodeIds: [nodeId] })
    }
    const id = nodeId ?? newEntryId((one) => taken.has(one) || tree.ids.find(one) > ROOT)
    taken.add(id)
    const isOwn = nodeId !== undefined
    return {
      nodeId: id,
      isOwn,
      model,
      maxOutput,
      label,
      thinking: readThinking(params),
      ...readStrategy(strategy),
    }
  })
  for (const { model } of wanted) if (model !== undefined) await refuseUnknown(agent, model)
  return wanted
}

/** A model without a key is one that exists: its answer says what is missing. */
async function refuseUnknown({ env }: Agent, model: string): Promise<void> {
  try {
    await env.models.open(model)
  } catch (error) {
    if (error instanceof TreelineError && error.code === 'validation_failed') throw error
  }
}

function readThinking(params: GenerateSpec['params']): ThinkingLevel | undefined {
  const { thinking, ...others } = params ?? {}
  const [other] = Object.keys(others)
  if (other !== undefined) throw invalid(`There is no parameter "${other.slice(0, 80)}". There is: thinking.`)
  if (thinking === undefined) return undefined
  if (typeof thinking === 'string' && THINKING.includes(thinking)) return thinking as ThinkingLevel
  throw invalid(`params.thinking is one of ${THINKING.join(', ')}.`)
}

function readStrategy(given: string | undefined): Pick<Wanted, 'mayCompact' | 'truncates'> {
  const strategy = strategyOf(given)
  return { mayCompact: strategy === 'compact', truncates: strategy === 'truncate' }
}

function invalid(message: string): TreelineError {
  return new TreelineError('validation_failed', message)
}
