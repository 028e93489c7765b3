/**
 * Servers of models that are not on this machine are not looked for: else one of whoever runs the tests would answer in place
 * of the demo, and each start would load all of Node's HTTP to find that there is none. `npm-start.pty.test.ts` does look.
 */
export const NO_LOCAL_MODELS = { OLLAMA_HOST: 'http://nobody.invalid', LMSTUDIO_BASE_URL: 'http://nobody.invalid/v1' }
