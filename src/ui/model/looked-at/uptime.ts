/** The looks of a day at a domain as bars and a percentage. Unknown is not up, and a quarter without a look says nothing. */
import type { DomainHistory } from '../../api/types.ts'

type Bucket = DomainHistory['buckets'][number]

export type BarState = 'ok' | 'drift' | 'bad' | 'unknown' | 'off'

/** One bad look among good ones is no good quarter; what nobody found out is unknown, whatever else there is. */
export function barState({ ok, bad, unknown }: Pick<Bucket, 'ok' | 'bad' | 'unknown'>): BarState {
  if (bad > 0) return ok > 0 ? 'drift' : 'bad'
  if (unknown > 0) return 'unknown'
  return ok > 0 ? 'ok' : 'off'
}

/** "99.3 %", and no number where nothing is known: that is neither 0 nor 100. */
export const uptimeText = (uptime: number | null): string => (uptime === null ? 'not known' : `${uptime} %`)

/** "286 looks answered, 2 did not, 3 found nothing out". */
export const looksText = ({ ok, bad, unknown }: Pick<Bucket, 'ok' | 'bad' | 'unknown'>): string =>
  ok + bad + unknown === 0
    ? 'Nobody looked'
    : [
        `${ok} answered`,
        ...(bad > 0 ? [`${bad} did not`] : []),
        ...(unknown > 0 ? [`${unknown} found nothing out`] : []),
      ].join(', ')
