/**
 * Takes the address that a gateway reports for a name. Nothing is published here: a changed address is stored, and
 * whoever publishes it is told to look.
 */
import type { Instant } from '../../../kernel/clock.ts'
import { Failure, fieldError, invalid } from '../../../kernel/failure.ts'
import type { Actor } from '../../../model/actor.ts'
import { parseDomainName } from '../../../model/domain/hostname.ts'
import { parsePublicAddress, type ReportableAddress } from '../../../model/network/public-address.ts'
import { actorOf, assertNotEnded, type Holder, nameOf } from '../tokens/authenticate.ts'
import type { Ddns } from '../ddns.ts'
import { notInForce, type NotInForce, strangerAt } from '../hosts/in-force.ts'
import { rowsOf } from '../hosts/known-hosts.ts'
import { ddnsRecords } from '../records.ts'
import type { FlapResult } from './flap-guard.ts'
import type { StoreReader, StoreWriter } from '../../../ports/store.ts'

/** One value as it was given, and the parameter that held it. */
export interface GivenAddress {
  readonly name: string
  readonly value: string
}

/** Where in a call a field stands, for what is wrong with it. */
export type FieldPlace = 'path' | 'query' | 'body'

export interface ReportedFrom {
  /** Default: query. */
  readonly place?: FieldPlace
  /** Empty: the address of the connection counts. */
  readonly given: readonly GivenAddress[]
  readonly client: string
  /** Whether `client` is where the request came from, and not a proxy on its way. */
  readonly client_is_vouched: boolean
}

export interface TakenAddress extends ReportableAddress {
  /** `waiting`: it is taken when it is due, if nothing else is reported until then. */
  readonly outcome: 'unchanged' | 'changed' | 'waiting'
}

export interface UpdateAnswer {
  readonly host: string
  /** As they were reported. */
  readonly addresses: readonly TakenAddress[]
  /** Now, or when it is due. */
  readonly changed: boolean
  /** When what came too soon is taken, if nothing else is reported until then; null where all of it holds now. */
  readonly due_at: Instant | null
  /** Why it is kept and not published; null where it counts. */
  readonly because: NotInForce | null
}

/** A name that takes reports. */
export interface ReportHost {
  readonly host: string
  /** Why a report of it would not be published; null where it would. */
  readonly because: NotInForce | null
}

/** The name that an update is for. Throws `token_not_for_name`, `validation_failed`, `not_found` or `ddns_disabled`. */
export async function hostFor(
  ddns: Ddns,
  holder: Holder,
  text: string,
  loc: readonly [FieldPlace, string] = ['path', 'domain'],
): Promise<ReportHost> {
  const exact = holder.kind === 'token' && holder.token.host === text
  const parsed = exact ? null : parseDomainName(text)
  const host = parsed === null ? text : parsed.ok ? parsed.value : null
  // Before anything is said of the name: a token for one host must not be able to ask which others there are.
  if (holder.kind === 'token' && holder.token.host !== host)
    throw new Failure('token_not_for_name', 'The key belongs to another name than the one in the request.')
  if (parsed !== null && !parsed.ok) throw invalid([fieldError([...loc], parsed.msg, parsed.type)])
  const because = host === null ? 'no_record' : await notInForceNow(ddns, host)
  if (host === null || because === 'no_record')
    throw new Failure('not_found', 'There is no domain of this name that takes addresses.')
  // A gateway that is told "good" does not come again for weeks.
  if (because === 'ddns_disabled')
    throw new Failure(
      'ddns_disabled',
      `${host} has ddns_enabled false, so nothing would come of a report. Set it to true and deploy.`,
    )
  return { host, because }
}

const notInForceNow = async ({ store, hub_host }: Ddns, host: string): Promise<NotInForce | null> =>
  notInForce(await rowsOf(store, host), host === hub_host)

/** The addresses of a report, at most one of each type. Throws `validation_failed`. */
export function reportedAddresses(
  { private_too }: Pick<Ddns, 'private_too'>,
  from: ReportedFrom,
): ReportableAddress[] {
  const { given, client, client_is_vouched, place = 'query' } = from
  const wrong = (name: string, msg: string, type: string) => invalid([fieldError([place, name], msg, type)])
  if (given.length === 0) return [connectionAddress(client_is_vouched ? client : '', private_too)]
  // Routers without IPv6 send an empty part beside a good one. Emptiness alone says nothing of an address.
  const filled = given.filter(({ value }) => value !== '')
  if (filled.length === 0)
    throw wrong(
      given[0]!.name,
      'is empty: leave it out to report the address of the connection',
      'ip_address',
    )
  const addresses: ReportableAddress[] = []
  for (const { name, value } of filled) {
    const parsed = parsePublicAddress(value, { private_too })
    if (!parsed.ok) throw wrong(name, parsed.msg, parsed.type)
    const { address, type } = parsed.value
    if (name.endsWith('v6') && type !== 'AAAA') throw wrong(name, 'must be an IPv6 address', 'ip_address')
    const twin = addresses.find((other) => other.type === type)
    if (twin !== undefined && twin.address !== address)
      throw wrong(name, 'must not name a second address of the same kind', 'duplicate')
    if (twin === undefined) addresses.push(parsed.value)
  }
  return addresses
}

function connectionAddress(client: string, private_too: (address: string) => boolean): ReportableAddress {
  const parsed = parsePublicAddress(client, { private_too })
  if (parsed.ok) return parsed.value
  const msg = 'is required: the address of the connection is not a public one, or nobody vouches for it'
  throw invalid([fieldError(['query', 'ip'], msg, 'missing')])
}

export interface AddressWish extends ReportHost {
  readonly addresses: readonly ReportableAddress[]
  readonly request: Pick<Actor, 'request_id' | 'caller_request_id'>
  /** Says what would become of them, and takes nothing. */
  readonly dry_run?: boolean
}

/** What changes less than a minute after the last change, or goes back and forth, is kept and taken when it is due. */
export async function takeAddresses(
  ddns: Ddns,
  holder: Holder,
  { host, because, addresses, request, dry_run = false }: AddressWish,
): Promise<UpdateAnswer> {
  const report = { host, addresses, actor: actorOf(holder), by: { name: nameOf(holder), ...request } }
  const evaluations = dry_run
    ? ddns.addresses.preview(report)
    : await ddns.addresses.report({ ...report, note: useNote(ddns, holder), ...mayOf(ddns, holder) })
  if (!dry_run) ddns.refused.taken(host)
  const due = evaluations.flatMap(({ result }) => ('due_at' in result ? [result.due_at] : []))
  return {
    host,
    addresses: evaluations.map(({ address, type, result }) => ({
      address,
      type,
      outcome: outcomeOf(result),
    })),
    changed: evaluations.some(({ result }) => result.kind !== 'unchanged'),
    due_at: due.length === 0 ? null : Math.max(...due),
    because:
      because ??
      strangerAt(
        ddns,
        host,
        addresses.map(({ type }) => type),
      ),
  }
}

/** A name that is held may be asked for what it has. */
const outcomeOf = (result: FlapResult): TakenAddress['outcome'] =>
  'due_at' in result ? 'waiting' : result.kind

/** A key that ends while its report is on its way must not be heard after that. */
const mayOf = ({ clock }: Ddns, holder: Holder) =>
  holder.kind === 'token' && {
    assertMay: (reader: StoreReader) => assertNotEnded(reader, holder.token, clock.now()),
  }

function useNote({ tokens, clock }: Ddns, holder: Holder) {
  if (holder.kind !== 'token') return null
  const { token } = holder
  const now = clock.now()
  const due = tokens.used(token, now)
  return due ? (tx: StoreWriter) => tx.of(ddnsRecords).usedDdnsToken(token.id, now) : null
}
