import { ERROR_CODES } from '@treeline/core'
import { routeGroups } from '../routes/index.ts'
import type { OpenApi, Operation } from './document.ts'
import { describe } from './operation.ts'
import { Schemas } from './schemas.ts'

export interface OpenApiInfo {
  readonly version: string
  readonly title?: string
}

/** The table of routes, and what stands beside it, as an OpenAPI 3.1 document. */
export function buildOpenApi({ version, title = 'Treeline' }: OpenApiInfo): OpenApi {
  const schemas = new Schemas()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { name: tag, routes } of routeGroups) {
    for (const [name, route] of Object.entries(routes)) {
      paths[route.path] ??= {}
      paths[route.path]![route.method.toLowerCase()] = describe(name, tag, route, schemas)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version, summary: 'Every conversation is a tree. Every prompt is a line through it.' },
    tags: routeGroups.map(({ name, about }) => ({ name, description: about })),
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      schemas: schemas.named,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token of the scope that an operation names.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'treeline-4123',
          description:
            'What /login sets, with the port in its name. A change needs the header `x-treeline`, too, with any value.',
        },
      },
    },
    'x-problems': ERROR_CODES,
  }
}
