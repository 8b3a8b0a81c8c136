/** What to do about one certificate, and what keeps us from it. Pure. */
import type { Difference, Obstacle } from '../../engine/target.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { InstalledCertificate } from '../../ports/certificate-records.ts'
import type { CertificatesDesired, Wish } from './desire.ts'
import { isSurplus, needOf, standsIn, waitOf } from './need.ts'
import type { CertificateState } from './state.ts'

export type CertificatePayload =
  | { readonly kind: 'obtain'; readonly wish: Wish; readonly reason: string }
  /** What an order left behind. `needless`: no certificate is needed, so the order is given up however far it came. */
  | { readonly kind: 'tidy'; readonly needless: boolean }
  | { readonly kind: 'drop' }

export const certificateKey = (name: string): string => `cert:${name}`

export function diffCertificate(
  desired: CertificatesDesired,
  state: CertificateState,
): readonly Difference<CertificatePayload>[] {
  const { name, installed, order } = state
  const base = { key: certificateKey(name), item: name, before: installed && shortly(installed) }
  const wish = wishFor(desired, name)
  if (wish === null)
    return isSurplus(state, desired.kept)
      ? [{ ...base, verb: 'delete', after: null, payload: { kind: 'drop' } }]
      : []
  const { domain_ids } = wish
  const reason = needOf(wish, state)
  const needless = reason === null
  if (needless || waitOf(state) !== null) {
    if (order === null || (order.step !== 'failed' && !needless)) return []
    const after = 'what an order left behind is taken away'
    return [{ ...base, verb: 'update', after, domain_ids, payload: { kind: 'tidy', needless } }]
  }
  const after = `a new one for ${wish.names.join(', ')}: ${reason}`
  const verb = installed === null ? 'create' : 'update'
  return [{ ...base, verb, after, domain_ids, payload: { kind: 'obtain', wish, reason } }]
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
