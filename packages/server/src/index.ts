/** `@treeline/server`: the tree over HTTP and WebSocket, and who may ask. */

export { fileHouse } from './files/file-house.ts'
export { type FileToolsOptions, fileTools } from './files/file-tools.ts'
export type { Actor } from './guard/actor.ts'
export { type Asked, askedOf } from './guard/asked.ts'
export { formatCookie } from './guard/cookie.ts'
export {
  type Credentials,
  type CredentialsOptions,
  type ListedCredential,
  type NewToken,
  openCredentials,
} from './guard/credentials.ts'
export { type GuardOptions, guard } from './guard/guard.ts'
export { type OwnAddresses, ownAddresses } from './guard/own-addresses.ts'
export { type Approvals, createApprovals } from './hub/approvals.ts'
export { type RunningServer, type ServerOptions, startServer } from './server.ts'
export { serverTools } from './server-tools.ts'
export type { House, LogRecord, OtherTools } from './services.ts'
