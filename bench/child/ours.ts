// Treeline's side. What it does is in ../ours.ts, the one place that knows the store's API.
import * as actions from '../ours.ts'
import { runChild } from './run-child.ts'

await runChild(actions)
