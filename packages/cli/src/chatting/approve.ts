import type { ApprovalAnswer, AskApproval } from '@treeline/agent'
import type { Context } from '../context.ts'
import { paint } from '../output/style.ts'

/** Asks at the terminal what a tool may do. Where nobody sits there, nobody is asked. */
export function approveAt(context: Context): AskApproval | undefined {
  if (!context.canAsk) return undefined
  return async ({ preview: { title, body } }) => {
    context.out.note('')
    context.out.note(paint('strong', title))
    if (body !== undefined) context.out.note(body)
    context.out.note('May it? y: yes, t: this tool from now on, e: all edits from now on, anything else: no, and why')
    return readAnswer(await context.ask('> '))
  }
}

function readAnswer(typed: string): ApprovalAnswer {
  switch (typed.trim().toLowerCase()) {
    case 'y':
    case 'yes':
      return { decision: 'once' }
    case 't':
      return { decision: 'tool' }
    case 'e':
      return { decision: 'edits' }
    case '':
    case 'n':
    case 'no':
      return { decision: 'deny' }
    default:
      return { decision: 'deny', reason: typed.trim() }
  }
}
