import type { Entry } from '../entry/entry.ts'
import type { DialectRules } from './dialect.ts'
import { isText, type JsonObject } from './json.ts'

export interface ModelRef {
  readonly provider: string
  readonly modelId: string
}

const DEFAULT_ROLE = 'default'

/** Models by role along a path, in either spelling. */
export class Models {
  private readonly rules: DialectRules
  private readonly byRole = new Map<string, string>()
  private model: ModelRef | null = null
  private chosen = false
  /** The latest answer that tells a model; looked at in the end only, because there are thousands. */
  private answer: JsonObject | undefined

  constructor(rules: DialectRules) {
    this.rules = rules
  }

  /** False when the change names no model in a spelling this dialect reads. An empty name changes nothing. */
  readChange(entry: Entry): boolean {
    const { modelSpelling } = this.rules
    const role = isText(entry.role) ? entry.role : DEFAULT_ROLE
    if (modelSpelling !== 'provider+modelId' && isText(entry.model)) {
      this.choose(role, entry.model, splitModel(entry.model))
      return true
    }
    if (modelSpelling !== 'model' && isText(entry.provider) && isText(entry.modelId)) {
      const model = { provider: entry.provider, modelId: entry.modelId }
      this.choose(role, `${model.provider}/${model.modelId}`, model)
      return true
    }
    return entry.model === '' || modelSpelling !== 'both'
  }

  /** An answer tells which model gave it; an explicit choice outranks it where the dialect says so (S23). */
  readAssistant(message: JsonObject): void {
    if (message.role !== 'assistant' || !isText(message.provider) || !isText(message.model)) return
    if (!this.chosen || this.rules.assistantSetsModel) this.answer = message
  }

  /** Somebody chose the model for all that has no role of its own. */
  get hasChoice(): boolean {
    return this.chosen
  }

  finish(): { readonly model: ModelRef | null; readonly models: Readonly<Record<string, string>> } {
    if (this.answer !== undefined) {
      const { provider, model } = this.answer as { provider: string; model: string }
      this.model = { provider, modelId: model }
      this.byRole.set(DEFAULT_ROLE, `${provider}/${model}`)
    }
    // fromEntries makes own properties even of a role called `__proto__`.
    return { model: this.model, models: Object.fromEntries(this.byRole) }
  }

  private choose(role: string, name: string, model: ModelRef | null): void {
    this.byRole.set(role, name)
    if (role !== DEFAULT_ROLE) return
    this.model = model
    this.chosen = true
    this.answer = undefined
  }
}

/** Ids may hold slashes themselves (`openrouter/meta/llama`); the provider ends at the first. */
function splitModel(name: string): ModelRef | null {
  const slash = name.indexOf('/')
  return slash <= 0 ? null : { provider: name.slice(0, slash), modelId: name.slice(slash + 1) }
}
