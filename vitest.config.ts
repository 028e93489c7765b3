import { defineConfig } from 'vitest/config'

const common = { setupFiles: ['scripts/test-seed.ts'], testTimeout: 30_000 }
/** Loading everything anew for each file takes longer than the tests, and these share no state but what they are given. */
const together = { ...common, isolate: false }

export default defineConfig({
  test: {
    // By itself Vitest leaves one core free, which of two is half.
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'store', include: ['packages/store/src/**/*.test.ts', 'scripts/**/*.test.ts'] } },
      {
        test: {
          ...together,
          name: 'packages',
          include: ['packages/{core,formats,protocol,agent,server,web}/src/**/*.test.ts'],
          exclude: ['packages/web/src/**/*.e2e.test.ts'],
        },
      },
      // These run the built program, and wait for it half of the time.
      {
        test: {
          ...together,
          name: 'cli',
          maxWorkers: 3,
          // As many workers as no other project has, so after them.
          sequence: { groupOrder: 1 },
          include: ['packages/cli/src/**/*.test.ts'],
          globalSetup: ['testing/build-once.ts'],
        },
      },
      // These drive it in a browser.
      {
        test: {
          ...together,
          name: 'web',
          include: ['packages/web/src/**/*.e2e.test.ts'],
          globalSetup: ['testing/build-once.ts', 'testing/chromium-once.ts'],
        },
      },
    ],
  },
})
