import { useState } from 'react'
import { copyText } from '../markdown/copy-text.ts'
import { Dialog } from '../shell/Dialog.tsx'
import { tellProblem } from '../shell/notices.ts'
import { t } from '../words/language.ts'
import {
  canLeaveMutedOut,
  EXPORT_FORMATS,
  type ExportChoice,
  type ExportFormat,
  exportUrl,
  FINAL_VERSION,
} from './export-choice.ts'

interface ExportDialogProps {
  readonly sessionId: string
  readonly onClose: () => void
}

/** A conversation as a file: the clean final version first, everything for whoever wants it (T43). */
export function ExportDialog({ sessionId, onClose }: ExportDialogProps) {
  const [choice, setChoice] = useState<ExportChoice>(FINAL_VERSION)
  const url = exportUrl(sessionId, choice)
  const change = (what: Partial<ExportChoice>): void => setChoice({ ...choice, ...what })
  const canLeaveOut = canLeaveMutedOut(choice)
  const isText = choice.format === 'markdown' || choice.format === 'text'
  return (
    <Dialog title={t('Export')} className="export" onClose={onClose}>
      <fieldset>
        <legend>{t('As')}</legend>
        {EXPORT_FORMATS.map((format) => (
          <label key={format}>
            <input type="radio" name="format" checked={choice.format === format} onChange={() => change({ format })} />
            <span>
              {namesOf(format).name} <small>{namesOf(format).use}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{t('What')}</legend>
        <label>
          <input type="radio" checked={choice.scope === 'trunk'} onChange={() => change({ scope: 'trunk' })} />
          <span>
            {t('The trunk')} <small>{t('the conversation as the chat shows it')}</small>
          </span>
        </label>
        <label>
          <input type="radio" checked={choice.scope === 'tree'} onChange={() => change({ scope: 'tree' })} />
          <span>
            {t('The whole tree')} <small>{t('with every branch')}</small>
          </span>
        </label>
        <label>
          <input
            type="checkbox"
            disabled={!canLeaveOut}
            checked={choice.enabledOnly && canLeaveOut}
            onChange={({ target }) => change({ enabledOnly: target.checked })}
          />
          <span>
            {t('Without what is muted')} {!canLeaveOut && <small>{t('a whole log holds what is muted too')}</small>}
          </span>
        </label>
      </fieldset>
      <footer className="row-of-buttons">
        {isText && (
          <button type="button" onClick={() => void copyExport(url)}>
            {t('Copy')}
          </button>
        )}
        <a className="button primary" href={url} download onClick={onClose}>
          {t('Download')}
        </a>
      </footer>
    </Dialog>
  )
}

async function copyExport(url: string): Promise<void> {
  try {
    const response = await fetch(url)
    if (!response.ok) throw new Error(t('The server answered with {status}.', { status: response.status }))
    await copyText(await response.text())
  } catch (error) {
    tellProblem(error)
  }
}

function namesOf(format: ExportFormat): { readonly name: string; readonly use: string } {
  switch (format) {
    case 'markdown':
      return { name: 'Markdown', use: t('to read, to share, for notes') }
    case 'html':
      return { name: 'HTML', use: t('a page that needs nothing else') }
    case 'text':
      return { name: t('Plain text'), use: t('for mail and terminals') }
    case 'json':
      return { name: 'JSON', use: t('for programs') }
    case 'jsonl':
      return { name: 'JSONL', use: t('the log itself, to be imported again') }
  }
}
