import { type ContextPreview, type QueryOf, RefusedError, type Routes, routes } from '@treeline/protocol'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'

type Query = Partial<Record<keyof QueryOf<Routes['getContext']>, string>>

interface Asked {
  readonly preview: ContextPreview
  /** Why it is not the line of the model that the session is set to. */
  readonly problem?: string
}

/**
 * The line as the server makes it. Where the session is set to a model that cannot be asked here, as one from elsewhere may
 * be, it is that of the usual model, with a word why.
 */
export async function askForLine(session: OpenSession, query: Query, signal: AbortSignal): Promise<Asked> {
  const { call } = session.connection
  const params = { sessionId: session.id }
  try {
    return { preview: await call(routes.getContext, { params, query, signal }) }
  } catch (error) {
    const isModel = error instanceof RefusedError && error.problem.code === 'validation_failed'
    if (!isModel || query.model !== undefined) throw error
    const { models } = await call(routes.getModels, { signal })
    const usual =
      models.find(({ isDefault, isUsable }) => isDefault && isUsable) ?? models.find(({ isUsable }) => isUsable)
    if (usual === undefined) throw error
    const preview = await call(routes.getContext, { params, query: { ...query, model: usual.ref }, signal })
    return {
      preview,
      problem: `${t('Counted for {model}: the model it is set to cannot be asked here.', { model: usual.ref })}\n${error.message}`,
    }
  }
}
