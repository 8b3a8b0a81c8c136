/** What the headline says beside its verdict: what is not known, and that nothing is put back just now. Pure. */
import type { HealthComponent, Modes } from '../../api/types.ts'
import { actorName, componentWords, count, listed } from '../words.ts'
import { isUnusual, setAtOf } from './modes.ts'

/** Null where all of them are known. */
export const unknownText = (many: number): string | null =>
  many === 0
    ? null
    : `What ${count(many, 'name')} ${many === 1 ? 'serves' : 'serve'} as a certificate is not known.`

type Row = Pick<HealthComponent, 'kind' | 'configured' | 'component' | 'mode'>
type Setting = Pick<Modes['settings'][number], 'scope' | 'mode' | 'actor' | 'expired'>
type Trail = Parameters<typeof setAtOf>[0]

interface ModeWords {
  readonly text: string
  /** When it was set, in milliseconds; null where the trail shows none. */
  readonly since: number | null
  /** Null where several are set. */
  readonly actor: string | null
}

const WHILE = { observe: 'only observed', suspend: 'suspended' } as const

/** What is not put back just now; null where all that is kept true is repaired. */
export function modeWords(
  rows: readonly Row[],
  settings: readonly Setting[],
  trail: Trail = [],
): ModeWords | null {
  const kept = rows.filter(({ kind, configured }) => kind === 'kept' && configured)
  const bound = kept.filter(({ mode }) => mode === 'observe' || mode === 'suspend')
  if (bound.length === 0) return null
  const titles = [...new Set(bound.map(({ component }) => componentWords(component).title))]
  const modes = new Set(bound.map(({ mode }) => mode))
  const word = modes.size > 1 ? 'observed or suspended' : WHILE[bound[0]!.mode as keyof typeof WHILE]
  const unusual = settings.filter(isUnusual)
  const [only] = unusual.length === 1 ? unusual : []
  return {
    text:
      bound.length === kept.length
        ? `Hand edits are not put back while everything is ${word}`
        : `Hand edits of ${listed(titles, 3)} are not put back while ${titles.length === 1 ? 'that is' : 'those are'} ${word}`,
    since: only === undefined ? null : setAtOf(trail, only),
    actor: only === undefined ? null : actorName(only.actor),
  }
}
