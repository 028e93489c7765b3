import { createDemoModel } from '../demo/demo-model.ts'
import type { Connect } from './connect.ts'

/** No wire at all: it answers here. */
export const connect: Connect = ({ delayMs }) => createDemoModel(delayMs === undefined ? {} : { delayMs })
