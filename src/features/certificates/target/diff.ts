/** What to do about one certificate, and what keeps us from it. Pure. */
import type { Difference, Obstacle } from '../../../engine/target.ts'
import { isoTime } from '../../../kernel/clock.ts'
import type { InstalledCertificate } from '../records.ts'
import type { CertificatesDesired, Wish } from './desire.ts'
import { isSurplus, needOf, standsIn, waitOf } from './need.ts'
import type { Mend } from './soundness.ts'
import type { CertificateState } from './state.ts'

export type CertificatePayload =
  | { readonly kind: 'obtain'; readonly wish: Wish; readonly reason: string }
  /** What an order left behind. `needless`: no certificate is needed, so the order is given up however far it came. */
  | { readonly kind: 'tidy'; readonly needless: boolean }
  /** Its files are written again from what is kept; no authority is asked. */
  | { readonly kind: 'mend'; readonly fingerprint: string; readonly mends: readonly Mend[] }
  | { readonly kind: 'drop' }

export const certificateKey = (name: string): string => `cert:${name}`

export function diffCertificate(
  desired: CertificatesDesired,
  state: CertificateState,
): readonly Difference<CertificatePayload>[] {
  const base = baseOf(state)
  const wish = wishFor(desired, state.name)
  if (wish === null)
    return isSurplus(state, desired.kept)
      ? [{ ...base, verb: 'delete', after: null, payload: { kind: 'drop' } }]
      : []
  return [...mendOf(wish, state), ...orderOf(wish, state)]
}

const baseOf = ({ name, installed }: CertificateState) => ({
  key: certificateKey(name),
  item: name,
  before: installed && shortly(installed),
})

/** What stands is put right at once, also where a new one is due: that may take its time. */
function mendOf({ domain_ids }: Wish, state: CertificateState): readonly Difference<CertificatePayload>[] {
  const { installed, fault, mends = [] } = state
  if (installed === null || mends.length === 0) return []
  const { fingerprint } = installed
  const after = `the same, its files put right without a new order: ${fault}`
  const payload = { kind: 'mend', fingerprint, mends } as const
  return [{ ...baseOf(state), verb: 'update', after, domain_ids, payload }]
}

function orderOf(wish: Wish, state: CertificateState): readonly Difference<CertificatePayload>[] {
  const { order } = state
  const { domain_ids } = wish
  const base = baseOf(state)
  const reason = needOf(wish, state)
  const needless = reason === null
  if (needless || waitOf(state) !== null) {
    if (order === null || (order.step !== 'failed' && !needless)) return []
    const after = 'what an order left behind is taken away'
    return [{ ...base, verb: 'update', after, domain_ids, payload: { kind: 'tidy', needless } }]
  }
  return [
    { ...base, ...obtaining(wish, state, reason), domain_ids, payload: { kind: 'obtain', wish, reason } },
  ]
}

const obtaining = ({ names }: Wish, { installed }: CertificateState, reason: string) => ({
  verb: installed === null ? ('create' as const) : ('update' as const),
  after: `a new one for ${names.join(', ')}: ${reason}`,
})

/** A new one as a plan says it, whatever it has to wait for; null where none is needed. */
export function obtainOf(wish: Wish, state: CertificateState) {
  const reason = needOf(wish, state)
  return reason === null ? null : { before: baseOf(state).before, ...obtaining(wish, state, reason) }
}

/** While a certificate stands that does, a try that has to wait is nobody's trouble. */
export function certificateObstacles(
  desired: CertificatesDesired,
  state: CertificateState,
): readonly Obstacle[] {
  const wish = wishFor(desired, state.name)
  if (wish === null || needOf(wish, state) === null || standsIn(wish, state)) return []
  const failure = waitOf(state)
  return failure === null ? [] : [{ item: state.name, domain_ids: wish.domain_ids, failure }]
}

export const wishFor = ({ wishes }: CertificatesDesired, name: string): Wish | null =>
  wishes.find((wish) => wish.name === name) ?? null

const shortly = ({ serial, not_after }: InstalledCertificate): string =>
  `serial ${serial}, to ${isoTime(not_after)}`
