import type { TurnEvent } from '@treeline/agent'
import type { Context } from '../context.ts'
import { paint } from '../output/style.ts'
import type { Chat } from './open-chat.ts'
import type { TurnResult } from './result.ts'

/** Tells of a turn while it goes on, and of its end. */
export interface TellTurn {
  event(event: TurnEvent): void
  end(result: TurnResult): void
}

/** The words of the model on standard output, what it does on the error stream. */
export function tellAsText({ out }: Context): TellTurn {
  let isMidLine = false
  const endLine = (): void => {
    if (isMidLine) out.print()
    isMidLine = false
  }
  const note = (text: string): void => {
    endLine()
    out.note(text)
  }
  return {
    event(event) {
      switch (event.type) {
        case 'delta':
          if (event.kind !== 'text') return
          out.write(event.text)
          isMidLine = !event.text.endsWith('\n')
          return
        case 'tool_started':
          return note(paint('faint', `· ${event.name}`))
        case 'tool_done':
          return event.isError ? note(paint('warn', `· ${event.name} failed`)) : undefined
        case 'retrying':
          return note(paint('warn', `${event.message} Trying again in ${Math.ceil(event.delayMs / 1000)} s.`))
        case 'compacting':
          return note(paint('faint', 'The conversation is long: summing up its beginning …'))
        case 'failed':
        case 'notice':
          return note(paint('warn', event.message))
        case 'finished':
          return endLine()
        default:
          return
      }
    },
    end: endLine,
  }
}

/** One document at the end. */
export function tellAsJson({ out }: Context, chat: Chat): TellTurn {
  return {
    event() {},
    end: (result) => out.document({ ...named(chat), ...result }),
  }
}

/** Every event as a line, then the document of the end. */
export function tellAsStream({ out }: Context, chat: Chat): TellTurn {
  out.document({ type: 'session', ...named(chat), cwd: chat.session.header.cwd })
  return {
    event: (event) => out.document(event),
    end: (result) => out.document({ type: 'result', ...named(chat), ...result }),
  }
}

/** One that is not kept has no file. */
function named({ session: { id, path }, isKept }: Chat): { readonly sessionId: string; readonly path: string | null } {
  return { sessionId: id, path: isKept ? path : null }
}
