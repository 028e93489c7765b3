import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { toSpecs } from './ask-choice.ts'
import { chatOf } from './chat-state.ts'

/** A conversation that has not begun: what to say, and what can be done here that cannot elsewhere. */
export function EmptyChat({ session }: { readonly session: OpenSession }) {
  const { outbox, choice } = chatOf(session)
  const prompts = [
    t('Explain how a merge sort works, with a small example in Python.'),
    t('Give me three names for a calm note-taking app, and say what speaks against each.'),
    t('What should I ask before I take over an old code base?'),
  ]
  return (
    <div className="chat-empty">
      <h2>{t('Ask something')}</h2>
      <p>{t('Every answer can be asked for again, every question put differently: nothing is overwritten.')}</p>
      <ul>
        {prompts.map((prompt) => (
          <li key={prompt}>
            <button
              type="button"
              onClick={() => outbox.add({ text: prompt, attachments: [], specs: toSpecs(choice.get()) })}
            >
              {prompt}
            </button>
          </li>
        ))}
      </ul>
      <dl>
        <dt>{t('Branch')}</dt>
        <dd>{t('Say it differently, or answer once more: versions stand side by side, ◀ 1/2 ▶ goes between them.')}</dd>
        <dt>{t('Mute')}</dt>
        <dd>{t('A message you mute stays here and is no longer sent to the model.')}</dd>
        <dt>{t('Tree')}</dt>
        <dd>{t('Above on the right you see the whole conversation as a tree, and can move its branches.')}</dd>
      </dl>
    </div>
  )
}
