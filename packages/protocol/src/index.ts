/** `@treeline/protocol`: what goes over the wire, once, for the server, the browser and programs. */

export { applyDelta } from './client/apply-delta.ts'
export { backOffMs } from './client/back-off.ts'
export { type Call, type ClientOptions, createCaller, RefusedError } from './client/call.ts'
export { openStream, type Socket, type Stream, type StreamOptions } from './client/stream.ts'
export type { Subscription } from './client/subscription.ts'
export {
  columnsSchema,
  NO_PARENT,
  type PackedColumns,
  packColumns,
  readColumns,
  type TreeColumns,
} from './columns.ts'
export * from './context.ts'
export * from './edit.ts'
export * from './event.ts'
export * from './frame.ts'
export * from './id.ts'
export * from './limits.ts'
export * from './message.ts'
export * from './node.ts'
export type { Content, JsonSchema, OpenApi, Operation, Parameter } from './openapi/document.ts'
export { buildOpenApi } from './openapi/openapi.ts'
export * from './problem.ts'
export { doorRoutes } from './routes/door-routes.ts'
export { type RouteName, type Routes, routes } from './routes/index.ts'
export type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route, Scope } from './routes/route.ts'
export * from './session.ts'
export * from './tree.ts'
