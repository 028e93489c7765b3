import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemoryStore, type Session, type SessionStore } from '@treeline/store'
import { onTestFinished } from 'vitest'
import { prepareCall } from '../prepare-call.ts'
import { runTool } from '../run-tool.ts'
import type { AnyTool, ToolContext, ToolOutput } from '../tool.ts'

/** A project folder and a session, for one test. */
export interface ToolBench {
  readonly cwd: string
  readonly store: SessionStore
  readonly session: Session
  readonly shown: string[]
  context(given?: Partial<ToolContext>): ToolContext
  /** As a turn does it: prepared, then run. */
  call(tool: AnyTool, input: object, given?: Partial<ToolContext>): Promise<ToolOutput>
}

export async function openBench(): Promise<ToolBench> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-tools-')))
  const store = await openMemoryStore()
  const session = await store.create({ cwd })
  onTestFinished(async () => {
    await store.close()
    rmSync(cwd, { recursive: true, force: true })
  })
  const shown: string[] = []
  const context = (given: Partial<ToolContext> = {}): ToolContext => ({
    session,
    secrets: [],
    tipId: session.leafId,
    cwd,
    toolCallId: 'call-1',
    signal: new AbortController().signal,
    onOutput: (text) => shown.push(text),
    ...given,
  })
  return {
    cwd,
    store,
    session,
    shown,
    context,
    async call(tool, input, given) {
      const prepared = await prepareCall([tool], { name: tool.name, arguments: { ...input } }, context(given))
      return prepared.type === 'refused' ? prepared.output : runTool(prepared.tool, prepared.input, context(given))
    },
  }
}

export function textOfOutput({ content }: ToolOutput): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.mimeType}]`)).join('\n')
}
