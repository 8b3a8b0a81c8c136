/** Going back from new names to those of before, in a release of its own. */
import type { CoreParts } from '../../../core/parts.ts'
import { assertReleasable } from '../../../engine/editions/releasable.ts'
import type { Renamed } from '../../../engine/editions/renamed.ts'
import { Failure } from '../../../kernel/failure.ts'
import { isLive } from '../../../model/domain/record.ts'
import { nextStatus } from '../../../model/domain/lifecycle.ts'
import type { Intent } from '../../../model/intent.ts'
import type { RefusedRow } from '../../../model/plan.ts'
import type { RefusedRepair } from '../../../model/report.ts'
import type { ReleaseRow } from '../../../ports/records/trails.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import { reopens } from '../../routes/proxy/go-back.ts'

export interface GoingBack {
  /** All that were released together, or are open together. */
  readonly renamed: readonly Renamed[]
  readonly request_id: string
  readonly refused: readonly { readonly rename: Renamed; readonly why: RefusedRepair }[]
  /** The proxy loaded the new names and does not serve them. */
  readonly is_unserved?: true
  /** Whether a record may be as it was before, where that is not so in any case. */
  readonly mayGo?: (rename: Renamed) => boolean
  /** What somebody has decided meanwhile is left alone. */
  readonly only_open?: true
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
  const { store, engine, log } = deps
  const chain = chainOf(going)
  const is_back = await store.write((tx) => moveNamesBack(deps, tx, { going, chain }))
  if (is_back === null) return { is_back: false, said: [] }
  if (is_back) engine.onReleased()
  const domains = going.refused.map(({ rename }) => rename.after.fields.domain)
  log.warn('names could not be taken', {
    domains,
    went_back: is_back,
    because: going.refused[0]!.why.message,
  })
  return { is_back, said: refusedRows(going, chain, is_back) }
}

interface Chain {
  readonly going: GoingBack
  readonly chain: readonly Renamed[]
}

/** Whether they went back; null where somebody has decided meanwhile. */
async function moveNamesBack(
  deps: CoreParts,
  tx: StoreWriter,
  { going, chain }: Chain,
): Promise<boolean | null> {
  if (going.only_open === true && !(await areOpen(tx, going.refused))) return null
  const released = await tx.intent('released')
  const rows = rowsBefore(chain)
  const may_go = going.mayGo === undefined || chain.every(going.mayGo)
  const goes =
    isAsReleased(chain, released) && may_go && mayStand(() => assertReleasable(released, rows, deps.offer))
  if (goes) await releaseNamesBefore(deps, tx, { going, chain })
  for (const said of saidOf(going, chain, goes))
    await setStatus(tx, said, { is_unserved: going.is_unserved === true && said.is_refused })
  return goes
}

const rowsBefore = (chain: readonly Renamed[]): readonly ReleaseRow[] =>
  chain.map(({ before }) => ({ domain_id: before.domain_id, row: before }))

function isAsReleased(chain: readonly Renamed[], released: Intent): boolean {
  const now = new Map(released.rows.map((row) => [row.domain_id, row]))
  return chain.every(({ after }) => {
    const row = now.get(after.domain_id)
    return row?.live === true && row.revision === after.revision
  })
}

async function releaseNamesBefore(deps: CoreParts, tx: StoreWriter, { going, chain }: Chain): Promise<void> {
  const actor = { actor: 'reconciler', request_id: going.request_id }
  const names = chain.map(({ after }) => after.fields.domain).join(', ')
  const reason = `${names} could not be taken; back to the names before`
  const release = { ...actor, reason, plan_hash: null, warnings: [], rows: rowsBefore(chain) }
  await deps.engine.release(tx, release)
  for (const rename of chain) {
    await audit(deps, tx, { rename, actor })
    await tx.closeActivation(rename.after.domain_id)
  }
}

async function areOpen(tx: StoreWriter, refused: GoingBack['refused']): Promise<boolean> {
  const open = new Set(await tx.openActivations())
  return refused.every(({ rename }) => open.has(rename.after.domain_id))
}

/** Whether the name of before lets in no more than the one that was released. */
export const isAsClosed = ({ before, after }: Renamed): boolean =>
  !reopens(after, { ...before, fields: { ...before.fields, domain: after.fields.domain } })

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
    const message = `${why ?? 'Its name is needed by another record that went back.'}${stays}`
    return [{ rename, message, is_refused: why !== undefined }]
  })
}

function refusedRows(going: GoingBack, chain: readonly Renamed[], is_back: boolean): readonly RefusedRow[] {
  const codes = new Map(going.refused.map(({ rename, why }) => [rename, why.code]))
  return saidOf(going, chain, is_back).map(({ rename, message }) => {
    const { domain_id, fields } = rename.after
    const code = codes.get(rename) ?? 'conflict'
    return {
      domain_id,
      domain: fields.domain,
      code: code === 'foreign_owner' ? ('provider_refused' as const) : code,
      message,
    }
  })
}

async function setStatus(
  tx: StoreWriter,
  { rename, message }: { readonly rename: Renamed; readonly message: string },
  { is_unserved }: { readonly is_unserved: boolean },
): Promise<void> {
  const record = await tx.domain(rename.after.domain_id)
  if (record === null || !isLive(record)) return
  const is_set = await tx.setDomainStatus(record.id, nextStatus(record.status, 'refused')!, message)
  if (is_set && is_unserved) await tx.markUnserved(record.id)
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
