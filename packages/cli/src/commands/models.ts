import { type ModelListing, openCatalogue } from '@treeline/agent/models'
import { TreelineError } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { modelTable } from '../models/model-table.ts'
import { paint } from '../output/style.ts'

export const command = defineCommand({
  positionals: [],
  options: {
    all: { type: 'boolean', short: 'a', help: 'also models without a key, and older ones' },
  },
  details:
    'Lists the models that can be used now: those of providers with a key, of Ollama and LM Studio when they run on this ' +
    'machine, and the built-in demo. Prices are US dollars for a million tokens, as far as they are known; "models" in ' +
    'the settings corrects what is listed, "providers" adds others. No provider is asked.',
  examples: [
    ['treeline models', 'what can be used now'],
    ['treeline models --all', 'what else there is, and what is missing for it'],
  ],
  json:
    '{"models":[{"ref","provider","contextWindow","maxOutput","prices":{"input","output","cacheRead"?,"cacheWrite"?}|null,' +
    '"thinking":[],"images","usable","where","old"}],"default":ref|null}; with --all those that cannot be used too',
  async run({ options, context }) {
    const { out, cwd, env } = context
    const { catalogue, problems } = await openCatalogue({ home: await context.home(), cwd, env })
    for (const { message } of problems) out.note(message)
    const listed = await catalogue.list()
    const models = options.all ? listed : listed.filter(({ isUsable, isOld }) => isUsable && !isOld)
    const { ref: byDefault, problem } = await defaultOf(catalogue)
    if (problem !== undefined) out.note(problem)
    out.json({ models: models.map(asJson), default: byDefault ?? null })
    for (const line of modelTable(models, byDefault, out.columns)) out.print(line)
    if (!options.all) {
      const hint = listed.length > models.length ? `${listed.length - models.length} more: treeline models --all. ` : ''
      out.print(paint('faint', `\n${hint}A key is set with treeline auth set PROVIDER.`))
    }
    return 0
  },
})

/** Keys that cannot be read leave no default; the list is still worth seeing. */
async function defaultOf(catalogue: { defaultRef(): Promise<string> }): Promise<{ ref?: string; problem?: string }> {
  try {
    return { ref: await catalogue.defaultRef() }
  } catch (error) {
    if (error instanceof TreelineError) return { problem: error.message }
    throw error
  }
}

function asJson({ ref, provider, info, isUsable, where, isOld }: ModelListing) {
  const { contextWindow, maxOutput, prices = null, thinking, images } = info
  return { ref, provider, contextWindow, maxOutput, prices, thinking, images, usable: isUsable, where, old: isOld }
}
