/** What is told in words: one line for all troubles of one kind, part and cause, and a title that says the verdict. Pure. */
import { type Instant, isoTime } from '../../kernel/clock.ts'
import type { NotificationLine, NotificationMessage } from '../../model/notification.ts'
import { SEVERITIES, type Alert } from '../../model/alert.ts'
import type { Digest, Ended } from './decide.ts'

export interface Envelope {
  readonly id: string
  readonly at: Instant
  readonly source: string
}

const MAX_LINES = 50
const MAX_IDS = 50
const MAX_NAMED = 3
const MAX_LISTED = 10
const MAX_SENTENCE = 500
const MAX_TITLE = 150

export function messageOf(digest: Digest, { id, at, source }: Envelope): NotificationMessage {
  const news = linesOf(digest.news.map((alert) => ({ alert, ended_at: null })))
  const still = linesOf(digest.still.map((alert) => ({ alert, ended_at: null })))
  const over = linesOf(digest.over)
  const verdict = news.length > 0 ? 'wrong' : still.length > 0 ? 'still_wrong' : 'recovered'
  const { open } = digest
  const title = shortened(titleOf({ news, still, over }), MAX_TITLE)
  const parts = [
    title,
    ...section('New', news),
    ...section('Still', still),
    ...section('Over', over),
    open === 0 ? 'Nothing else is open.' : `Open now: ${open}.`,
    source,
  ]
  const shown = {
    new: news.slice(0, MAX_LINES),
    still: still.slice(0, MAX_LINES),
    over: over.slice(0, MAX_LINES),
  }
  return {
    version: 1,
    id,
    at: isoTime(at),
    source,
    verdict,
    title,
    text: defused(parts.join('\n')),
    ...shown,
    open,
  }
}

export function testMessage({ id, at, source }: Envelope): NotificationMessage {
  const title = 'Plumbline: a test, nothing is wrong'
  const text = `${title}\nWhoever reads this will be told when something is.\n${source}`
  const nothing = { new: [], still: [], over: [], open: 0 }
  return { version: 1, id, at: isoTime(at), source, verdict: 'test', title, text, ...nothing }
}

type EndedAlert = { readonly alert: Alert; readonly ended_at: Instant | null }

/** The worst first, then by part. */
function linesOf(told: readonly (EndedAlert | Ended)[]): readonly NotificationLine[] {
  const groups = Map.groupBy(told, ({ alert: { kind, severity, component, key, message } }) =>
    JSON.stringify([kind, severity, component, key, message]),
  )
  return [...groups.values()].map(lineOf).sort(byWeight)
}

function lineOf(group: readonly EndedAlert[]): NotificationLine {
  const { kind, severity, component, key, message, remedy } = group[0]!.alert
  const domains = [...new Set(group.flatMap(({ alert }) => alert.domains))].sort()
  const ends = group.flatMap(({ ended_at }) => ended_at ?? [])
  return {
    kind,
    severity,
    component,
    key,
    count: domains.length,
    domains: domains.slice(0, MAX_LISTED),
    since: isoTime(Math.min(...group.map(({ alert }) => alert.since))),
    ended: ends.length === 0 ? null : isoTime(Math.max(...ends)),
    message: shortened(message, MAX_SENTENCE),
    remedy,
    ids: group.slice(0, MAX_IDS).map(({ alert }) => alert.id),
  }
}

const byWeight = (a: NotificationLine, b: NotificationLine): number =>
  SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) ||
  a.component.localeCompare(b.component, 'en') ||
  a.key.localeCompare(b.key, 'en')

const WORDS: Readonly<Record<NotificationLine['kind'], string>> = {
  route_open: 'route open',
  invariant_broken: 'broken',
  certificate_expired: 'certificate expired',
  certificate_due: 'certificate not renewed',
  edge_lost: 'edge lost',
  heartbeat_silent: 'silent',
  not_loaded: 'not loaded',
  dns_not_in_place: 'not in place',
  consent_needed: 'consent needed',
  key_ending: 'key ending',
  rotation_due: 'rotation due',
  repair_refused: 'repair refused',
  contested: 'contested',
  failing: 'failing',
  drift_lasting: 'drifting',
  unfinished_lasting: 'unfinished',
  unknown_lasting: 'unknown',
}

interface Lines {
  readonly news: readonly NotificationLine[]
  readonly still: readonly NotificationLine[]
  readonly over: readonly NotificationLine[]
}

/** `Plumbline: routes drifting (app.example.com and 39 more); 2 others, 1 over` */
function titleOf({ news, still, over }: Lines): string {
  const [first, ...others] = news.length > 0 ? news : still.length > 0 ? still : over
  const verdict = news.length > 0 ? '' : still.length > 0 ? 'still ' : 'over: '
  const rest = [
    ...(others.length > 0 ? [`${others.length} more`] : []),
    ...(news.length > 0 && still.length > 0 ? [`${still.length} still`] : []),
    ...(news.length + still.length > 0 && over.length > 0 ? [`${over.length} over`] : []),
  ]
  return `Plumbline: ${verdict}${headOf(first!)}${rest.length === 0 ? '' : `; ${rest.join(', ')}`}`
}

function headOf({ component, key, kind, domains, count }: NotificationLine): string {
  const part = key.startsWith(component) ? key : `${component} ${key}`
  return `${part} ${WORDS[kind]}${count === 0 ? '' : ` (${namesOf(domains, count)})`}`
}

function namesOf(domains: readonly string[], count: number): string {
  const named = domains.slice(0, MAX_NAMED)
  return named.join(', ') + (count > named.length ? ` and ${count - named.length} more` : '')
}

function section(word: string, lines: readonly NotificationLine[]): readonly string[] {
  if (lines.length === 0) return []
  const shown = lines
    .slice(0, MAX_LINES)
    .flatMap((line) => [
      `- ${headOf(line)}, ${line.ended === null ? `since ${line.since}` : `from ${line.since} to ${line.ended}`}`,
      ...(line.ended === null ? [`  ${line.message}`, `  ${line.remedy}`] : []),
    ])
  const left = lines.length - MAX_LINES
  return ['', `${word}:`, ...shown, ...(left > 0 ? [`- and ${left} more`] : []), '']
}

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

/** Messages quote what was seen outside, and chats act on some of it: `<!channel>`, `@everyone`, a link in other words. */
const defused = (text: string): string =>
  text
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/@(?=\w)/g, '@\u200b')
