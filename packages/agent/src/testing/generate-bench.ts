import { type AssistantMessage, ROOT, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import type { Model } from '../models/model.ts'
import { gatedModel } from './gated-model.ts'
import { type ScriptedModel, scriptedModel } from './scripted-model.ts'
import { testEnv } from './test-env.ts'

/** An environment with these models; the first is the default. */
export function envWith(models: readonly Model[], parts: Partial<AgentEnv> = {}): AgentEnv {
  const open = async (ref: string) => {
    const model = models.find((one) => one.ref === ref)
    if (model === undefined) throw new TreelineError('validation_failed', `There is no model ${ref} in this test.`)
    return model
  }
  return testEnv({ models: { open, defaultRef: async () => models[0]!.ref }, ...parts })
}

/** A model that says who it is. */
export function introducing(ref: string): ScriptedModel {
  return scriptedModel({ ref, script: () => `I am ${ref}.` })
}

/** Such models that say nothing until they are let go. */
export function held(...refs: string[]): { readonly models: readonly Model[]; letGo(ref: string): void } {
  const gates = new Map(refs.map((ref) => [ref, Promise.withResolvers<void>()]))
  const gate = (ref: string) => gates.get(ref)!.promise
  const models = refs.map((ref) => gatedModel({ ref, answers: [`I am ${ref}.`], gate }))
  return { models, letGo: (ref) => gates.get(ref)!.resolve() }
}

export function parentOf({ tree }: Session, nodeId: string): string | null {
  const parent = tree.columns.parent[tree.ids.find(nodeId)]!
  return parent <= ROOT ? null : tree.ids.textOf(parent)
}

export async function answerOf(session: Session, nodeId: string): Promise<AssistantMessage | undefined> {
  return (await session.readEntry(nodeId))?.message as AssistantMessage | undefined
}

export async function textOf(session: Session, nodeId: string): Promise<string | undefined> {
  const [block] = (await answerOf(session, nodeId))?.content ?? []
  return block !== undefined && 'text' in block ? block.text : undefined
}
