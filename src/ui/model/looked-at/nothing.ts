/** Domains that lead to nothing: which of them need somebody, as one line of Overview. */
import type { Discovery } from '../../api/types.ts'
import type { Lamp } from '../lamps.ts'
import type { Need } from '../verdict.ts'
import { capital, count, listed } from '../words.ts'

export type AtNothing = NonNullable<Discovery['points_at_nothing']>[number]

/** Who is only off comes back by itself, and nobody is led by a record that is not active. */
export const nothingLamp = ({ reason, status }: Pick<AtNothing, 'reason' | 'status'>): Lamp =>
  status === 'inactive' || reason === 'offline' || reason === 'not_running' ? 'drift' : 'bad'

/** Behind what is as severe. Where a source is not known, the part of that source says so already. */
export function withNothing(
  needs: readonly Need[],
  found: Pick<Discovery, 'points_at_nothing'> | undefined,
): readonly Need[] {
  const names = (found?.points_at_nothing ?? [])
    .filter((one) => nothingLamp(one) === 'bad')
    .map(({ domain }) => domain)
  if (names.length === 0) return needs
  const at = needs.findIndex(({ lamp }) => lamp !== 'bad')
  return needs.toSpliced(at < 0 ? needs.length : at, 0, {
    id: 'discover',
    lamp: 'bad',
    title: `${capital(count(names.length, 'domain'))} ${names.length === 1 ? 'leads' : 'lead'} to nothing`,
    text: `${listed(names)}: nothing runs where ${names.length === 1 ? 'it leads' : 'they lead'}.`,
    domains: names,
    component: 'discover',
    acts: [],
  })
}
