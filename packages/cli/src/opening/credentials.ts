export { openCredentials } from '@treeline/server'
