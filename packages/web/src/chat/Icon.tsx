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
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon-drawing" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
