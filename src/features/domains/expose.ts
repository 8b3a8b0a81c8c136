/** Quick expose: one call that creates a record with the installation's public address and deploys it. */
import { type FieldError, fieldError, invalid } from '../../kernel/failure.ts'
import { parseDomainName } from '../../model/domain/hostname.ts'
import { nameTaken } from '../../model/domain/name-taken.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import { rowOf } from '../../model/intent.ts'
import { type DeploymentResult, type PlannedAnswer, planned } from '../../core/answers.ts'
import { withFittingTransport } from './backend/fitting-transport.ts'
import { failuresAudited } from '../../core/audit/failed.ts'
import { commit } from '../../core/commit/commit.ts'
import { opening } from '../../core/commit/change.ts'
import { unreachedWords } from '../../model/domain/unreached.ts'
import { type Unreached, whyUnreached } from './backend/reach.ts'
import type { Caller } from '../../core/caller.ts'
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
  const faults = addressFault(deps, given)
  if (faults.length > 0) {
    await assertFree(deps, given)
    throw invalid(faults)
  }
  const fetched = await withCertificateOfNew(deps, given, caller)
  const fitting = await withFittingTransport(deps, fetched, caller)
  const { input, warnings: of_transport } = fitting
  const work = opening('one', async (tx, at) => {
    const { record: created, warnings } = await insertChecked(deps, tx, wantedOf(deps, input), at)
    const record = await changeStatus(tx, created, 'activate', at)
    await tx.openActivation(record.id, at)
    return {
      result: record,
      audit: [{ ...createdAudit(record), action: 'expose', detail: valuesIn(record) }],
      release: [{ domain_id: record.id, row: rowOf(record) }],
      reason: `expose ${record.domain}`,
      warnings: [
        ...of_transport,
        ...warnings,
        ...(record.static_ip === null && !record.ddns_enabled ? [NO_ADDRESS] : []),
      ],
    }
  })
  const committed = await commit(deps, caller, work)
  if (committed.planned) return planned(committed.plan)
  const { result: record, head, warnings } = committed
  const message = outcomeWords('expose', { domain: record.domain, row: rowOf(record) })
  const done = await failuresAudited(deps, { caller, action: 'expose', domain_id: record.id }, () =>
    deps.deploy({
      message,
      domain_ids: [record.id],
      head,
      warnings,
      direction: 'open',
      about: 'one',
      progress: caller.progress,
      activates: record.id,
    }),
  )
  const unserved = await whyUnserved(deps, { record, done, unreached: fitting.unreached }, caller.signal)
  return { ...done, ...unserved, domain_id: record.id }
}

/** A name that is taken needs no address. Throws `name_taken`. */
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
  const causes = [
    ...((done.shadowed ?? []).length > 0 ? ['the proxy sends its requests elsewhere'] : []),
    ...((await deps.record_dns.namesWithoutRecord([record.id])).length > 0
      ? ['no DNS record of it is made']
      : []),
  ]
  if (causes.length + backend.length === 0) return {}
  // The proxy may reach what this host does not.
  const why =
    causes.length === 0
      ? `, but ${backend.join()}`
      : `, and nobody gets it yet: ${[...causes, ...backend].join(', and ')}`
  const unknown = done.loaded === null && done.proxy_asked === true ? `; ${LOAD_UNKNOWN}` : ''
  return {
    message: withUnfinished(`${record.domain} is saved and deployed${why}${unknown}.`, done.unfinished),
    warnings: [...new Set([...done.warnings, ...backend.map((words) => `${record.domain}: ${words}.`)])],
  }
}
