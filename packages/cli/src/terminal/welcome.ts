import { t } from '../output/language.ts'

export interface WelcomeFacts {
  /** What starts the program in the user's shell. */
  readonly command: string
  /** Nothing when none can be asked. */
  readonly model: string
  /** Where sessions are kept; nothing for a chat that keeps none. */
  readonly home: string | undefined
  /** Nothing was ever said here. */
  readonly isFirst: boolean
}

/** What an empty chat begins with; more of it for somebody who is new here. */
export function welcomeText({ command, model, home, isFirst }: WelcomeFacts): string {
  return [
    t('Treeline keeps this conversation as a tree.'),
    answering(command, model),
    ...(isFirst ? lesson(command, home) : [short()]),
  ].join('\n')
}

function answering(command: string, model: string): string {
  if (model === '') return t('No model can be asked yet: /model shows which there are.')
  return model.startsWith('demo/')
    ? t(
        'No key is set, so the built-in demo answers. For real answers: {command} auth set anthropic, or start Ollama.',
        { command },
      )
    : t('{model} answers.', { model })
}

function short(): string {
  return t('Esc Esc goes back to an earlier prompt, /tree shows all, /help the rest.')
}

function lesson(command: string, home: string | undefined): readonly string[] {
  return [
    t('Type something and press Enter. Esc stops an answer.'),
    t(
      'Esc Esc goes back to an earlier prompt: say it differently, and both ways are kept. /tree shows them, /help the rest.',
    ),
    home === undefined
      ? t('Nothing of this chat is kept.')
      : t('All of it is kept in {home}: {command} -c goes on with it.', { command, home }),
  ]
}
