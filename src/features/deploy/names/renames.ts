/**
 * A record with another name: the old one stays until the new one stands. Its name is taken first; where the world refuses
 * that for a reason that nobody could know before, the row of before is released again, and the record says why. A rename is
 * open in the database, as an activation is, from the transaction that releases it until that is decided: what a crash cut off
 * is decided by the next start. Where the proxy can be asked, that is when it is known to serve the new name (`unserved.ts`).
 */
import type { CoreParts } from '../../../core/parts.ts'
import { mergeReports } from '../../../engine/converge.ts'
import type { ConvergeProgress } from '../../../engine/progress.ts'
import { Failure } from '../../../kernel/failure.ts'
import { isLive } from '../../../model/domain/record.ts'
import { nextStatus } from '../../../model/domain/lifecycle.ts'
import type { RefusedRow } from '../../../model/plan.ts'
import { failureFor, type RefusedRepair, type Report } from '../../../model/report.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import type { Renamed } from '../../../engine/editions/renamed.ts'
import { assertReleasable } from '../../../engine/editions/releasable.ts'

export interface Renames {
  readonly renamed: readonly Renamed[]
  /** Of the call that released them. */
  readonly request_id: string
  /** Number of that release; left out: of an earlier process. */
  readonly made?: number
  readonly progress?: ConvergeProgress | undefined
  /** Whether the proxy has a say, once it has the new routes: what is taken until then stays open. */
  readonly until_served: boolean
}

/** The new name may lie in another zone than the old one, which then waits for it. */
const MAX_ROUNDS = 3

export interface Taken {
  /** Those that went back, each with the reason. */
  readonly back: readonly RefusedRow[]
  /** What was done for it, by key. */
  readonly reports: ReadonlyMap<string, Report>
}

/** What cannot be told yet, such as work that takes long, goes on. */
export async function takeNames(deps: CoreParts, renames: Renames): Promise<Taken> {
  const { renamed, progress, until_served, made } = renames
  const domain_ids = renamed.map(({ after }) => after.domain_id)
  const done = new Map<string, Report>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const scope = { records: domain_ids, component: 'dns', progress, ...(round === 0 && { made }) } as const
    const reports = await deps.engine.converge('open', scope)
    for (const report of reports) done.set(report.key, mergeReports(done.get(report.key) ?? null, report))
    const goes_on = reports.some(({ outcome, repaired }) => outcome === 'left_unfinished' && repaired > 0)
    if (!goes_on) break
  }
  const found = await Promise.all(
    renamed.map(async (rename) => ({ rename, why: await failureOf(deps, rename.after.domain_id) })),
  )
  const refused = found.flatMap(({ rename, why }) => (why === null ? [] : [{ rename, why }]))
  const back = refused.length === 0 ? [] : (await putBack(deps, { ...renames, refused })).said
  if (!until_served) await closeRenames(deps, renamed)
  return { back, reports: done }
}

/** Nothing about them is left to decide. */
export const closeRenames = ({ store }: CoreParts, renamed: readonly Renamed[]): Promise<void> =>
  store.write(async (tx) => {
    for (const { after } of renamed) await tx.closeActivation(after.domain_id)
  })

/** Of the zones that have to do with the record: that others are silent is none of its business. */
async function failureOf({ engine }: CoreParts, domain_id: number): Promise<RefusedRepair | null> {
  const reports = (await engine.reportsFor(domain_id)).filter((report) => report?.component === 'dns')
  const failures = reports.map((report: Report | null) =>
    report === null ? null : failureFor(report, [domain_id]),
  )
  return failures.find((failure) => failure !== null) ?? null
}

export interface GoingBack extends Omit<Renames, 'until_served'> {
  readonly refused: readonly { readonly rename: Renamed; readonly why: RefusedRepair }[]
  /** Whether a record may be as it was before, where that is not so in any case. */
  readonly mayGo?: (rename: Renamed) => boolean
}

export interface PutBack {
  readonly is_back: boolean
  /** Of each record, why. */
  readonly said: readonly RefusedRow[]
}

/**
 * In one release: a record that has taken the name which another goes back to goes back with it. Nothing moves where somebody
 * has released one of them meanwhile, or holds its name by now; then the records say why alone.
 */
export async function putBack(deps: CoreParts, going: GoingBack): Promise<PutBack> {
  const { store, engine, offer, log } = deps
  const chain = chainOf(going)
  const is_back = await store.write(async (tx) => {
    const released = await tx.intent('released')
    const now = new Map(released.rows.map((row) => [row.domain_id, row]))
    const is_as_released = chain.every(({ after }) => {
      const row = now.get(after.domain_id)
      return row?.live === true && row.revision === after.revision
    })
    const rows = chain.map(({ before }) => ({ domain_id: before.domain_id, row: before }))
    const may_go = going.mayGo === undefined || chain.every(going.mayGo)
    const goes = is_as_released && may_go && mayStand(() => assertReleasable(released, rows, offer))
    if (goes) {
      const actor = { actor: 'reconciler', request_id: going.request_id }
      const names = chain.map(({ after }) => after.fields.domain).join(', ')
      const reason = `${names} could not be taken; back to the names before`
      await engine.release(tx, { ...actor, reason, plan_hash: null, warnings: [], rows })
      for (const rename of chain) {
        await audit(deps, tx, { rename, actor })
        await tx.closeActivation(rename.after.domain_id)
      }
    }
    for (const { rename, message } of saidOf(going, chain, goes)) await setStatus(tx, rename, message)
    return goes
  })
  if (is_back) engine.onReleased()
  const domains = going.refused.map(({ rename }) => rename.after.fields.domain)
  log.warn('names could not be taken', {
    domains,
    went_back: is_back,
    because: going.refused[0]!.why.message,
  })
  const codes = new Map(going.refused.map(({ rename, why }) => [rename, why.code]))
  const said = saidOf(going, chain, is_back).map(({ rename, message }) => {
    const { domain_id, fields } = rename.after
    const code = codes.get(rename) ?? 'conflict'
    return {
      domain_id,
      domain: fields.domain,
      code: code === 'foreign_owner' ? ('provider_refused' as const) : code,
      message,
    }
  })
  return { is_back, said }
}

function mayStand(rule: () => void): boolean {
  try {
    rule()
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

function chainOf({ renamed, refused }: GoingBack): readonly Renamed[] {
  const chain = new Set(refused.map(({ rename }) => rename))
  for (let size = -1; size !== chain.size;) {
    size = chain.size
    const names = new Set([...chain].map(({ before }) => before.fields.domain))
    for (const rename of renamed) if (names.has(rename.after.fields.domain)) chain.add(rename)
  }
  return [...chain]
}

function saidOf({ refused }: GoingBack, chain: readonly Renamed[], is_back: boolean) {
  const whys = new Map(refused.map(({ rename, why }) => [rename, why.message]))
  return chain.flatMap((rename) => {
    const why = whys.get(rename)
    const stays = is_back ? ` ${rename.before.fields.domain} stays as it is.` : ''
    if (why === undefined && !is_back) return []
    return [{ rename, message: `${why ?? 'Its name is needed by another record that went back.'}${stays}` }]
  })
}

async function setStatus(tx: StoreWriter, { after }: Renamed, message: string): Promise<void> {
  const record = await tx.domain(after.domain_id)
  if (record !== null && isLive(record))
    await tx.setDomainStatus(record.id, nextStatus(record.status, 'refused')!, message)
}

const audit = (
  { clock }: CoreParts,
  tx: StoreWriter,
  { rename: { before, after }, actor }: { rename: Renamed; actor: { actor: string; request_id: string } },
): Promise<void> =>
  tx.audit({
    ...actor,
    at: clock.now(),
    action: 'go_back',
    domain_id: after.domain_id,
    domain: after.fields.domain,
    // What is saved stays: only the released edition goes back.
    revision_before: after.revision,
    revision_after: after.revision,
    plan_hash: null,
    detail: { to: before.fields.domain, to_revision: before.revision },
  })

/** What the caller of one such record is told. */
export const wentBack = ({ code, message }: RefusedRow): Failure =>
  new Failure(code, `${message} What was saved is kept; deploy again when the name can be taken.`)

/** So far back the names of before are looked for. */
const MAX_RELEASES = 20

/** What an earlier process left open is decided now, while the keys' own ticks wait. Throws nothing. */
export async function resumeRenames(deps: CoreParts, until_served: boolean): Promise<void> {
  const letGo = deps.engine.hold()
  try {
    const renamed = await openRenames(deps)
    if (renamed.length > 0) await takeNames(deps, { renamed, request_id: 'start', until_served })
  } catch (error) {
    deps.log.warn('renames of an earlier process not settled', { error })
  } finally {
    letGo()
  }
}

/** By what the releases before have of records that are open. */
export async function openRenames({ store }: CoreParts): Promise<readonly Renamed[]> {
  const open = new Set(await store.openActivations())
  const newest = open.size === 0 ? null : await store.latestRelease()
  if (newest === null) return []
  const { rows } = await store.intent('released')
  const left = new Map(
    rows.flatMap((row) => (open.has(row.domain_id) && row.live ? [[row.domain_id, row]] : [])),
  )
  const renamed: Renamed[] = []
  for (let number = newest.number - 1; number > 0 && number >= newest.number - MAX_RELEASES; number--) {
    if (left.size === 0) break
    for (const before of (await store.releasedAt(number)).rows) {
      const after = left.get(before.domain_id)
      if (after === undefined || (before.live && before.revision === after.revision)) continue
      left.delete(before.domain_id)
      if (before.live && before.fields.domain !== after.fields.domain) renamed.push({ before, after })
    }
  }
  return renamed
}
