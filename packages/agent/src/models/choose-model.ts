import type { Settings } from '../settings/settings.ts'
import type { ModelCatalogue } from './model.ts'

export interface ModelChoice {
  /** Said for this one call. */
  readonly asked?: string | undefined
  /** The session's own, by role, as its state tells (S9). */
  readonly models: Readonly<Record<string, string>>
  readonly settings: Pick<Settings, 'model' | 'roles'>
  readonly role?: string
  readonly catalogue: Pick<ModelCatalogue, 'defaultRef'>
}

const DEFAULT_ROLE = 'default'

/**
 * Which model does a job: the one asked for, the session's own for the role, the settings' one for the role. A role that
 * nobody named a model for uses that of the conversation.
 */
export async function chooseModelRef(choice: ModelChoice): Promise<string> {
  const { asked, models, settings, role = DEFAULT_ROLE, catalogue } = choice
  const named = (of: string) => ownValue(models, of) ?? ownValue(settings.roles, of)
  return asked ?? named(role) ?? named(DEFAULT_ROLE) ?? settings.model ?? (await catalogue.defaultRef())
}

/** Roles are words of a log: `constructor` is one as any other. */
function ownValue(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
