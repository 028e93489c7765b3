import type { Handlers } from '../../http/handler.ts'
import { getBlob, putBlob } from './blobs.ts'
import { getConfig, putConfig } from './config.ts'
import { createSession } from './create-session.ts'
import { deleteSession } from './delete-session.ts'
import { exportSession } from './export-session.ts'
import { forkSession } from './fork-session.ts'
import { importSession } from './import-session.ts'
import { listSessions } from './list-sessions.ts'
import { getModels } from './models.ts'
import { getSession, patchSession } from './one-session.ts'
import { search } from './search.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'
import { listTrash, restoreSession } from './trash.ts'

const getLimits: Handlers['getLimits'] = async ({ limits }) => ({ status: 200, body: limits })

type SessionRoute =
  | 'listSessions'
  | 'createSession'
  | 'getSession'
  | 'patchSession'
  | 'deleteSession'
  | 'listTrash'
  | 'restoreSession'
  | 'importSession'
  | 'exportSession'
  | 'forkSession'
  | 'getConfig'
  | 'putConfig'
  | 'search'
  | 'getModels'
  | 'getLimits'
  | 'putBlob'
  | 'getBlob'
  | 'listTokens'
  | 'createToken'
  | 'revokeToken'

/** Sessions as wholes, and what is about none of them. */
export const sessionHandlers: Handlers<SessionRoute> = {
  listSessions,
  createSession,
  getSession,
  patchSession,
  deleteSession,
  listTrash,
  restoreSession,
  importSession,
  exportSession,
  forkSession,
  getConfig,
  putConfig,
  search,
  getModels,
  getLimits,
  putBlob,
  getBlob,
  listTokens,
  createToken,
  revokeToken,
}
