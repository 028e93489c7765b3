/** The colours of the style sheet, as a canvas takes them. */
export interface Palette {
  readonly ground: string
  readonly raised: string
  readonly sunken: string
  readonly edge: string
  readonly edgeStrong: string
  readonly ink: string
  readonly inkSoft: string
  readonly accent: string
  readonly accentSoft: string
  readonly danger: string
  /** By role, as in the columns: system, user, assistant, tool. */
  readonly roles: readonly [string, string, string, string]
}

/** A canvas does not know `light-dark()`, so an element is asked what each came to. */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const palette: Palette = {
    ground: read('ground'),
    raised: read('raised'),
    sunken: read('sunken'),
    edge: read('edge'),
    edgeStrong: read('edge-strong'),
    ink: read('ink'),
    inkSoft: read('ink-soft'),
    accent: read('accent'),
    accentSoft: read('accent-soft'),
    danger: read('danger'),
    roles: [read('system'), read('user'), read('assistant'), read('tool')],
  }
  probe.remove()
  return palette
}

/** Tells when the system or the reader changes between light and dark. */
export function watchTheme(onChange: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(onChange)
  media.addEventListener('change', onChange)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => {
    media.removeEventListener('change', onChange)
    observer.disconnect()
  }
}
