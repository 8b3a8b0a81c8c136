/** Quick expose: one call that creates a record with the installation's public address and deploys it. */
import { type FieldError, fieldError, invalid } from '../../kernel/failure.ts'
import { parseDomainName } from '../../model/domain/hostname.ts'
import { nameTaken } from '../../model/domain/name-taken.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import { rowOf } from '../../model/intent.ts'
import { type DeploymentResult, type PlannedAnswer, planned } from '../../core/answers.ts'
import { type FittingTransport, withFittingTransport } from './backend/fitting-transport.ts'
import { commit } from '../../core/commit/commit.ts'
import { opening, type Work } from '../../core/commit/change.ts'
import { unreachedWords } from '../../model/domain/unreached.ts'
import { type Unreached, whyUnreached } from './backend/reach.ts'
import type { Caller } from '../../core/caller.ts'
import { bringOut } from './deploy.ts'
import type { Deps } from './deps.ts'
import { LOAD_UNKNOWN, withUnfinished } from '../../core/deploy.ts'
import { changeStatus } from './change-status.ts'
import {
  createdAudit,
  type DomainInput,
  insertChecked,
  isInput,
  newDomainFaults,
  valuesIn,
  withCertificateOfNew,
} from './create.ts'
import { outcomeWords } from '../../model/domain/record-outcome.ts'

const NO_ADDRESS = 'PLUMBLINE_PUBLIC_IP is not set: static_ip stays empty.'

/** In no public DNS. */
const UNPUBLISHED: ReadonlySet<unknown> = new Set(['internal', 'manual'])

/** Nobody would find it. Where DNS is kept by somebody else, so is its address. */
function addressFault({ record_dns }: Pick<Deps, 'record_dns'>, input: DomainInput): FieldError[] {
  const { public_ip, hub_host } = record_dns.addresses
  const is_known = public_ip.length > 0 || hub_host !== null
  if (is_known || !record_dns.has_accounts || UNPUBLISHED.has(input['service_type'])) return []
  if ((input['static_ip'] ?? null) !== null || input['ddns_enabled'] === true) return []
  return [
    fieldError(
      ['body', 'static_ip'],
      'is needed while no public address is known: give it, set PLUMBLINE_PUBLIC_IP, or let a gateway report one (ddns_enabled)',
      'missing',
    ),
  ]
}

const wantedOf = ({ public_ip }: Pick<Deps, 'public_ip'>, input: DomainInput): DomainInput => ({
  service_type: 'http',
  environment: 'production',
  // A fixed address would go before every report of its gateway.
  ...(input['ddns_enabled'] !== true && { static_ip: public_ip }),
  ...input,
})

/** What is wrong with a record that is to be exposed. Takes anything. */
export const exposeFaults = (deps: Pick<Deps, 'offer' | 'public_ip' | 'record_dns'>, input: unknown) =>
  isInput(input) ? [...newDomainFaults(deps, wantedOf(deps, input)), ...addressFault(deps, input)] : []

export type ExposeAnswer = DeploymentResult & { readonly domain_id: number }

export async function exposeDomain(
  deps: Deps,
  given: DomainInput,
  caller: Caller,
): Promise<ExposeAnswer | PlannedAnswer> {
  await assertAddress(deps, given)
  const fetched = await withCertificateOfNew(deps, given, caller)
  const fitting = await withFittingTransport(deps, fetched, caller)
  const committed = await commit(deps, caller, workOf(deps, fitting))
  if (committed.planned) return planned(committed.plan)
  const { result: record } = committed
  const domain_id = record.id
  const message = outcomeWords('expose', { domain: record.domain, row: rowOf(record) })
  const exposed = { message, domain_ids: [domain_id], activates: domain_id }
  const done = await bringOut(deps, { action: 'expose', domain_id, done: exposed, committed }, caller)
  const unserved = await whyUnserved(deps, { record, done, unreached: fitting.unreached }, caller.signal)
  return { ...done, ...unserved, domain_id }
}

/** A name that is taken is said first: it needs no address. Throws `name_taken`, `validation_failed`. */
async function assertAddress(deps: Pick<Deps, 'store' | 'record_dns'>, given: DomainInput): Promise<void> {
  const faults = addressFault(deps, given)
  if (faults.length === 0) return
  await assertFree(deps, given)
  throw invalid(faults)
}

const workOf = (deps: Deps, { input, warnings: of_transport }: FittingTransport): Work<DomainRecord> =>
  opening('one', async (tx, at) => {
    const { record: created, warnings } = await insertChecked(deps, tx, wantedOf(deps, input), at)
    const record = await changeStatus(tx, created, 'activate', at)
    await tx.openActivation(record.id, at)
    const unaddressed = record.static_ip === null && !record.ddns_enabled ? [NO_ADDRESS] : []
    return {
      result: record,
      audit: [{ ...createdAudit(record), action: 'expose', detail: valuesIn(record) }],
      release: [{ domain_id: record.id, row: rowOf(record) }],
      reason: `expose ${record.domain}`,
      warnings: [...of_transport, ...warnings, ...unaddressed],
    }
  })

/** Throws `name_taken`. */
async function assertFree({ store }: Pick<Deps, 'store'>, { domain }: DomainInput): Promise<void> {
  const name = typeof domain === 'string' ? parseDomainName(domain) : null
  const holder = name?.ok === true ? await store.domainByName(name.value) : null
  if (holder !== null) throw nameTaken(holder)
}

interface Exposed {
  readonly record: DomainRecord
  readonly done: DeploymentResult
  /** Left out where nobody has looked. */
  readonly unreached: Unreached | undefined
}

/** What nobody is served is not called exposed; that the proxy has not loaded it is said already. */
async function whyUnserved(
  deps: Deps,
  { record, done, unreached }: Exposed,
  signal: AbortSignal,
): Promise<Partial<Pick<DeploymentResult, 'message' | 'warnings'>>> {
  if (done.loaded === false) return {}
  const failure = unreached === undefined ? await whyUnreached(deps, record, signal) : unreached
  const backend = failure === null ? [] : [unreachedWords(record, failure)]
  const causes = [...shadowedWords(done), ...(await unpublishedWords(deps, record))]
  if (causes.length + backend.length === 0) return {}
  const why = unservedWords(causes, backend)
  const unknown = done.loaded === null && done.proxy_asked === true ? `; ${LOAD_UNKNOWN}` : ''
  return {
    message: withUnfinished(`${record.domain} is saved and deployed${why}${unknown}.`, done.unfinished),
    warnings: [...new Set([...done.warnings, ...backend.map((words) => `${record.domain}: ${words}.`)])],
  }
}

const shadowedWords = ({ shadowed }: DeploymentResult): readonly string[] =>
  (shadowed ?? []).length > 0 ? ['the proxy sends its requests elsewhere'] : []

const unpublishedWords = async ({ record_dns }: Deps, { id }: DomainRecord): Promise<readonly string[]> =>
  (await record_dns.namesWithoutRecord([id])).length > 0 ? ['no DNS record of it is made'] : []

/** The proxy may reach what this host does not. */
const unservedWords = (causes: readonly string[], backend: readonly string[]): string =>
  causes.length === 0
    ? `, but ${backend.join()}`
    : `, and nobody gets it yet: ${[...causes, ...backend].join(', and ')}`
