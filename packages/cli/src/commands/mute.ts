import { muteCommand } from '../editing/mute-nodes.ts'

export const command = muteCommand('mute')
