/**
 * Going back to the last routes file that the proxy did load, when it would not load the newest one.
 *
 * Why: a running proxy keeps its last good routes, but at its next restart it would refuse the file on disk and serve none
 * at all. Why so carefully: the cause may be elsewhere, and older bytes may open a door that the newer ones close. So all
 * of this must hold, and otherwise the file stays and only the answer says it:
 *
 *   mode is `repair`                         whoever only observes wants nothing undone
 *   every other file of the folder was read  the proxy would take nothing of it either way, and what nobody has read may be
 *     and none is refused                      refused
 *   exactly one older rendering of ours is   no guess at what "the last good one" was: the proxy itself shows it, and it is
 *     shown, that of a kept release            found again among the releases by its own bytes
 *   the proxy took that rendering while it   a proxy that was started since may not watch its files at all (a bind mount of
 *     ran: it is younger than its start        one file, a network disk): then nothing is wrong with the new file
 *   nothing that was closed is opened again  see `reopens`; nor is a name left to a star that lacks a check of its own
 *   no guard stands over the rows            what moves back is a release like any other
 *   the older bytes come out again           the same rows can be rendered otherwise by now, and that was never loaded
 *
 * It is a new release that moves the rows back, so journal, history, DNS and SSO agree with the file, and what was saved
 * waits as a pending edit. It cannot go to and fro: what it writes is loaded already, and only a person deploys again.
 */
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import { withRows } from '../../../engine/editions/editions.ts'
import { digestOf, hasSameDigest } from '../../../kernel/digest.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { checksOf } from '../../../model/access/checks.ts'
import { covers } from '../../../model/network/certificate.ts'
import { type DomainFields, isLive, protectingFields } from '../../../model/domain/record.ts'
import type { Offer } from '../../../model/domain/rules.ts'
import type { Intent, IntentRow } from '../../../model/intent.ts'
import { nextStatus } from '../../../model/domain/lifecycle.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import type { ReleaseHead, ReleaseRow } from '../../../ports/records/trails.ts'
import type { Deps } from '../deps.ts'
import { folderDrift } from '../loaded/folder-drift.ts'
import type { LoadedState } from '../loaded/loaded-state.ts'
import { type ShownRelease, shownRelease } from './shown-release.ts'
import { type GoingBack, PROXY_RESULT, type Stay, wentBackEvent } from './decision-record.ts'

/** @param head the release that was not loaded. */
export async function goBack(
  deps: Deps,
  head: ReleaseHead,
  state: LoadedState,
  signal: AbortSignal,
): Promise<GoingBack> {
  const older = await shownRelease(deps, head, state.markers)
  if (older === null) return stay('the proxy shows no single older release of ours')
  const obstacle = await inTheWayNow(deps, signal)
  if (obstacle !== null) return { stays_because: obstacle, for_now: true }
  const rows = rowsBack(await deps.store.intent('released'), await deps.store.releasedAt(older.number))
  const staying = await stayOver(deps, { older, rows }, signal)
  if (staying !== null) return staying
  const release = await moveBack(deps, { head, older, rows })
  if (typeof release !== 'number') return release
  await writeBack(deps, rows, { release, to: older.number })
  return { to: older.number, release }
}

async function inTheWayNow(deps: Deps, signal: AbortSignal): Promise<string | null> {
  if (deps.engine.world.uncertainty() !== null) return 'the world may be newer than the database'
  return refusedElsewhere(deps, signal)
}

/**
 * While another file keeps the whole folder from the proxy, older bytes of ours would be taken no more than the newest. A file
 * or a folder that could not be read may be that.
 */
async function refusedElsewhere(deps: Deps, signal: AbortSignal): Promise<string | null> {
  const { drift, reason, in_the_way, differences } = await folderDrift(deps, signal)
  if (drift === null) return `it is not known whether another file of the folder is in the way. ${reason}`
  const fault = differences.find(({ item }) => in_the_way.includes(item))
  return fault === undefined
    ? null
    : `another file of the folder is in the way. ${fault.item}: ${fault.detail}`
}

const stay = (stays_because: string): Stay => ({ stays_because, for_now: false })

/** Null where nothing keeps the file as it is. */
async function stayOver(
  { store, engine, proxy, offer }: Deps,
  { older, rows }: Pick<Move, 'older' | 'rows'>,
  signal: AbortSignal,
): Promise<Stay | null> {
  const because = stays({
    mode: engine.modeOf('routes').mode,
    started_at: await proxy.watch!.api.startedAt(signal),
    taken_at: older.created_at,
    released: await store.intent('released'),
    rows,
    guarded: engine.releaseGuards(await store.intent('released'), rows)[0]?.message ?? null,
    offer,
  })
  return because === null
    ? null
    : { stays_because: because, for_now: engine.modeOf('routes').mode !== 'repair' }
}

export interface GoBackFacts {
  readonly mode: string
  readonly started_at: Instant | null
  /** When the rendering that the proxy shows was released. */
  readonly taken_at: Instant
  readonly released: Intent
  readonly rows: readonly ReleaseRow[]
  /** What a guard says of the rows, or null. */
  readonly guarded: string | null
  readonly offer: Pick<Offer, 'middlewares'>
}

/** Pure: what keeps the file as it is, or null. */
export function stays(facts: GoBackFacts): string | null {
  const { mode, started_at, taken_at, released, rows, guarded } = facts
  if (mode !== 'repair') return `the mode is ${mode}`
  if (started_at === null || taken_at <= started_at)
    return 'the proxy was not seen to take a change of its files since it was started'
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  const open = rows.find(({ domain_id, row }) => reopens(before.get(domain_id) ?? null, row))
  if (open !== undefined)
    return `the older file opens again what ${open.row?.fields.domain ?? 'a record'} closes since`
  const left = leftToStar(released, withRows(released, rows), facts.offer)
  if (left !== null)
    return `the older file opens again what ${left} closes since, because a star there takes it`
  return guarded
}

/** The first name whose host a route with a star would have that lacks a check of its own; null for none. */
function leftToStar(now: Intent, then: Intent, offer: GoBackFacts['offer']): string | null {
  const live = then.rows.filter((row) => row.live)
  const kept = new Set(live.map(({ fields }) => fields.domain))
  const stars = live
    .filter(({ fields }) => fields.domain.startsWith('*.') && fields.service_type !== 'manual')
    .map(({ fields }) => ({ fields, checks: checksOf(fields, offer) }))
  const lacks = (
    star: (typeof stars)[number],
    { domain, ssl_enabled }: DomainFields,
    checks: readonly string[],
  ) =>
    star.fields.ssl_enabled === ssl_enabled &&
    covers([star.fields.domain], domain) &&
    checks.some((check) => !star.checks.includes(check))
  const left = now.rows.find(({ live: is_live, fields }) => {
    if (!is_live || kept.has(fields.domain)) return false
    const checks = checksOf(fields, offer)
    return stars.some((star) => lacks(star, fields, checks))
  })
  return left?.fields.domain ?? null
}

/**
 * Whether a row of before would serve what the row of now does not: a name that is gone or called otherwise, or a route
 * whose protection was another. Only where it leads, and what is no concern of the proxy's, may differ. A tombstone stays
 * in any case: it is what lets records be taken away elsewhere.
 */
export function reopens(now: IntentRow | null, before: IntentRow | null): boolean {
  if (now?.retired === true) return true
  if (before === null || !before.live) return false
  return (
    now === null || !now.live || !hasSameDigest(protectingFields(now.fields), protectingFields(before.fields))
  )
}

/**
 * Pure: what to move so that the routes are again what they were. A record that came since goes off line and stays in the
 * edition: what stands of it elsewhere, such as its DNS records, is taken away by whoever deletes it.
 */
export function rowsBack(now: Intent, before: Intent): readonly ReleaseRow[] {
  const then = new Map(before.rows.map((row) => [row.domain_id, row]))
  const present = new Set(now.rows.map(({ domain_id }) => domain_id))
  const changed = now.rows.flatMap((row) => {
    const back = then.get(row.domain_id) ?? { ...row, live: false }
    return digestOf(row) === digestOf(back) ? [] : [{ domain_id: row.domain_id, row: back }]
  })
  return [
    ...changed,
    ...before.rows
      .filter(({ domain_id }) => !present.has(domain_id))
      .map((row) => ({ domain_id: row.domain_id, row })),
  ]
}

interface Move {
  readonly head: ReleaseHead
  readonly older: ShownRelease
  readonly rows: readonly ReleaseRow[]
}

/** The number of the new release; or, with nothing done, why there is none. */
async function moveBack(deps: Deps, move: Move): Promise<number | Stay> {
  try {
    return await deps.store.write((tx) => releaseOlder(tx, deps, move))
  } catch (error) {
    if (error instanceof MovedOn) return { stays_because: error.message, for_now: error.for_now }
    throw error
  }
}

/** Throws MovedOn. */
async function releaseOlder(tx: StoreWriter, deps: Deps, { head, older, rows }: Move): Promise<number> {
  if ((await tx.latestRelease())?.number !== head.number)
    throw new MovedOn('another release came meanwhile', true)
  if (deps.render(withRows(await tx.intent('released'), rows)).checksum !== older.digest)
    throw new MovedOn('its older rows would be rendered otherwise by now')
  const actor = { actor: 'reconciler', request_id: head.request_id }
  const reason = `release ${head.number} was not loaded by the proxy; back to release ${older.number}`
  const made = await deps.engine.release(tx, { ...actor, reason, plan_hash: null, warnings: [], rows })
  await setStatuses(tx, rows, head)
  await tx.audit({ ...actor, at: deps.clock.now(), ...auditOf(head, older) })
  if (made === null) throw new MovedOn('nothing would move')
  await tx.recordResults(head.number, { [PROXY_RESULT]: 'went_back' })
  // What it brings back is what the proxy runs: there is nothing left to decide.
  await tx.recordResults(made.number, { [PROXY_RESULT]: 'loaded' })
  await tx.addEvent(wentBackEvent({ at: deps.clock.now(), release: made.number, to: older.number }, head))
  return made.number
}

const auditOf = (head: ReleaseHead, older: ShownRelease) => ({
  ...OF_NO_RECORD,
  action: 'go_back',
  plan_hash: null,
  detail: { release: head.number, to: older.number },
})

/** Thrown inside the transaction to take everything back. */
class MovedOn extends Error {
  readonly for_now: boolean

  constructor(message: string, for_now = false) {
    super(message)
    this.for_now = for_now
  }
}

/** An accepted activation that is not served: the record says so until it is deployed again. */
async function setStatuses(
  tx: StoreWriter,
  rows: readonly ReleaseRow[],
  { number }: ReleaseHead,
): Promise<void> {
  for (const { domain_id, row } of rows) {
    if (row?.live === true) continue
    const record = await tx.domain(domain_id)
    if (record !== null && isLive(record))
      await tx.setDomainStatus(domain_id, nextStatus(record.status, 'refused')!, notLoaded(number))
  }
}

/** The release stands: what cannot be written now, the next pass writes. */
async function writeBack(
  { engine, log }: Deps,
  rows: readonly ReleaseRow[],
  { release, to }: { readonly release: number; readonly to: number },
): Promise<void> {
  engine.onReleased()
  // Where no row goes back, what all of them are written with does.
  const records = rows.length === 0 ? 'all' : rows.map(({ domain_id }) => domain_id)
  await engine
    .converge('close', { records })
    .catch((error: unknown) => log.warn('not yet brought to the release', { release, error }))
  log.warn('went back to the routes file that the proxy runs', { release, to })
}

/** What a record says of itself. */
const notLoaded = (release: number): string =>
  `The proxy did not load release ${release}, so the routes file went back. Its log says why; deploy again after that.`
