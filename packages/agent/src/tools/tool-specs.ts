import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { z } from 'zod'
import type { AnyTool } from './tool.ts'

/** A tool never changes, and every request names all of them. */
const known = new WeakMap<AnyTool, LanguageModelV4FunctionTool>()

/** The tools as a model is told of them, in the order given. The same tools give the same bytes, so that caches hit. */
export function toolSpecs(tools: readonly AnyTool[]): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => {
    const spec = known.get(tool) ?? describe(tool)
    known.set(tool, spec)
    return spec
  })
}

function describe({ name, description, input }: AnyTool): LanguageModelV4FunctionTool {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { target: 'draft-7', io: 'input' })
  return { type: 'function', name, description, inputSchema: schema as LanguageModelV4FunctionTool['inputSchema'] }
}
