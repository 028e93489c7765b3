import { useEffect, useRef, useState } from 'react'
import { Told } from '../shell/Told.tsx'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { type AskChoice, keepChoice, MAX_ANSWERS, toSpecs } from './ask-choice.ts'
import { chatOf } from './chat-state.ts'
import { formatCount } from './format-details.ts'
import { Icon } from './Icon.tsx'
import { type ListedModel, useModels } from './models.ts'

/** Who answers: one model, several at once, or one several times. The answers stand side by side. */
export function ModelPicker({ session }: { readonly session: OpenSession }) {
  const { choice: store } = chatOf(session)
  const choice = useStore(store)
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const models = useModels(session.connection, isOpen)
  const isLinear = session.state.get().mode === 'linear'
  const own = ownModel(session)
  useEffect(() => {
    if (!isOpen) return
    const onPointer = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', onPointer)
    return () => removeEventListener('pointerdown', onPointer)
  }, [isOpen])
  const change = (next: AskChoice): void => {
    store.set(next)
    keepChoice(session.id, next)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is open in it, wherever the focus is.
    <div
      className="model-picker"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        setOpen(false)
        box.current?.querySelector('button')?.focus()
      }}
    >
      <button
        type="button"
        className="icon model-button"
        aria-expanded={isOpen}
        title={t('Who answers')}
        onClick={() => setOpen(!isOpen)}
      >
        <span>{nameOf(choice, own, models)}</span> <Icon name="down" />
      </button>
      {isOpen && (
        <div className="model-menu" role="dialog" aria-label={t('Who answers')}>
          <ModelList models={models} own={own} choice={choice} isSingle={isLinear} onChange={change} />
          {!isLinear && <TimesChooser choice={choice} onChange={change} />}
        </div>
      )}
    </div>
  )
}

interface ChooserProps {
  readonly choice: AskChoice
  readonly onChange: (choice: AskChoice) => void
}

interface ModelListProps extends ChooserProps {
  readonly models: readonly ListedModel[] | undefined
  /** Who answered last here, and answers again when nobody is chosen. */
  readonly own: string | undefined
  /** In a linear chat one answers. */
  readonly isSingle: boolean
}

function ModelList({ models, own, choice, isSingle, onChange }: ModelListProps) {
  if (models === undefined) return <p className="soft">{t('Loading…')}</p>
  const usable = models.filter(({ isUsable }) => isUsable)
  const toggle = (ref: string): void => {
    const isChosen = choice.models.includes(ref)
    if (isSingle) onChange({ ...choice, models: isChosen ? [] : [ref] })
    else
      onChange({ ...choice, models: isChosen ? choice.models.filter((one) => one !== ref) : [...choice.models, ref] })
  }
  return (
    <>
      <ul>
        <li>
          <label>
            <input
              type="checkbox"
              checked={choice.models.length === 0}
              onChange={() => onChange({ ...choice, models: [] })}
            />
            <span>
              {t('The model of this conversation')}
              {own !== undefined && <span className="soft"> {own}</span>}
            </span>
            {needsKey(own, models) && <span className="problem">{t('needs a key')}</span>}
          </label>
        </li>
        {usable.map(({ ref, contextWindow, prices, isDefault }) => (
          <li key={ref}>
            <label>
              <input type="checkbox" checked={choice.models.includes(ref)} onChange={() => toggle(ref)} />
              <span>
                {ref}
                {isDefault && <span className="badge">{t('default')}</span>}
              </span>
              <span className="soft">
                {formatCount(contextWindow)}
                {prices !== null && prices.output > 0 && ` · $${prices.input}/${prices.output}`}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {usable.length < models.length && (
        <p className="soft">
          <Told
            text={t('{count} more need a key: set it with `treeline auth set`.', {
              count: models.length - usable.length,
            })}
          />
        </p>
      )}
    </>
  )
}

function TimesChooser({ choice, onChange }: ChooserProps) {
  const count = toSpecs(choice).length
  const most = Math.max(1, Math.floor(MAX_ANSWERS / Math.max(1, choice.models.length)))
  return (
    <div className="times">
      <label>
        {t('How often each')}
        <input
          type="number"
          min={1}
          max={most}
          value={choice.times}
          onChange={({ target }) => {
            const times = Math.min(most, Math.max(1, Math.trunc(target.valueAsNumber) || 1))
            onChange({ ...choice, times })
          }}
        />
      </label>
      <span className="soft">{count === 1 ? t('One answer') : t('{count} answers, side by side', { count })}</span>
    </div>
  )
}

/** As the server goes by it: who wrote the last answer of the trunk. */
function ownModel(session: OpenSession): string | undefined {
  const { tree } = session
  let at = tree.place(tree.activeLeafId)
  while (at >= 0 && tree.roleOf(at) !== 'assistant') at = tree.parentOf(at)
  return at < 0 ? undefined : session.node(tree.ids[at]!)?.metadata?.model
}

function needsKey(own: string | undefined, listed: readonly ListedModel[] | undefined): boolean {
  return own !== undefined && listed !== undefined && !listed.some(({ ref, isUsable }) => ref === own && isUsable)
}

function nameOf(
  { models, times }: AskChoice,
  own: string | undefined,
  listed: readonly ListedModel[] | undefined,
): string {
  const often = times > 1 ? ` × ${times}` : ''
  if (models.length > 1) return t('{count} models', { count: models.length }) + often
  const [ref = own ?? listed?.find(({ isDefault }) => isDefault)?.ref] = models
  return (ref === undefined ? t('Model') : ref.slice(ref.indexOf('/') + 1)) + often
}
