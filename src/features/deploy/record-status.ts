/** Moves records between `active` and `error` as components refuse or take them. No revision moves: it is a status, not intent. */
import { type DomainRecord, isLive } from '../../model/domain/record.ts'
import type { Intent } from '../../model/intent.ts'
import { failureFor, type Report } from '../../model/report.ts'
import { nextStatus } from '../../model/domain/lifecycle.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { Deps } from '../routes/deps.ts'
import { loadedAmong } from '../routes/loaded/loaded.ts'
import { rejectedIn } from '../routes/loaded/rejected.ts'

/** An accepted activation that a component would not take. */
export const markRefused = (deps: Deps, domain_id: number, reason: string, marking: Marking): Promise<void> =>
  markAllRefused(deps, new Map([[domain_id, reason]]), marking)

interface Marking {
  /** Of these it is not decided yet which of two names they have. */
  readonly open?: ReadonlySet<number>
  /** The proxy loaded them and does not serve them. */
  readonly is_unserved?: boolean
}

/**
 * The same of several.
 * @param reasons by domain id
 */
export async function markAllRefused(
  deps: Deps,
  reasons: ReadonlyMap<number, string>,
  { open, is_unserved = false }: Marking,
): Promise<void> {
  await deps.store.write(async (tx) => {
    for (const [domain_id, reason] of reasons) {
      if (open?.has(domain_id) !== true) await tx.closeActivation(domain_id)
      const record = await tx.domain(domain_id)
      // Whoever took the record off line meanwhile has the last word.
      if (record === null || !isLive(record)) continue
      const is_set = await tx.setDomainStatus(domain_id, nextStatus(record.status, 'refused')!, reason)
      if (is_set && is_unserved) await tx.markUnserved(domain_id)
    }
  })
  // A pass that succeeded before the verdict was written does not come again.
  await markRecovered(deps)
}

/**
 * After a pass, and after a look at the proxy: a record is in error no more once everything that it has to do with took it,
 * and the proxy, as far as it can be seen, serves it. One that is not released, or only under its older name, because the
 * release went back, is taken by nobody.
 */
export async function markRecovered(deps: Deps): Promise<void> {
  const { total } = await deps.store.domains({ ...IN_ERROR, limit: 1 })
  if (total === 0) return
  const released = await deps.store.intent('released')
  const { records } = await deps.store.domains({ ...IN_ERROR, limit: total })
  const recovered = await takenAmong(deps, records, released)
  if (recovered.size === 0) return
  for (const id of await unserved(deps, records)) recovered.delete(id)
  if (recovered.size === 0) return
  const changed = await deps.store.write((tx) => recover(tx, recovered, total))
  if (changed.length > 0) deps.log.info('records recovered', { count: changed.length, domains: changed })
}

/** What every component has taken, under the name that is saved. */
async function takenAmong(
  { engine }: Deps,
  records: readonly DomainRecord[],
  released: Intent,
): Promise<Set<number>> {
  const live = new Map(released.rows.flatMap((row) => (row.live ? [[row.domain_id, row.fields.domain]] : [])))
  const taken = new Set<number>()
  for (const { id, domain } of records) {
    const reports = await engine.reportsFor(id)
    if (live.get(id) === domain && reports.every((report) => isTaken(report, id))) taken.add(id)
  }
  return taken
}

const isTaken = (report: Report | null, id: number): boolean =>
  report !== null && report.outcome !== 'left_unfinished' && failureFor(report, [id]) === null

/** The names. Read again: a record that was disabled meanwhile must not come back. */
async function recover(tx: StoreWriter, ids: ReadonlySet<number>, limit: number): Promise<readonly string[]> {
  const { records } = await tx.domains({ ...IN_ERROR, limit })
  const names: string[] = []
  for (const { id, domain, status } of records.filter((record) => ids.has(record.id)))
    if (await tx.setDomainStatus(id, nextStatus(status, 'recovered')!, null)) names.push(domain)
  return names
}

/**
 * Those of the records that the proxy is seen not to serve, and those of which it was seen before and now nobody knows.
 */
async function unserved(
  deps: Deps,
  records: readonly Pick<DomainRecord, 'id'>[],
): Promise<readonly number[]> {
  const { watch } = deps.proxy
  if (watch === null) return []
  const known = await deps.store.unservedRecords()
  const waiting = records.map(({ id }) => id).filter((id) => known.has(id))
  const seen = watch.closing.aborted ? null : await watch.look(watch.closing)
  if (seen?.known !== true) return waiting
  const rejected = (await rejectedIn(deps, seen.snapshot)).map(({ domain_id }) => domain_id)
  const { loaded } = await loadedAmong(deps, watch.routersOf(seen.snapshot).middlewares)
  return loaded === true ? rejected : [...rejected, ...waiting]
}

const IN_ERROR = { status: 'error', sort: 'id' } as const
