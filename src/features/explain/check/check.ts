/**
 * What stands in the way of a new name, before anything of it is saved: its grammar, its zone, whether it is free here and at the
 * provider, the certificate, the address, and one connection to the backend. Each part answers for itself, within seconds; what
 * was not found out is unknown and blocks nobody. Changes nothing.
 */
import { Failure, type FieldError } from '../../../kernel/failure.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { hostPort } from '../../../model/network/address.ts'
import { covers } from '../../../model/network/certificate.ts'
import { isPublished } from '../../../model/domain/address-sources.ts'
import type { DomainFields, ServiceType } from '../../../model/domain/record.ts'
import { checkNew } from '../../../model/domain/rules.ts'
import { withRows } from '../../../engine/editions/editions.ts'
import { readCertificates } from '../../certificates/managed/read-certificates.ts'
import { vetted } from '../../domains/backend/vetted.ts'
import { addressesFor } from '../../dns/records/without-record.ts'
import type { Reader } from '../../../core/shares.ts'
import { lookInTime } from '../../dns/integrity/look-in-time.ts'
import type { Deps } from '../deps.ts'
import { isBrought, whyNeverIssued } from '../unissued.ts'
import type { CheckedPart } from './views.ts'

export interface CheckRequest {
  readonly domain: string
  readonly backend_host?: string | undefined
  readonly backend_port?: number | undefined
  readonly service_type?: ServiceType | undefined
}

const WITHIN_MS: Milliseconds = 3_000

type Part = CheckedPart['part']
const part = (
  name: Part,
  result: CheckedPart['result'],
  detail: string,
  domain_id: number | null = null,
) => ({
  part: name,
  result,
  detail,
  domain_id,
})

interface Looking {
  readonly signal: AbortSignal
  /** The name of a caller who may only look. */
  readonly reader: Reader
}

/** In the order of `CHECK_PARTS`; the backend only where one is given. */
export async function checkNewDomain(
  deps: Deps,
  request: CheckRequest,
  looking: Looking,
): Promise<readonly CheckedPart[]> {
  const checked = checkNew(recordOf(request), deps.offer)
  const faults = checked.ok ? [] : checked.errors
  const of_name = faults.find(({ loc }) => loc.includes('domain'))
  if (of_name !== undefined) return [part('name', 'no', `The name ${of_name.msg}.`)]
  const name_ok = part('name', 'ok', 'It is a name.')
  // Other faults are for the save to tell: of name and backend all is known that can be.
  const fields = checked.ok ? checked.fields : fieldsFor(deps, request.domain)
  if (fields === null) return [name_ok]
  const has_backend = request.backend_host !== undefined && request.backend_port !== undefined
  const of_backend = has_backend ? faults.find(isOfBackend) : undefined
  const backend = of_backend === undefined ? [] : [part('backend', 'no', `The backend ${of_backend.msg}.`)]
  const rest = await lookAround(deps, { fields, backend: has_backend && of_backend === undefined }, looking)
  return [name_ok, ...rest, ...backend]
}

const recordOf = ({ domain, service_type = 'http', backend_host, backend_port }: CheckRequest) => ({
  service_type,
  environment: 'production',
  domain,
  // In the place of one that is not typed yet (RFC 5737).
  backend_host: backend_host ?? '192.0.2.1',
  backend_port: backend_port ?? 80,
  ...(service_type === 'tcp-proxy' && { ssl_enabled: true }),
})

const isOfBackend = ({ loc }: FieldError): boolean => loc.some((one) => String(one).startsWith('backend_'))

interface LookedAt {
  readonly fields: DomainFields
  /** The backend is connected to, too. */
  readonly backend: boolean
}

/** All at once; a backend that is not to be looked at has no part. */
async function lookAround(deps: Deps, asked: LookedAt, looking: Looking): Promise<readonly CheckedPart[]> {
  const { fields } = asked
  const [free, address, certificate, outside] = await Promise.all([
    freeHere(deps, fields.domain),
    addressOf(deps, fields),
    certificateOf(deps, fields, looking.signal),
    lookOutside(deps, asked, looking),
  ])
  return [zoneOf(deps, fields), free, outside.provider, certificate, address, ...outside.backend]
}

function fieldsFor({ offer }: Pick<Deps, 'offer'>, domain: string): DomainFields | null {
  const given = {
    service_type: 'http',
    environment: 'production',
    backend_host: '192.0.2.1',
    backend_port: 80,
  }
  const checked = checkNew({ ...given, domain }, offer)
  return checked.ok ? checked.fields : null
}

function zoneOf({ dns }: Deps, { domain, ...fields }: DomainFields): CheckedPart {
  if (!isPublished(fields)) return part('zone', 'ok', 'Nothing of it is published, so it needs no zone.')
  if (dns.providers.length === 0)
    return part('zone', 'unknown', 'No DNS account is set: its record is yours to make.')
  const zone = dns.zoneFor(domain)
  if (zone === null) return part('zone', 'no', 'It lies in no zone of any account: no record is made for it.')
  return part('zone', 'ok', `It lies in ${zone}, at ${dns.accountFor(domain) ?? 'an account'}.`)
}

async function freeHere({ store }: Deps, domain: string): Promise<CheckedPart> {
  const saved = await store.domainByName(domain)
  if (saved !== null)
    return part('free_here', 'no', `There is a record of this name; it is ${saved.status}.`, saved.id)
  const { rows } = await store.intent('released')
  const served = rows.find(({ live, fields }) => live && fields.domain === domain)
  return served === undefined
    ? part('free_here', 'ok', 'No record has this name.')
    : part('free_here', 'no', 'A record is still deployed under this name.', served.domain_id)
}

async function addressOf(deps: Deps, fields: DomainFields): Promise<CheckedPart> {
  if (!isPublished(fields)) return part('address', 'ok', 'Nothing of it is published.')
  const addresses = await addressesFor(deps, fields)
  return addresses.length === 0
    ? part('address', 'no', 'No address is known for it: give it a static_ip, or set PLUMBLINE_PUBLIC_IP.')
    : part('address', 'ok', `${addresses.join(' and ')} would be published.`)
}

/** Of no record. */
const UNUSED_ID = 2 ** 31

async function certificateOf(deps: Deps, fields: DomainFields, signal: AbortSignal): Promise<CheckedPart> {
  const { domain } = fields
  const late = part('certificate', 'unknown', 'The certificates could not be read in time.')
  return withTimeout(
    { clock: deps.clock, ms: WITHIN_MS, signal },
    async (ends) => {
      const { certificates } = await readCertificates(deps, ends, { afresh: false })
      const found = certificates.find(
        ({ names, certificate, state }) =>
          certificate !== null && state !== 'expired' && covers(names, domain),
      )
      if (found?.certificate)
        return part('certificate', 'ok', `${found.name} covers it until ${found.certificate.not_after}.`)
      if (await isBrought(deps, domain, ends))
        return part('certificate', 'ok', 'One that another file of the routes folder names covers it.')
      const why = whyNeverIssued(deps, fields)
      return why === null
        ? part('certificate', 'ok', 'None covers it yet; one is obtained when it is deployed.')
        : part('certificate', 'no', `None covers it, and nobody obtains one: ${why}.`)
    },
    () => late,
  ).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return part('certificate', 'unknown', error.message)
  })
}

interface Outside {
  readonly provider: CheckedPart
  readonly backend: readonly CheckedPart[]
}

/** What is asked of others counts as one look at a backend: so many a minute for everybody, a share of them for those who may only look. */
async function lookOutside(
  deps: Deps,
  { fields, backend }: LookedAt,
  { signal, reader }: Looking,
): Promise<Outside> {
  try {
    return await deps.backend.gate.pass(async () => {
      const [provider, connected] = await Promise.all([
        freeAtProvider(deps, fields, signal),
        backend ? connectedTo(deps, fields, signal) : null,
      ])
      return { provider, backend: connected === null ? [] : [connected] }
    }, reader)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rate_limited') throw error
    return {
      provider: part('free_at_provider', 'unknown', error.message),
      backend: backend ? [part('backend', 'unknown', error.message)] : [],
    }
  }
}

/** As if it were deployed: what stands in its place is told, and nobody's else. */
async function freeAtProvider(deps: Deps, fields: DomainFields, signal: AbortSignal): Promise<CheckedPart> {
  const zone = isPublished(fields) ? deps.dns.zoneFor(fields.domain) : null
  if (zone === null)
    return part('free_at_provider', 'unknown', 'No account here has its zone, so none is asked.')
  const row = { domain_id: UNUSED_ID, revision: 1, live: true, retired: false, fields }
  const released = await deps.store.intent('released')
  const is_served = released.rows.some(({ live, fields: one }) => live && one.domain === fields.domain)
  const prospect = is_served ? released : withRows(released, [{ domain_id: UNUSED_ID, row }])
  const look = await lookInTime(deps, zone, signal, prospect)
  if (!look.known) return part('free_at_provider', 'unknown', look.detail)
  const there = look.records.filter(({ name, state }) => name === fields.domain && TAKEN.has(state))
  const [first] = there
  if (first === undefined)
    return part('free_at_provider', 'ok', `Nothing of others stands at the name in ${zone}.`)
  const what = `${first.type} ${(first.observed ?? []).join(', ')}`.trim()
  return part(
    'free_at_provider',
    'no',
    `Somebody else's record stands there: ${what}. ${first.detail ?? ''}`.trim(),
  )
}

const TAKEN: ReadonlySet<string> = new Set(['foreign', 'orphan', 'conflict', 'blocked', 'other_installation'])

/** One connection to the vetted address, by the rules of every look at a backend. */
function connectedTo(
  { backend: service, clock }: Deps,
  { backend_host: host, backend_port: port }: DomainFields,
  signal: AbortSignal,
): Promise<CheckedPart> {
  const place = { host: host ?? '', port: port ?? 0 }
  const shown = hostPort(place.host, place.port)
  return withTimeout(
    { clock, ms: WITHIN_MS, signal },
    async (ends) => {
      const found = await vetted(place, service, ends)
      if (!found.ok)
        return found.reason === 'no_such_name'
          ? part('backend', 'no', `${place.host} was not found.`)
          : part('backend', 'unknown', `${shown} is not asked: ${found.reason.replaceAll('_', ' ')}.`)
      const seen = await service.probe.connect(found.place, ends)
      return seen.ok
        ? part('backend', 'ok', `${shown} takes connections.`)
        : part('backend', 'no', `${shown}: ${seen.failure.replaceAll('_', ' ')}.`)
    },
    () => part('backend', 'no', `${shown} does not answer.`),
  )
}
