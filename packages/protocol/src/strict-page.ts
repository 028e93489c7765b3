/**
 * For a page whose content security policy forbids `eval`: to be imported before anything else of ours. The shapes are
 * then checked without code made for them, which is not allowed there; even to try is reported as a breach. Whether to
 * make code is asked when a shape is made, so later is too late.
 */

import { z } from 'zod'

z.config({ jitless: true })
