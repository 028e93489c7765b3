import type { Context } from '../context/context.ts'

/** A context reduced to what each tool's own `buildSessionContext` returns. */
export function asPi({ messages, thinkingLevel, model }: Context) {
  return { messages, thinkingLevel, model }
}

export function asXcsh(context: Context) {
  const { model, sources, problems, configuredThinkingLevel, activeToolNames, ...known } = context
  return known
}

export function asOmp(context: Context) {
  const { messages, thinkingLevel, configuredThinkingLevel, serviceTier, models, injectedTtsrRules } = context
  const { mode, modeData } = context
  return {
    messages,
    thinkingLevel,
    configuredThinkingLevel,
    serviceTier,
    models,
    injectedTtsrRules,
    mode,
    modeData,
  }
}
