import type { ModelCatalogue, ModelInfo } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import type { ReplyOf, Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'

type Listed = ReplyOf<Routes['getModels']>['models'][number]

/** Those worth proposing; what a provider is missing is for the terminal, where keys are set. */
export const getModels: Handler<Routes['getModels']> = async ({ agent }) => {
  const { models } = agent.env
  const defaultRef = await findDefault(models)
  if (models.list === undefined) return { status: 200, body: { models: await onlyDefault(models, defaultRef) } }
  const listed = (await models.list()).filter(({ isOld }) => !isOld)
  return {
    status: 200,
    body: { models: listed.map(({ ref, info, isUsable }) => toListed(ref, info, isUsable, ref === defaultRef)) },
  }
}

/** A catalogue of a program's own may have nothing to choose from. */
async function onlyDefault(models: ModelCatalogue, ref: string | undefined): Promise<Listed[]> {
  if (ref === undefined) return []
  const { info } = await models.open(ref)
  return [toListed(ref, info, true, true)]
}

/** Keys that cannot be read leave no default; the list is still worth seeing. */
async function findDefault(models: ModelCatalogue): Promise<string | undefined> {
  try {
    return await models.defaultRef()
  } catch (error) {
    if (error instanceof TreelineError) return undefined
    throw error
  }
}

function toListed(ref: string, { contextWindow, prices }: ModelInfo, isUsable: boolean, isDefault: boolean): Listed {
  return {
    ref,
    contextWindow,
    isUsable,
    isDefault,
    prices: prices === undefined ? null : { input: prices.input, output: prices.output },
  }
}
