import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    setupFiles: ['scripts/test-seed.ts'],
    testTimeout: 30_000,
  },
})
