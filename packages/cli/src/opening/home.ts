// A module of its own, so that the bundle loads no more of the store than a command needs. Likewise its neighbours.
export { openHome } from '@treeline/store'
