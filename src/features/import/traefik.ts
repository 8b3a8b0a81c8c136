/**
 * From hand-written Traefik files to domain records: what a record can say becomes one, and everything else is listed
 * with its place and its reason. Pure; the files are not touched.
 */
import type { ImportContext } from '../../ports/import-context.ts'
import { settle } from './traefik/routers/contention.ts'
import { httpRecords } from './traefik/routers/http-records.ts'
import { planHttpRouter } from './traefik/routers/http-routers.ts'
import {
  type Inventory,
  type Item,
  type Kind,
  takeInventory,
  type TraefikDocument,
} from './traefik/inventory.ts'
import { dependents } from './traefik/leftovers.ts'
import type { Leftover } from './traefik/place.ts'
import type { RouterOutcome, RouterPlan } from './traefik/plan.ts'
import { replacedRouters } from './traefik/routers/replaced-routers.ts'
import type { ImportedRecord, TraefikImport } from './traefik/result.ts'
import { tcpRecords } from './traefik/routers/tcp-records.ts'
import { withTheirNames } from './traefik/their-entrypoints.ts'
import { planTcpRouter, type TcpPlan } from './traefik/routers/tcp-routers.ts'

/** @param documents all dynamic files of one Traefik: they share their names, and each can change what another means. */
export function fromTraefik(documents: readonly TraefikDocument[], given: ImportContext): TraefikImport {
  const inventory = takeInventory(documents)
  const context = withTheirNames(inventory, given)
  const outcomes = settle(httpPlans(inventory, context), context)
  const http = httpRecords(outcomes)
  const taken = http.map(({ input }) => input.domain)
  const tcp = tcpRecords(tcpPlans(inventory, context), taken, context)
  const records = inNameOrder([...http, ...tcp.records].map(comesAlive(documents)).map(losesRules(context)))
  const staying = [...stayingRouters(outcomes), ...tcp.staying, ...udpRouters(inventory)]
  const left = leftoversOf(inventory, staying, { records, static_setup: context.static_setup })
  const items = staying.map(({ item }) => item)
  return {
    records,
    leftovers: inOrder(left, documents),
    replaces: replacedRouters(inventory, records, items),
    not_known: context.sees_proxy || records.length === 0 ? [] : [PROXY_UNSEEN],
  }
}

interface Staying {
  readonly item: Item
  readonly reason: string
}

/** Beside the routers that stay: what they and the entrypoints need, and what no record uses. */
function leftoversOf(
  inventory: Inventory,
  routers: readonly Staying[],
  { records, static_setup }: Pick<ImportContext, 'static_setup'> & Pick<TraefikImport, 'records'>,
): Leftover[] {
  const staying = routers.map(({ item }) => item)
  const used = records.flatMap(({ uses }) => uses)
  const left = routers.map(({ item: { file, where }, reason }) => ({ file, where, reason }))
  return [...inventory.leftovers, ...left, ...dependents(inventory, { staying, used, static_setup })]
}

/** Each once, also where it was looked at twice. */
const stayingRouters = (outcomes: ReadonlyMap<RouterPlan, RouterOutcome>): readonly Staying[] =>
  [
    ...new Map(
      [...outcomes].flatMap(([{ item }, outcome]) =>
        outcome.kind === 'stays' ? [[item, outcome.reason] as const] : [],
      ),
    ),
  ].map(([item, reason]) => ({ item, reason }))

/** Traefik takes no change of a folder in which it refuses one file, and nothing of it after a restart. */
function comesAlive(documents: readonly TraefikDocument[]): (record: ImportedRecord) => ImportedRecord {
  const refused = new Map(
    documents.flatMap((one) => ('refused' in one ? [[one.file, one.refused] as const] : [])),
  )
  return (record) => {
    const why = refused.get(record.source.file)
    const note = `Traefik refuses ${record.source.file} whole (${why}): what is not served today comes alive with the record`
    return why === undefined ? record : { ...record, notes: [...record.notes, note] }
  }
}

/** The rules file is written whole: what somebody wrote into the SSO's own rules for this host counts no more. */
function losesRules({ access_rules }: ImportContext): (record: ImportedRecord) => ImportedRecord {
  return (record) => {
    const { domain, auth_required } = record.input
    if (access_rules === null || auth_required !== true || access_rules.named.has(domain)) return record
    const { default_policy } = access_rules
    const who = default_policy === 'deny' ? 'nobody gets in' : 'everybody who signs in gets in'
    const note = `${who} (${default_policy}): what the SSO's own rules say of this host is not taken over; say it in PLUMBLINE_SSO_POLICIES_FILE`
    return { ...record, notes: [...record.notes, note] }
  }
}

const PROXY_UNSEEN =
  'Routers of other providers (container labels) and of files that were not given: records have the priority 1000, so a narrower ' +
  'router for the same host, such as a path behind a password, may lose its requests to a record, and with them its protection. ' +
  'With PLUMBLINE_TRAEFIK_API set, the plan names them.'

const UDP_REASON = 'is a UDP route, and records are HTTP or TCP'

const udpRouters = (inventory: Inventory): readonly Staying[] =>
  routers('udp.routers', inventory).map((item) => ({ item, reason: UDP_REASON }))

/** Usable ones and, after them, those that share their name: they cannot become records, but one of them is at work. */
const routers = (kind: Kind, { items, duplicates }: Inventory): Item[] => [
  ...items.get(kind)!.values(),
  ...[...duplicates.keys()].filter((item) => item.kind === kind),
]

function httpPlans(inventory: Inventory, context: ImportContext): RouterPlan[] {
  return routers('http.routers', inventory).flatMap((item) => {
    const read = planHttpRouter(item, inventory, context)
    const reason = inventory.duplicates.get(item)
    const plan: RouterPlan = reason === undefined ? read : { ...read, outcome: { kind: 'stays', reason } }
    // It stays, and may be in the way of HTTPS as well as of plain HTTP.
    return plan.tls_unknown && plan.outcome.kind === 'stays'
      ? [plan, { ...plan, tls: true, redirects: false }]
      : [plan]
  })
}

function tcpPlans(inventory: Inventory, context: ImportContext): TcpPlan[] {
  return routers('tcp.routers', inventory).map((item) => {
    const plan = planTcpRouter(item, inventory, context)
    const reason = inventory.duplicates.get(item)
    return reason === undefined ? plan : { ...plan, outcome: { kind: 'stays', reason } }
  })
}

const inNameOrder = (records: readonly ImportedRecord[]): ImportedRecord[] =>
  records.toSorted((a, b) => (a.input.domain < b.input.domain ? -1 : 1))

/** By file, in the order given, then by place and reason. */
function inOrder(leftovers: readonly Leftover[], documents: readonly TraefikDocument[]): Leftover[] {
  const order = new Map(documents.map(({ file }, i) => [file, i]))
  const rank = ({ file }: Leftover): number => order.get(file)!
  const text = ({ where, reason }: Leftover): string => `${where}\u0000${reason}`
  return leftovers.toSorted((a, b) => rank(a) - rank(b) || (text(a) < text(b) ? -1 : 1))
}
