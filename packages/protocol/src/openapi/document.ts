/** What of an OpenAPI 3.1 document we write. Schemas are plain JSON Schema 2020-12. */
export interface OpenApi {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly summary: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly security: readonly Security[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
  /** What `code` of a problem can be. */
  readonly 'x-problems': readonly { readonly code: string; readonly status: number }[]
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  /** With the scope that a token must have. */
  readonly security: readonly Security[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
  readonly 'x-websocket'?: SocketNote
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly schema: JsonSchema }>>
  readonly content?: Content
}

/** OpenAPI has no words for what goes over a WebSocket. */
export interface SocketNote {
  readonly subprotocol: string
  readonly clientFrame: JsonSchema
  readonly serverFrame: JsonSchema
  readonly closeCodes: Readonly<Record<string, number>>
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>
export type Security = Readonly<Record<string, readonly string[]>>
export type JsonSchema = Readonly<Record<string, unknown>>
