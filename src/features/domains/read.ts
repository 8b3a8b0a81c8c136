/** Reading records: one, by name, a page, and the counts. */
import type { CoreParts } from '../../core/parts.ts'
import { Failure, fieldError, invalid } from '../../kernel/failure.ts'
import { isoTime } from '../../kernel/clock.ts'
import {
  type DomainRecord,
  type Environment,
  isLive,
  type ServiceType,
  type Status,
  STATUSES,
} from '../../model/domain/record.ts'
import { hostPort } from '../../model/network/address.ts'
import { parseDomainName } from '../../model/domain/hostname.ts'
import type { DomainCount, DomainQuery } from '../../ports/store.ts'
import { pendingDomains } from '../../core/deploy.ts'
import type { Deps } from './deps.ts'
import { findDomain } from '../../core/find-domain.ts'
import { presentDomain, type PresentedDomain, type Surroundings } from './present.ts'
import type { DomainStats } from '../../http/common-views.ts'

export async function readDomain(deps: Deps, domain_id: number): Promise<PresentedDomain> {
  const record = await findDomain(deps.store, domain_id)
  const externalIp = await deps.record_dns.externalIps(deps.store)
  return presentDomain(record, deps, externalIp(record))
}

export type DomainIdentity = Pick<
  PresentedDomain,
  'id' | 'domain' | 'protocol' | 'service_type' | 'status' | 'external_ip' | 'external_port'
>

/** Any spelling of the name is understood. Throws `validation_failed` and `not_found`. */
export async function namedDomain({ store }: Pick<Deps, 'store'>, name: string): Promise<DomainRecord> {
  const parsed = parseDomainName(name)
  if (!parsed.ok) throw invalid([fieldError(['path', 'domain_name'], parsed.msg, parsed.type)])
  const record = await store.domainByName(parsed.value)
  if (record === null) throw new Failure('not_found', 'There is no domain of that name.')
  return record
}

/** The narrow view: nothing of it tells where the backend is. */
export async function identifyDomain(
  deps: Surroundings & Pick<Deps, 'store' | 'record_dns'>,
  name: string,
): Promise<DomainIdentity> {
  const record = await namedDomain(deps, name)
  const externalIp = await deps.record_dns.externalIps(deps.store)
  const shown = presentDomain(record, deps, externalIp(record))
  const { id, domain, protocol, service_type, status, external_ip, external_port } = shown
  return { id, domain, protocol, service_type, status, external_ip, external_port }
}

export interface PresentedPage {
  readonly records: readonly PresentedDomain[]
  readonly next: string | null
  readonly total: number
}

export async function listDomains(deps: Deps, query: DomainQuery): Promise<PresentedPage> {
  const { records, next, total } = await deps.store.domains(query)
  const externalIp = await deps.record_dns.externalIps(deps.store)
  const presented = records.map((record) => presentDomain(record, deps, externalIp(record)))
  return { records: presented, next, total }
}

/** As a table shows a record: id, domain, type, environment, target, status, revision, sign-in, tags, when it was saved. */
export type CompactDomain = readonly [
  id: number,
  domain: string,
  service_type: ServiceType,
  environment: Environment,
  target: string | null,
  status: Status,
  revision: number,
  auth_required: boolean,
  tags: readonly string[],
  updated_at: string,
]

export async function compactDomains(
  { store }: Pick<Deps, 'store'>,
  query: DomainQuery,
): Promise<Omit<PresentedPage, 'records'> & { readonly records: readonly CompactDomain[] }> {
  const { records, next, total } = await store.domains(query)
  return { records: records.map(compact), next, total }
}

function compact(record: DomainRecord): CompactDomain {
  const { id, domain, service_type, environment, status, revision, auth_required, tags, updated_at } = record
  const { backend_host: host, backend_port: port } = record
  const target = host === null ? null : port === null ? host : hostPort(host, port)
  return [
    id,
    domain,
    service_type,
    environment,
    target,
    status,
    revision,
    auth_required,
    tags,
    isoTime(updated_at),
  ]
}

/** What lamps know: nothing is looked at for it. */
export interface KnownCauses {
  readonly withCause: (cause: string) => Promise<readonly number[]>
}

interface KnownState {
  /** Their saved state waits for a deploy, or does not. */
  readonly pending: boolean | undefined
  readonly cause: string | undefined
}

export async function stateFilter(
  deps: CoreParts & KnownCauses,
  { pending, cause }: KnownState,
): Promise<Pick<DomainQuery, 'ids' | 'except'>> {
  const caused = cause === undefined ? {} : { ids: await deps.withCause(cause) }
  if (pending === undefined) return caused
  const waiting = (await pendingDomains(deps)).map(({ domain_id }) => domain_id)
  if (!pending) return { ...caused, except: waiting }
  return { ids: caused.ids?.filter((id) => waiting.includes(id)) ?? waiting }
}

export async function domainStats(deps: CoreParts): Promise<DomainStats> {
  const counts = await deps.store.domainCounts()
  return {
    total: sum(counts),
    by_status: {
      ...Object.fromEntries(STATUSES.map((status) => [status, 0])),
      ...sumBy(counts, (c) => c.status),
    },
    by_service_type: sumBy(counts, (c) => c.service_type),
    by_environment: sumBy(counts, (c) => c.environment),
    by_protocol: sumBy(counts, (c) => c.protocol),
    auth_required: sum(
      counts.filter(
        (c) => c.auth_required && isLive(c) && c.protocol === 'http' && c.service_type !== 'manual',
      ),
    ),
    pending_deploy: (await pendingDomains(deps)).length,
    damaged: (await deps.store.damagedRecords()).length,
  }
}

const sum = (counts: readonly DomainCount[]): number => counts.reduce((total, { count }) => total + count, 0)

function sumBy(counts: readonly DomainCount[], key: (count: DomainCount) => string): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const entry of counts) sums[key(entry)] = (sums[key(entry)] ?? 0) + entry.count
  return sums
}
