/**
 * The lists of all controllers: what each tells at each of its sites, and which of them are not known. Entries are made once
 * a look, however many ask, and in pieces, so that ten thousand of them hold nobody up.
 */
import { Failure, fieldError, invalid } from '../../kernel/failure.ts'
import { inPieces } from '../../kernel/async/in-pieces.ts'
import type { Json } from '../../kernel/text/lenient.ts'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { controllerSources } from '../discovery/looks.ts'
import type { LabLook, ListLook, SiteSettings, SiteState } from '../discovery/model/lab-port.ts'
import { rowsOf, unreadableIn } from '../discovery/model/list-look.ts'
import { RawRows } from '../discovery/model/raw-rows.ts'
import type { DiscoveryService } from '../discovery/service.ts'
import { picker } from './fields.ts'
import { policyRow, ruleRow } from './firewall.ts'
import { CLIENT, DEVICE, FIREWALL_GROUP, NETWORK, PORT_FORWARD, WLAN } from './rows.ts'
import type { SourceView } from '../discovery/views.ts'

/** Entries of one site, and how each is shown. */
interface SitePart {
  readonly list: ListLook
  readonly pick: (row: Json) => object
}

interface NamedSite {
  readonly site: string
  readonly label: string
}

interface ListedSite extends NamedSite {
  /** Several where they are kept at several places. */
  parts(): readonly SitePart[]
}

interface ControllerLists {
  readonly name: string
  readonly look: LabLook<readonly ListedSite[]>
  /** The same object for as long as the look is kept. */
  readonly key: object
}

/** A kind of list, from one of the two looks at each controller. */
export type ListKind = (lab: DiscoveryService) => Promise<readonly ControllerLists[]>

function listed<Site extends NamedSite>(
  name: string,
  look: LabLook<readonly Site[]>,
  partsOf: (site: Site) => readonly SitePart[],
): Omit<ControllerLists, 'key'> {
  if (!look.known) return { name, look }
  const state = look.state.map((one) => ({
    site: one.site,
    label: one.label,
    parts: () => partsOf(one),
  }))
  return { name, look: { ...look, state } }
}

const fromLook =
  (parts: (site: SiteState) => readonly SitePart[]): ListKind =>
  ({ controllers }) =>
    Promise.all(
      controllers.map(async (recent) => {
        const key = await recent.get()
        const look = key.known ? { ...key, state: key.state.sites } : key
        return { ...listed(recent.name, look, parts), key }
      }),
    )

const fromSettings =
  (parts: (site: SiteSettings) => readonly SitePart[]): ListKind =>
  ({ settings }) =>
    Promise.all(
      settings.map(async (recent) => {
        const look = await recent.get()
        return { ...listed(recent.name, look, parts), key: look }
      }),
    )

const device = picker(DEVICE)
const client = picker(CLIENT)
const forward = picker(PORT_FORWARD)
const group = picker(FIREWALL_GROUP)
const wlan = picker(WLAN)
const network = picker(NETWORK)
/** The name that somebody gave a client is not told with each connection. */
function onlineIn({ known: seen }: SiteState['raw']): (row: Json) => object {
  const names = new Map(rowsOf(seen).map(({ mac, name }) => [macOf(mac), name]))
  return (row) => {
    const name = row['name'] ?? names.get(macOf(row['mac']))
    return { ...client(name === undefined ? row : { ...row, name }), online: true }
  }
}
/** Where nobody says who is connected, one that was seen may be. */
const awayIn =
  ({ online }: SiteState['raw']) =>
  (row: Json) => ({ ...client(row), online: online.known ? false : null })

export const DEVICES = fromLook(({ raw }) => [{ list: raw.devices, pick: device }])
export const ONLINE_CLIENTS = fromLook(({ raw }) => [{ list: raw.online, pick: onlineIn(raw) }])
/** Those that are connected as they are now, the others as they were seen last. */
export const ALL_CLIENTS = fromLook(({ raw }) => {
  const connected = new Set(rowsOf(raw.online).map(({ mac }) => macOf(mac)))
  const others = rowsOf(raw.known).filter(({ mac }) => !connected.has(macOf(mac)))
  return [
    { list: raw.online, pick: onlineIn(raw) },
    { list: raw.known.known ? { known: true, rows: new RawRows(others) } : raw.known, pick: awayIn(raw) },
  ]
})
export const NETWORKS = fromLook(({ raw }) => [{ list: raw.networks, pick: network }])
export const PORT_FORWARDS = fromSettings(({ forwards }) => [{ list: forwards, pick: forward }])
export const FIREWALL_RULES = fromSettings(({ rules, policies, zones }) => [
  { list: policies, pick: policyRow(zones.reveal()) },
  { list: rules, pick: ruleRow },
])
export const FIREWALL_GROUPS = fromSettings(({ groups }) => [{ list: groups, pick: group }])
export const WLANS = fromSettings(({ wlans }) => [{ list: wlans, pick: wlan }])

const macOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim().toLowerCase().replaceAll('-', ':') : ''

export interface ListAnswer {
  readonly data: readonly object[]
  readonly count: number
  /** Null where nothing is configured. */
  readonly complete: boolean | null
  readonly sources: readonly SourceView[]
}

/** Of one controller. */
interface ReadList {
  readonly sites: readonly (NamedSite & { readonly rows: readonly object[]; readonly missing: boolean })[]
  readonly source: SourceView
}

const kept = new WeakMap<object, Map<ListKind, Promise<ReadList>>>()

/**
 * Throws `validation_failed` for a site that no controller has, `component_unavailable` where nothing of what was asked for
 * is known: an empty list means that there is none.
 */
export async function listOf(
  lab: DiscoveryService,
  kind: ListKind,
  site: string | null,
): Promise<ListAnswer> {
  const looks = await kind(lab)
  if (looks.length === 0) return { data: [], count: 0, complete: null, sources: controllerSources([]) }
  const all = await Promise.all(looks.map((look) => readOnce(kind, look)))
  const sources = all.map(({ source }) => source)
  const sites = all.flatMap((one) => one.sites)
  const wanted = site === null ? sites : sites.filter((one) => one.site === site || one.label === site)
  const is_dark = looks.some(({ look }) => !look.known)
  if (site !== null && wanted.length === 0 && !is_dark) throw noSite(site, sites)
  const readable = wanted.filter(({ missing, rows }) => !missing || rows.length > 0)
  if (readable.length === 0 && (is_dark || wanted.length > 0)) throw nothingKnown(sources)
  const data = joined(readable.map(({ rows }) => rows))
  const complete = sources.every(
    ({ known: is, detail, unreadable }) => is === true && detail === null && unreadable === 0,
  )
  return { data, count: data.length, complete, sources }
}

const joins = new WeakMap<Rows, { readonly of: readonly Rows[]; readonly data: Rows }>()

type Rows = readonly object[]

/** The same list for as long as its parts are, so that what is made of it can be kept. */
function joined(of: readonly Rows[]): Rows {
  const [first, second] = of
  if (first === undefined) return []
  if (second === undefined) return first
  const before = joins.get(first)
  if (before?.of.length === of.length && before.of.every((rows, at) => rows === of[at])) return before.data
  const data = of.flat()
  joins.set(first, { of, data })
  return data
}

function readOnce(kind: ListKind, look: ControllerLists): Promise<ReadList> {
  const of_look = kept.get(look.key) ?? new Map<ListKind, Promise<ReadList>>()
  kept.set(look.key, of_look)
  const read = of_look.get(kind) ?? readList(look)
  of_look.set(kind, read)
  return read
}

async function readList({ name, look }: ControllerLists): Promise<ReadList> {
  const [bare] = controllerSources([{ name, look: look.known ? { ...look, state: NO_STATE } : look }])
  if (!look.known) return { sites: [], source: bare! }
  const sites: ReadList['sites'][number][] = []
  let unreadable = 0
  const lacks: { readonly reason: SourceView['reason']; readonly words: string }[] = []
  for (const one of look.state) {
    const rows: object[] = []
    let missing = false
    for (const { list, pick } of one.parts()) {
      if (list.known)
        await inPieces(list.rows.reveal(), (row) =>
          rows.push({ controller: name, site: one.site, ...pick(row) }),
        )
      else lacks.push({ reason: list.reason, words: `${one.site}: ${list.why}` })
      unreadable += unreadableIn(list)
      missing ||= !list.known
    }
    sites.push({ site: one.site, label: one.label, rows, missing })
  }
  const count = sites.reduce((sum, { rows }) => sum + rows.length, 0)
  const [lack] = lacks
  const is_dark = lacks.length > 0 && sites.every(({ missing, rows }) => missing && rows.length === 0)
  const detail = lack === undefined ? null : `${name}: ${lacks.map(({ words }) => words).join('; ')}.`
  const source = { ...bare!, known: !is_dark, reason: lack?.reason ?? null, detail, unreadable }
  return { sites, source: { ...source, count: is_dark ? null : count } }
}

const NO_STATE = { version: null, sites: [] }

function noSite(site: string, all: readonly NamedSite[]): Failure {
  const names = [...new Set(all.flatMap((one) => [one.site, one.label]))]
  const words = `is no site; there are ${names.slice(0, 20).join(', ') || 'none'}.${didYouMean(site, names)}`
  return invalid([fieldError(['query', 'site'], words, 'site')])
}

function nothingKnown(sources: readonly SourceView[]): Failure {
  const why = sources.flatMap(({ detail }) => detail ?? []).join(' ')
  return new Failure('component_unavailable', `Nothing of this is known now. ${why}`)
}
