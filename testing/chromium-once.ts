import type { TestProject } from 'vitest/node'
import { startSharedChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of all tests listens; empty where none can be started. */
    readonly chromium: string
  }
}

/** Starts one browser for all files of tests: starting it takes longer than most of them. Vitest calls it and what it returns. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = await startSharedChromium()
  project.provide('chromium', chromium?.address ?? '')
  return async () => chromium?.close()
}
