#!/usr/bin/env node
import { cacheCode } from './code-cache.ts'

// Nothing of ours is for others to read (K5).
process.umask(0o077)
cacheCode(process.env)
// Only now, so that it is found in the cache.
await import('./main.ts')
