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
import type { RefusedRow } from '../../../model/plan.ts'
import { failureFor, type Outcome, type RefusedRepair, type Report } from '../../../model/report.ts'
import type { Renamed } from '../../../engine/editions/renamed.ts'
import type { Deps } from '../../routes/deps.ts'
import { nameWord } from './name-word.ts'
import { isAsClosed, putBack } from './put-back.ts'

export interface Renames {
  readonly renamed: readonly Renamed[]
  /** Of the call that released them. */
  readonly request_id: string
  /** Number of that release. */
  readonly made: number
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

/**
 * What cannot be told yet, such as work that takes long, goes on. Whatever keeps a name from being taken takes it back, also
 * that nobody can be asked: the call is told so, and its caller has not been told anything else before.
 */
export async function takeNames(deps: CoreParts, renames: Renames): Promise<Taken> {
  const { renamed, request_id, progress, until_served, made } = renames
  const reports = await bringNames(deps, { renamed, progress, made })
  const found = await Promise.all(
    renamed.map(async (rename) => ({ rename, why: await failureOf(deps, rename.after.domain_id) })),
  )
  const refused = found.flatMap(({ rename, why }) => (why === null ? [] : [{ rename, why }]))
  const back = refused.length === 0 ? [] : (await putBack(deps, { renamed, request_id, refused })).said
  if (!until_served) await closeRenames(deps, renamed)
  return { back, reports }
}

type Bringing = Pick<Renames, 'renamed' | 'progress'> & Partial<Pick<Renames, 'made'>>

/** @returns what was done for it, by key */
async function bringNames(
  { engine }: CoreParts,
  { renamed, progress, made }: Bringing,
): Promise<ReadonlyMap<string, Report>> {
  const domain_ids = renamed.map(({ after }) => after.domain_id)
  const done = new Map<string, Report>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const scope = { records: domain_ids, component: 'dns', progress, ...(round === 0 && { made }) } as const
    const reports = await engine.converge('open', scope)
    for (const report of reports) done.set(report.key, mergeReports(done.get(report.key) ?? null, report))
    const goes_on = reports.some(({ outcome, repaired }) => outcome === 'left_unfinished' && repaired > 0)
    if (!goes_on) break
  }
  return done
}

/** Nothing about them is left to decide. */
export const closeRenames = ({ store }: CoreParts, renamed: readonly Renamed[]): Promise<void> =>
  store.write(async (tx) => {
    for (const { after } of renamed) await tx.closeActivation(after.domain_id)
  })

/** Of the zones that have to do with the record: that others are silent is none of its business. Null where nobody has looked yet. */
const zonesOf = async ({ engine }: CoreParts, domain_id: number): Promise<readonly (Report | null)[]> =>
  (await engine.reportsFor(domain_id)).filter((report) => report === null || report.component === 'dns')

async function failureOf(deps: CoreParts, domain_id: number): Promise<RefusedRepair | null> {
  const failures = (await zonesOf(deps, domain_id)).map((report) => report && failureFor(report, [domain_id]))
  return failures.find((failure) => failure !== null) ?? null
}

/** What the caller of one such record is told. */
export const wentBack = ({ code, message }: RefusedRow): Failure =>
  new Failure(code, `${message} What was saved is kept; deploy again when the name can be taken.`)

/** So far back the names of before are looked for. */
const MAX_RELEASES = 20

/**
 * What an earlier process left open is brought on now, while the keys' own ticks wait, and decided where that can be told. What
 * cannot be told yet is looked at again after each pass (`concludeRenames`), and by the next start. Throws nothing.
 */
export async function resumeRenames(deps: Deps, open: Open): Promise<void> {
  if (open.renamed.length === 0) return
  const letGo = deps.engine.hold()
  try {
    await bringNames(deps, open)
    await concludeRenames(deps, open)
  } catch (error) {
    deps.log.warn('renames of an earlier process not settled', { error })
  } finally {
    letGo()
  }
}

export interface Open extends Pick<Renames, 'renamed' | 'until_served'> {
  /** Records of which a call knew before what became of the name (`answeredAmong`). */
  readonly answered: ReadonlySet<number>
}

/**
 * Renames of an earlier process, by what is known of DNS now. Whoever asked for one may have been told that it stands, and what
 * was to be closed with it may be closed since: so it goes back only where the name itself is refused, where no call was answered
 * before, and where that opens nothing.
 * @returns those of which it cannot be told yet
 */
export async function concludeRenames(deps: Deps, open: Open): Promise<readonly Renamed[]> {
  const { renamed, until_served, answered } = open
  const left: Renamed[] = []
  const refused: { readonly rename: Renamed; readonly why: RefusedRepair }[] = []
  for (const rename of renamed) {
    const { said, why } = nameWord(rename, await zonesOf(deps, rename.after.domain_id))
    if (said === 'unknown') left.push(rename)
    if (said === 'refused') refused.push({ rename, why })
  }
  const mayGo = (rename: Renamed) => isAsClosed(rename) && !answered.has(rename.after.domain_id)
  // Each for itself: one that may not go keeps none but its own chain.
  for (const one of refused)
    await putBack(deps, { renamed, request_id: 'start', refused: [one], mayGo, only_open: true })
  const decided = renamed.filter((rename) => !left.includes(rename))
  if (!until_served && decided.length > 0) await closeRenames(deps, decided)
  return left
}

/**
 * Records whose release has a result of the zone, so that their call knew what became of the name: where it was not taken, it
 * went back then. To be asked before anything is brought on, which leaves results of its own.
 */
export async function answeredAmong(deps: Deps, renamed: readonly Renamed[]): Promise<ReadonlySet<number>> {
  const answered = new Set<number>()
  for (const rename of renamed) if (await wasAnswered(deps, rename)) answered.add(rename.after.domain_id)
  return answered
}

async function wasAnswered({ store, dns }: Deps, { after }: Renamed): Promise<boolean> {
  const zone = dns.zoneFor(after.fields.domain)
  const number = zone === null ? null : await store.lastReleaseOf(after.domain_id)
  const release = number === null ? null : await store.release(number)
  const result = zone === null ? undefined : release?.results[dns.keyOf(zone)]
  return result !== undefined && !UNKNOWN.has(result)
}

const UNKNOWN: ReadonlySet<string> = new Set<Outcome>(['unknown', 'suspended'])

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
