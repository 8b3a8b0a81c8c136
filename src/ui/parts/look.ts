/** The theme and the density: kept in this browser alone, followed at once. */
import { signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'
export type Density = 'roomy' | 'tight'

export const theme = signal<Theme>('system')
export const density = signal<Density>('roomy')

const NARROW = window.matchMedia('(max-width: 700px)')
/** A phone, or a window that is as narrow: as the sheet has it. */
export const narrow = signal(NARROW.matches)

const read = (name: string): string | null => {
  try {
    return window.localStorage.getItem(`plumbline.${name}`)
  } catch {
    return null
  }
}

const write = (name: string, value: string): void => {
  try {
    window.localStorage.setItem(`plumbline.${name}`, value)
  } catch {
    // Storage is full or forbidden: it holds until the page is left.
  }
}

export function applyLook(): void {
  const kept = read('theme')
  if (kept === 'light' || kept === 'dark') theme.value = kept
  if (read('density') === 'tight') density.value = 'tight'
  theme.subscribe((value) => {
    if (value === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = value
  })
  NARROW.addEventListener('change', ({ matches }) => {
    narrow.value = matches
  })
  density.subscribe((value) => {
    document.documentElement.dataset['density'] = value
  })
}

export function setTheme(value: Theme): void {
  theme.value = value
  write('theme', value)
}

export function setDensity(value: Density): void {
  density.value = value
  write('density', value)
}
