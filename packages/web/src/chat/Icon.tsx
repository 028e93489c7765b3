/** Drawn for a square of 16, with lines as thick as the text's. */
const PATHS = {
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3zM9 4.7l2.3 2.3',
  again: 'M12.8 6.5A5 5 0 1 0 13 9M13 3v3.5H9.5',
  branch: 'M4.5 3v10M4.5 9.5c0-2.5 7-1.5 7-4.5M11.5 5a1 1 0 1 0 0-2a1 1 0 0 0 0 2',
  mute: 'M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4zM3 13L13 3',
  unmute: 'M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4zM8 9.7a1.7 1.7 0 1 0 0-3.4a1.7 1.7 0 0 0 0 3.4z',
  tree: 'M8 3v3M8 6c0 2-4 1-4 4v1M8 6c0 2 4 1 4 4v1M4 13v-2M12 13v-2',
  left: 'M10 3.5L5.5 8l4.5 4.5',
  right: 'M6 3.5L10.5 8 6 12.5',
  down: 'M3.5 6L8 10.5 12.5 6',
  attach: 'M12.5 7.5l-4.8 4.8a2.7 2.7 0 0 1-3.8-3.8L9 3.4a1.8 1.8 0 0 1 2.6 2.6L6.5 11a.9.9 0 0 1-1.3-1.3L9.7 5.2',
  send: 'M8 13V3.5M4 7.2L8 3.2l4 4',
  stop: 'M4.5 4.5h7v7h-7z',
  close: 'M4 4l8 8M12 4l-8 8',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  plus: 'M8 3v10M3 8h10',
  more: 'M3 8a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M7.5 8a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M12 8a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0',
  side: 'M2.5 3.5h11v9h-11zM6.5 3.5v9',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9a4.5 4.5 0 0 0 0 9zM10.3 10.3L13.5 13.5',
  star: 'M8 2.5l1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.2 4.6 13l.7-3.8L2.5 6.5 6.3 6z',
  tag: 'M2.5 8.3V3h5.3L13.5 8.7 8.7 13.5zM5.3 5.7h.01',
  archive: 'M2.5 3.5h11v3h-11zM3.5 6.5v6h9v-6M6.5 9h3',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9',
  bringIn: 'M8 2.5v7M5 7l3 3 3-3M3 10.5v3h10v-3',
  takeOut: 'M8 10V3M5 5.5l3-3 3 3M3 10.5v3h10v-3',
  compare: 'M3 3h4v10H3zM9 3h4v10H9z',
  compact: 'M3 3.5h10M3 12.5h10M8 5v2M8 11V9M6.5 6L8 7.5 9.5 6M6.5 10L8 8.5 9.5 10',
  gear: 'M3 5h6M12 5h1M3 11h1M7 11h6M10.5 6.5a1.5 1.5 0 1 0 0-3a1.5 1.5 0 0 0 0 3zM5.5 12.5a1.5 1.5 0 1 0 0-3a1.5 1.5 0 0 0 0 3z',
  up: 'M3.5 10L8 5.5 12.5 10',
  cut: 'M5.2 5.2L13 12.5M5.2 10.8L13 3.5M4 6a1.6 1.6 0 1 0 0-3.2a1.6 1.6 0 0 0 0 3.2zM4 13.2a1.6 1.6 0 1 0 0-3.2a1.6 1.6 0 0 0 0 3.2z',
  flag: 'M4 13.5v-11h8l-2 3 2 3H4',
  minus: 'M3 8h10',
  undo: 'M6 3L3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H6',
  redo: 'M10 3l3 3-3 3M13 6H6.5a3.5 3.5 0 0 0 0 7H10',
  history: 'M8 4.5V8l2.5 1.5M8 13.5A5.5 5.5 0 1 0 8 2.5a5.5 5.5 0 0 0 0 11z',
  outline: 'M3 4h10M5.5 8H13M5.5 12H13M3 8h.01M3 12h.01',
  fitTrunk: 'M8 2.5v11M5.5 5L8 2.5 10.5 5M5.5 11L8 13.5 10.5 11',
  fitAll: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  unfold: 'M3 8h10M5.5 4.5L8 2l2.5 2.5M5.5 11.5L8 14l2.5-2.5',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon-drawing" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
