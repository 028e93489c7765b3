import fc from 'fast-check'
import type { Key } from 'ink'
import { type EditorState, emptyEditor } from '../editor-state.ts'
import { type Pressed, press } from '../press.ts'

const noKey: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
}

/** The arguments of `useInput`. */
export type Stroke = readonly [input: string, key: Key]

export function key(pressed: Partial<Key>, input = ''): Stroke {
  return [input, { ...noKey, ...pressed }]
}

export const ctrl = (letter: string): Stroke => key({ ctrl: true }, letter)
export const alt = (letter: string): Stroke => key({ meta: true }, letter)

/** The state after some keys; a string is typed at once. A submit or a wish for history leaves the state. */
export function after(state: EditorState, ...strokes: readonly (Stroke | string)[]): EditorState {
  return strokes.reduce((now, stroke) => {
    const pressed = pressedBy(now, stroke)
    return pressed.type === 'state' ? pressed.state : now
  }, state)
}

export function pressedBy(state: EditorState, stroke: Stroke | string, columns?: number): Pressed {
  const [input, pressed] = typeof stroke === 'string' ? key({}, stroke) : stroke
  return press(state, input, pressed, columns)
}

/** `ab|c` is an editor with the cursor before the c. */
export function at(marked: string): EditorState {
  const cursor = marked.indexOf('|')
  return { ...emptyEditor, text: marked.replace('|', ''), cursor }
}

export function marked({ text, cursor }: EditorState): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`
}

/** Characters of every kind that editors get wrong, also parts of characters that join when they meet. */
export const anyText = fc.string({
  unit: fc.constantFrom(
    ...[
      'a',
      'b',
      ' ',
      '\n',
      '\t',
      '.',
      '\\',
      '東',
      '京',
      'é',
      'e\u0301',
      '\u0301',
      '👍',
      '👍🏽',
      '👩‍👩‍👧',
      '\u200d',
      '🇩',
      '🇩🇪',
    ],
    ...[
      'ᄀ',
      'ᅡ',
      '각',
      'न',
      'ि',
      '\u200b',
      '\ufe0f',
      '\r',
      '\r\n',
      '\u001b',
      '\u001b[31m',
      '\u202e',
      '\ud83d',
      '\u0007',
    ],
  ),
  maxLength: 60,
})

export const anyStroke: fc.Arbitrary<Stroke> = fc.oneof(
  anyText.map((text) => key({}, text)),
  fc.constantFrom(...'adejkuwy_'.split('').map(ctrl), ...'bfdx'.split('').map(alt)),
  fc
    .tuple(
      fc.constantFrom(
        'upArrow',
        'downArrow',
        'leftArrow',
        'rightArrow',
        'home',
        'end',
        'backspace',
        'delete',
        'return',
      ),
      fc.constantFrom('ctrl', 'meta', 'shift', 'numLock'),
      fc.boolean(),
    )
    .map(([name, modifier, isModified]) => key({ [name]: true, [modifier]: isModified })),
)
