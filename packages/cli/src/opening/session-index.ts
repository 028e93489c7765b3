export { usualSources } from '@treeline/formats'
export { openIndex } from '@treeline/store'
