export { openFileStore } from '@treeline/store'
