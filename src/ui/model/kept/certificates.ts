/** Certificates as rows: lamp, life, what comes next and what stands in the way. Pure. */
import type { Certificates } from '../../api/types.ts'
import { leftText, parseTimeOr, untilText } from '../ages.ts'
import { needsSomebody, WAITING, type Lamp } from '../lamps.ts'
import { statesOf, type ListingFields } from '../table/listing.ts'
import { causeMeans, causeTitle, count, number, plain } from '../words.ts'
import { STEPS } from './order-steps.ts'
import { hayOf, NAMES } from './order.ts'

export type Certificate = Certificates['certificates'][number]
export type CertificateState = Certificate['state']

export interface CertificateRow {
  readonly key: string
  readonly name: string
  readonly state: CertificateState
  readonly lamp: Lamp
  /** In milliseconds; null where there is none. */
  readonly begins_at: number | null
  readonly ends_at: number | null
  readonly hay: string
  readonly of: Certificate
}

export const STATES = [
  ['expired', 'Expired'],
  ['under_14_days', 'Under 14 days'],
  ['under_30_days', 'Under 30 days'],
  ['missing', 'Not there yet'],
  ['healthy', 'Healthy'],
] as const satisfies readonly (readonly [CertificateState, string])[]

/** With this part of its life left, any client should have renewed it long ago. */
const LATE_SHARE = 1 / 6

type Seen = Pick<Certificate, 'source' | 'state' | 'drift' | 'cause' | 'last_error' | 'order_step'>

/** @param share of its life that is left; @param fresh false: what is known of the proxy's is an older reading */
export function lampOfCertificate(one: Seen, share: number | null, fresh: boolean): Lamp {
  if (one.state === 'expired' || one.last_error !== null) return 'bad'
  if (one.order_step !== null && one.order_step !== 'failed') return 'moving'
  if (one.cause !== null) return WAITING.has(one.cause) ? 'pending' : 'drift'
  if (one.source === 'proxy') {
    if (!fresh) return 'unknown'
    return share !== null && share < LATE_SHARE ? 'drift' : 'ok'
  }
  if (one.drift === null) return 'unknown'
  return one.drift || one.state === 'missing' ? 'drift' : 'ok'
}

/** 1 is just issued, 0 is ended; null where there is none. */
export function shareLeft(begins: number | null, ends: number | null, now: number): number | null {
  if (begins === null || ends === null || ends <= begins) return null
  return Math.max(0, Math.min(1, (ends - now) / (ends - begins)))
}

const SCALE_MS = 90 * 86_400_000

/** How much of the 90 days of the bar it lasts: 1 for that and longer; null where there is no end. */
export const shareOfScale = (ends: number | null, now: number): number | null =>
  ends === null ? null : Math.max(0, Math.min(1, (ends - now) / SCALE_MS))

export function certificateRows(found: Certificates, now: number): readonly CertificateRow[] {
  const isFresh = found.store.fresh !== false
  const rows = found.certificates.map((one) => {
    const begins_at = parseTimeOr(one.certificate?.not_before)
    const ends_at = parseTimeOr(one.certificate?.not_after)
    return {
      key: [one.source, one.resolver ?? one.directory ?? '', one.name].join(' '),
      name: one.name,
      state: one.state,
      lamp: lampOfCertificate(one, shareLeft(begins_at, ends_at, now), isFresh),
      begins_at,
      ends_at,
      hay: hayOf(
        one.name,
        ...one.names,
        ...one.domains.map(({ domain }) => domain),
        one.certificate?.issuer,
        one.resolver,
        one.last_error,
        one.source === 'manager' ? 'ours' : 'the proxy',
      ),
      of: one,
    }
  })
  return rows.toSorted((a, b) => NAMES.compare(a.name, b.name))
}

/** What is not there ends before all. */
export const endOf = ({ ends_at }: Pick<CertificateRow, 'ends_at'>): number => ends_at ?? 0

export const CERTIFICATE_FIELDS: ListingFields<CertificateRow> = {
  words: ({ hay }) => hay,
  is: {
    ...statesOf(STATES, ({ state }: CertificateRow) => state),
    wrong: ({ lamp }) => needsSomebody(lamp),
  },
}

export const fromText = ({ source, resolver }: Pick<Certificate, 'source' | 'resolver'>): string =>
  source === 'manager' ? 'ours' : `the proxy${resolver === null ? '' : `, ${resolver}`}`

/** "61 d", "ended", and a dash where there is none. */
export function endText(ends: number | null, now: number): string {
  if (ends === null) return '–'
  return ends <= now ? 'ended' : leftText(ends, now)
}

/** What is wrong with it, or null. */
export function wrongText({ of: one, lamp, state }: CertificateRow): string | null {
  if (one.last_error !== null) return one.last_error
  if (one.cause !== null) return `${causeTitle(one.cause)}. ${causeMeans(one.cause)}`.trim()
  if (lamp === 'unknown')
    return one.source === 'proxy'
      ? 'The store of the proxy could not be read anew; this is an older reading.'
      : 'It could not be found out how it is.'
  if (state === 'expired') return 'It has ended.'
  if (lamp === 'drift' && one.source === 'proxy') return 'The proxy should have renewed it by now.'
  return lamp === 'drift' ? 'It is wanted, and not there.' : null
}

/** What happens by itself, and when. */
export function nextText({ of: one, lamp }: CertificateRow, now: number): string {
  if (lamp === 'moving')
    return `Under way: ${lower(STEPS.get(one.order_step ?? '') ?? plain(one.order_step ?? ''))}`
  const next = parseTimeOr(one.next_attempt_at)
  if (one.source === 'proxy') return 'The proxy renews it.'
  if (!one.wanted) return 'Nobody wants it any more.'
  if (next === null) return lamp === 'ok' ? 'No renewal is planned yet.' : 'No try is planned.'
  return `${one.last_error === null && one.certificate !== null ? 'Renewal' : 'Next try'} ${untilText(next, now)}`
}

const lower = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

/** Where they come from: our own manager, the store of the proxy, and what is served. */
export function certificateSources({
  manager,
  store,
  wire,
}: Pick<Certificates, 'manager' | 'store' | 'wire'>) {
  const served =
    wire.not_served === 0
      ? 'each with its own certificate'
      : `${wire.not_served} of them with another certificate`
  return [
    {
      key: 'manager',
      title: 'Obtained by Plumbline',
      lamp: lampOfPart(manager.configured, manager.detail === null),
      text: !manager.configured
        ? 'it obtains certificates itself, by DNS, also for names that nobody outside can open.'
        : (manager.detail ?? `From ${manager.directory ?? 'the authority'}.`),
      setting: manager.configured ? null : 'PLUMBLINE_ACME_DIRECTORY',
    },
    {
      key: 'store',
      title: 'Obtained by the proxy',
      lamp: lampOfPart(store.configured, store.fresh === true),
      text: !store.configured
        ? 'what the proxy obtains is listed here as well.'
        : (store.detail ?? 'Its store was read.'),
      setting: store.configured ? null : 'PLUMBLINE_ACME_STORE',
    },
    {
      key: 'wire',
      title: 'Served',
      lamp: lampOfPart(wire.configured, wire.drift !== null, wire.drift === true),
      text: !wire.configured
        ? 'each name is asked what it is shown, by a handshake.'
        : (wire.detail ?? `${count(wire.names, 'name')} asked, ${served}.`),
      setting: wire.configured ? null : 'PLUMBLINE_TLS_ADDRESS',
      seen_at: parseTimeOr(wire.observed_at),
    },
  ] as const
}

const lampOfPart = (isSetUp: boolean, isKnown: boolean, differs = false): Lamp =>
  !isSetUp ? 'off' : !isKnown ? 'unknown' : differs ? 'drift' : 'ok'

/** Whether anything is set up that knows of certificates; without it, that there is none says nothing. */
export const areLookedAt = ({
  manager,
  store,
  wire,
  certificates,
}: Pick<Certificates, 'manager' | 'store' | 'wire' | 'certificates'>): boolean =>
  certificates.length > 0 || manager.configured || store.configured || wire.configured

/** Nothing is said to be well of what could not be read. */
export function certificatesHeadline(found: Certificates): string {
  if (!areLookedAt(found)) return 'Nobody looks at certificates yet'
  const { counts, manager, wire } = found
  const ends = counts.under_14_days + counts.under_30_days
  const parts = [
    counts.expired > 0 && `${number(counts.expired)} ended`,
    counts.missing > 0 && `${number(counts.missing)} not there yet`,
    ends > 0 && `${number(ends)} ending within 30 days`,
    wire.not_served > 0 && `${number(wire.not_served)} not served`,
  ].filter((part) => part !== false)
  const all = counts.healthy + counts.expired + counts.missing + ends
  if (parts.length > 0) return `${count(all, 'certificate')}: ${parts.join(', ')}`
  return manager.detail === null
    ? `${count(all, 'certificate')}, none ends within 30 days`
    : count(all, 'certificate')
}

/** For a row: when it is tried again stands before what went wrong, which may be long. */
export function rowText(row: CertificateRow, now: number): string {
  const wrong = wrongText(row)
  const { last_error, next_attempt_at, wanted } = row.of
  if (wrong === null || last_error === null || !wanted || next_attempt_at === null)
    return wrong ?? nextText(row, now)
  return `${nextText(row, now)}: ${wrong}`
}

/** "1 of 4 in 7 d": so many more are risked before the authority refuses. */
export const budgetText = ({ budget }: Pick<Certificate, 'budget'>): string | null =>
  budget === null ? null : `${budget.issued} of ${budget.most} issued in ${budget.within_days} d`
