/**
 * What is remembered of troubles and what a channel is to be told. Pure, and all of its memory is in its arguments: a
 * restart between any two steps changes nothing.
 *
 *              lasts                   known to be over           quiet for a while
 *   (nothing) ───────▶ noticed, told ────────────────▶ gone ─────────────────────▶ recovery told ──▶ forgotten
 *                          ▲                             │
 *                          └───────── back again ────────┘ told once, so not told again
 *
 * Whatever comes back has to be quiet for longer each time before its recovery is told: what flaps is said once and held.
 */
import { saysTheSame } from '../../engine/status/same-words.ts'
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import { isWorse, type Alert } from '../../model/alert.ts'
import type { Noticed, Telling } from './records.ts'
import { isDue, isIndeterminate, plain, type DueAlert, type Observation } from './observation.ts'

/** What comes together within this time is told together. */
export const GATHERED_MS: Milliseconds = 60_000
const MAX_QUIET_MS: Milliseconds = 3_600_000
/** So long it is remembered that something flapped. */
const REMEMBERED_MS: Milliseconds = 2 * MAX_QUIET_MS

export interface Moment {
  readonly now: Instant
  /** Ids that a message on its way speaks of: once it has arrived, its channel is to be told of their end. */
  readonly on_their_way: ReadonlySet<string>
}

/** A row that has not changed is the same object. */
export function remember(
  before: readonly Noticed[],
  observation: Observation,
  moment: Moment,
): readonly Noticed[] {
  const { now } = moment
  const seen = new Map(observation.alerts.map((alert) => [alert.id, alert]))
  const known = new Set(before.map(({ alert }) => alert.id))
  return [
    ...before.flatMap(
      (row) => after(row, observation, { ...moment, seen: seen.get(row.alert.id) ?? null }) ?? [],
    ),
    ...observation.alerts
      .filter((alert) => !known.has(alert.id) && isDue(alert, now))
      .map((alert) => ({
        alert: plain(alert),
        noticed_at: now,
        gone_at: null,
        returns: 0,
        told: [],
      })),
  ]
}

/** Null for what is forgotten. */
function after(
  row: Noticed,
  observation: Observation,
  { seen, now, on_their_way }: Moment & { readonly seen: DueAlert | null },
): Noticed | null {
  if (seen !== null) return seenAgain(row, seen, now)
  if (isIndeterminate(observation, row.alert.id)) return row
  if (row.gone_at === null) return { ...row, gone_at: now }
  const is_needed = row.told.length > 0 || on_their_way.has(row.alert.id)
  return !is_needed && age(row.gone_at, now) > REMEMBERED_MS ? null : row
}

function seenAgain(row: Noticed, seen: DueAlert, now: Instant): Noticed {
  const is_due = isDue(seen, now)
  const alert = is_due ? latest(row.alert, plain(seen)) : row.alert
  if (row.gone_at === null) return alert === row.alert ? row : { ...row, alert }
  if (row.told.length > 0) return { ...row, alert, gone_at: null, returns: row.returns + 1 }
  return is_due ? { ...row, alert, noticed_at: now, gone_at: null, returns: row.returns + 1 } : row
}

/** What was known to be wrong says more than that it cannot be looked at any more. */
function latest(old: Alert, fresh: Alert): Alert {
  if (fresh.kind === 'unknown_lasting' && old.kind !== 'unknown_lasting') return old
  // Another figure alone is not written down again.
  const message = saysTheSame(old.message, fresh.message) ? old.message : fresh.message
  return JSON.stringify(old) === JSON.stringify({ ...fresh, message }) ? old : fresh
}

/** A clock that was set back lets nothing wait. */
export const age = (at: Instant, now: Instant): Milliseconds => (at > now ? Infinity : now - at)

export interface Digest {
  readonly news: readonly Alert[]
  readonly still: readonly Alert[]
  readonly over: readonly Ended[]
  /** How many the channel knows to be open after this. */
  readonly open: number
}

export interface Ended {
  readonly alert: Alert
  readonly ended_at: Instant
}

export interface DigestFor {
  readonly channel: string
  readonly now: Instant
  /** Null: what lasts is not told again. */
  readonly repeat_ms: Milliseconds | null
  /** Left out: `GATHERED_MS`. */
  readonly gathers_ms?: Milliseconds
}

/** Null while there is nothing to tell. @param rows as `remember` left them for this observation */
export function digestFor(
  rows: readonly Noticed[],
  observation: Observation,
  { channel, now, repeat_ms, gathers_ms = GATHERED_MS }: DigestFor,
): Digest | null {
  const present = new Set(observation.alerts.filter((one) => isDue(one, now)).map(({ id }) => id))
  const all = rows.map((row) => ({ row, telling: tellingOf(row, channel) }))
  const here = all.filter(({ row }) => row.gone_at === null && present.has(row.alert.id))
  const news = here.filter(({ row, telling }) => isNews(row, telling))
  const lasting = here.filter(({ row, telling }) => telling !== null && !isNews(row, telling))
  const over = all.filter(
    ({ row, telling }) => telling !== null && isOver(row, now) && !isIndeterminate(observation, row.alert.id),
  )
  const is_news_due = news.some(
    ({ row, telling }) => telling !== null || age(row.noticed_at, now) >= gathers_ms,
  )
  const is_repeat_due =
    repeat_ms !== null && lasting.some(({ telling }) => age(telling!.at, now) >= repeat_ms)
  if (!is_news_due && !is_repeat_due && over.length === 0) return null
  const open = all.filter(({ row, telling }) => telling !== null && row.gone_at === null).length
  return {
    news: news.map(({ row }) => row.alert),
    still: is_repeat_due ? lasting.map(({ row }) => row.alert) : [],
    over: over.map(({ row }) => ({ alert: row.alert, ended_at: row.gone_at! })),
    open: open + news.filter(({ telling }) => telling === null).length,
  }
}

const tellingOf = ({ told }: Noticed, channel: string): Telling | null =>
  told.find((telling) => telling.channel === channel) ?? null

const isNews = ({ alert }: Noticed, telling: Telling | null): boolean =>
  telling === null || isWorse(alert.severity, telling.severity)

const isOver = ({ gone_at, returns }: Noticed, now: Instant): boolean =>
  gone_at !== null && age(gone_at, now) >= Math.min(GATHERED_MS * 2 ** Math.min(returns, 10), MAX_QUIET_MS)

/** The rows once a channel has heard of these troubles. Rows that have not changed are left out. */
export function heard(
  rows: readonly Noticed[],
  {
    channel,
    tells,
    ends,
  }: { channel: string; tells: readonly Pick<Alert, 'id' | 'severity'>[]; ends: readonly string[] },
  at: Instant,
): readonly Noticed[] {
  const severities = new Map(tells.map(({ id, severity }) => [id, severity]))
  const ended = new Set(ends)
  return rows.flatMap((row) => {
    const severity = severities.get(row.alert.id)
    if (severity === undefined && !ended.has(row.alert.id)) return []
    const others = row.told.filter((telling) => telling.channel !== channel)
    if (severity === undefined) return [{ ...row, told: others }]
    const before = tellingOf(row, channel)
    const worst = before !== null && isWorse(before.severity, severity) ? before.severity : severity
    return [{ ...row, told: [...others, { channel, severity: worst, at }] }]
  })
}
