import { defineConfig } from 'vitest/config'

const common = { setupFiles: ['scripts/test-seed.ts'], testTimeout: 30_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'packages',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['packages/cli/**', '**/node_modules/**'],
        },
      },
      // These run the built program.
      {
        test: {
          ...common,
          name: 'cli',
          include: ['packages/cli/src/**/*.test.ts'],
          globalSetup: ['packages/cli/src/testing/build-once.ts'],
          // They share no state but what they are given, and loading everything for each file took longer than the tests.
          isolate: false,
        },
      },
    ],
  },
})
