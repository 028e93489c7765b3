#!/usr/bin/env node
// The least that Ink can be asked for: a prompt that takes keys. Started as Treeline's command is, from compiled code.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(process.env.HELLO_HOME!, 'code'))
// Only now, so that it is found in the cache.
await import('./main.tsx')
