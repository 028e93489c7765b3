type Fields = Readonly<Record<string, unknown>>

const DEFAULT_ROLE = 'default'

/**
 * An entry in every spelling that Pi, xcsh and oh-my-pi read, in one line: what one of them says in its own way is said in
 * the others' too. What is there already stays as it is.
 */
export function withBothSpellings<T extends { readonly type: string }>(entry: T): T {
  if (entry.type === 'model_change') return { ...entry, ...modelSpelling(entry) }
  if (entry.type !== 'compaction' && entry.type !== 'branch_summary') return entry
  const { fromHook, fromExtension } = entry as Fields
  if (typeof fromHook === 'boolean' && fromExtension === undefined) return { ...entry, fromExtension: fromHook }
  return typeof fromExtension === 'boolean' && fromHook === undefined ? { ...entry, fromHook: fromExtension } : entry
}

/** Only the default model has Pi's spelling: Pi knows no roles and would take any other for it. */
function modelSpelling({ model, role = DEFAULT_ROLE, provider, modelId }: Fields): Fields {
  if (role !== DEFAULT_ROLE) return {}
  const isPi = isText(provider) && isText(modelId)
  if (!isText(model)) return isPi ? { model: `${provider}/${modelId}`, role } : {}
  // The provider ends at the first slash; ids may hold some themselves.
  const slash = model.indexOf('/')
  if (isPi || slash <= 0 || provider !== undefined || modelId !== undefined) return { role }
  return { role, provider: model.slice(0, slash), modelId: model.slice(slash + 1) }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
