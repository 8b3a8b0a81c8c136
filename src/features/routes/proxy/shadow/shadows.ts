/**
 * Loaded is not served: who is asked before our routers, and which of our names another file of the folder has taken.
 *
 * A look at the proxy has it all but the file's name. Nothing of this is mended by a deploy: what is in the way belongs to
 * somebody else, so it is told and left alone.
 */
import { turnsByTime } from '../../../../kernel/async/others-turn.ts'
import { visible } from '../../../../kernel/text/visible.ts'
import type { ProxyRouter, ProxySnapshot } from '../../traefik/port.ts'
import type { Deps } from '../../deps.ts'
import { deadEnd } from '../../opens/dead-end.ts'
import { localName } from '../compare-routes.ts'
import { isMarker, type RouteObject } from '../../render/objects.ts'
import { loadedAmong } from '../../loaded/loaded.ts'
import type { ProxyObservation } from '../../loaded/watch.ts'
import { type OtherContent, otherContent, type ShownObjects, shownObjects } from './contents.ts'
import { shortPath } from './definers.ts'
import { type OwnRouter, priorityOf, type RivalRouter, Rivals } from './rivals.ts'
import type { Rival } from '../../rival-schema.ts'
import { type Work, workOfLook } from './work.ts'

/** It keeps requests from what was deployed: that is drift. The others are listed. */
export const isShadow = ({ stance }: Rival): boolean =>
  stance === 'takes_all' || stance === 'ties' || stance === 'defined_first'

type Seen = Extract<ProxyObservation, { known: true }>

export interface Shadows {
  readonly rivals: readonly Rival[]
  /** Not all could be held against ours. */
  readonly is_cut: boolean
}

/** All that keep requests from ours. `loaded`: what the same look says of the routes file. */
export async function shadowsIn(
  deps: Deps,
  seen: Seen,
  { loaded, signal }: { readonly loaded: boolean | null; readonly signal: AbortSignal },
): Promise<Shadows> {
  const found = await foundIn(deps, seen.snapshot, loaded)
  const look = workOfLook()
  const routers = (await rivalsOf(found, found.own, look)).filter(isShadow)
  const all = [...routers, ...(await definedFirst(deps, found, signal))]
  return { rivals: await withFiles(deps, all, signal), is_cut: look.fell_short }
}

/** A star of ours may have any number of narrower routers beside it. */
const MAX_RIVALS = 200

/** What stands beside the routers of these domains: what keeps requests from them first, of the others the first ones. */
export async function rivalsOfDomains(
  deps: Deps,
  seen: Seen,
  { domains, loaded, signal }: ShadowQuestion,
): Promise<Shadows> {
  const found = await foundIn(deps, seen.snapshot, loaded)
  const own = found.own.filter(({ domain }) => domains.includes(domain))
  const lists = new Set(own.flatMap(({ router }) => router.middlewares.map(localName)))
  const defined = (await definedFirst(deps, found, signal)).filter(({ domains: of, item }) =>
    of.length > 0 ? of.some((domain) => domains.includes(domain)) : lists.has(nameIn(item)),
  )
  const look = workOfLook()
  const all = [...(await rivalsOf(found, own, look)), ...defined]
  const ordered = [...all.filter(isShadow), ...all.filter((rival) => !isShadow(rival))]
  return { rivals: await withFiles(deps, ordered.slice(0, MAX_RIVALS), signal), is_cut: look.fell_short }
}

interface ShadowQuestion {
  readonly domains: readonly string[]
  readonly loaded: boolean | null
  readonly signal: AbortSignal
}

interface ShadowFacts {
  readonly rivals: Rivals
  readonly own: readonly OwnRouter[]
  /** Of the file that this look shows as loaded; empty where it does not. */
  readonly others: readonly OtherContent[]
}

/** A look is asked about several times. */
const FOUND = new WeakMap<
  ProxySnapshot,
  { readonly loaded: boolean | null; readonly found: Promise<ShadowFacts> }
>()

function foundIn(deps: Deps, snapshot: ProxySnapshot, loaded: boolean | null): Promise<ShadowFacts> {
  const kept = FOUND.get(snapshot)
  if (kept?.loaded === loaded) return kept.found
  const found = find(deps, snapshot, loaded)
  FOUND.set(snapshot, { loaded, found })
  found.catch(() => FOUND.delete(snapshot))
  return found
}

async function find(deps: Deps, snapshot: ProxySnapshot, loaded: boolean | null): Promise<ShadowFacts> {
  const released = loaded === true ? await deps.proxy.released.newest() : null
  const objects = released?.objects() ?? null
  const domainOf = (router: ProxyRouter): string | null =>
    (router.provider === 'file' || router.provider === 'http') &&
    (objects === null || objects.has(itemOf(router)))
      ? deps.proxy.domainOfShown(router.name)
      : null
  const own = snapshot.routers.flatMap((router) => {
    const domain = domainOf(router)
    return domain === null || router.status === 'disabled' ? [] : [{ router, domain }]
  })
  const shown = shownObjects(snapshot)
  const others: OtherContent[] = []
  const turn = turnsByTime()
  for (const [item, object] of objects ?? []) {
    await turn()
    // The marker is its own proof, and a form of an older version may not be known.
    const content = isMarker(item) ? undefined : object.value
    const other = content === undefined ? null : otherContent(item, content, shown)
    if (other !== null && !isKeptOut(item, object, shown)) others.push(other)
  }
  return { rivals: await Rivals.among(snapshot, (router) => domainOf(router) !== null), own, others }
}

/** We wrote it so: its record says why. */
function isKeptOut(item: string, object: RouteObject, shown: ShownObjects): boolean {
  const closed = deadEnd(item, object)?.value
  return closed !== undefined && otherContent(item, closed, shown) === null
}

const itemOf = ({ kind, name }: ProxyRouter): string => `${kind}.routers.${localName(name)}`
const nameIn = (item: string): string => item.split('.').slice(2).join('.')

async function rivalsOf(
  { rivals }: Pick<ShadowFacts, 'rivals'>,
  all: readonly OwnRouter[],
  look: Work,
): Promise<readonly Rival[]> {
  const found: Rival[] = []
  const turn = turnsByTime()
  for (const own of all) {
    await turn()
    found.push(...rivals.of(own, look).map((rival) => describedRival(own, rival)))
  }
  return found
}

export const describedRival = ({ router, domain }: OwnRouter, rival: RivalRouter): Rival => ({
  item: itemOf(router),
  domains: [domain],
  stance: rival.stance,
  provider: rival.router.provider,
  router: rival.router.name,
  file: null,
  rule: rival.router.rule,
  priority: rival.priority,
  detail: detailOf(router, rival),
})

function detailOf(own: ProxyRouter, { router, stance, entrypoints, priority }: RivalRouter): string {
  const doors = entrypoints.join(', ')
  const who = `${shown(router.name)} (${shown(router.rule)}, priority ${priority})`
  const ours = priorityOf(own)
  switch (stance) {
    case 'takes_all':
      return `On ${doors}, ${who} takes every request before ${own.name} (priority ${ours}). ${remedyFor(own, router)}`
    case 'ties':
      return `On ${doors}, ${who} takes the same requests as ${own.name} with the same priority: which of them answers is not certain. ${remedyFor(own, router)}`
    case 'takes_some':
      return `On ${doors}, ${who} is asked before ${own.name} (priority ${ours}) and takes a part of its requests.`
    case 'not_judged':
      return `On ${doors}, ${who} is asked before ${own.name} (priority ${ours}); what it takes cannot be told here.`
    case 'redirects_too':
      return `On ${doors}, ${who} takes every request before ${own.name} and redirects, too.`
  }
}

/** What strangers wrote ends up on terminals. */
const shown = (text: string): string => visible(text.slice(0, MAX_SHOWN))
const MAX_SHOWN = 300

/** Between HTTP and TCP no priority counts. */
const remedyFor = (own: ProxyRouter, router: ProxyRouter): string =>
  `Remove it, or give it ${own.kind === router.kind ? 'a lower priority' : 'another entrypoint'}: a deploy does not change it.`

/** Confirmed by a second look: the lists of one may be of two moments, between which a file was taken. */
async function definedFirst(
  deps: Deps,
  { others }: ShadowFacts,
  signal: AbortSignal,
): Promise<readonly Rival[]> {
  if (others.length === 0) return []
  const release = (await deps.store.latestRelease())?.number ?? 0
  const known = CONFIRMED.get(deps.proxy)
  const isKnown = ({ item }: OtherContent): boolean => known?.release === release && known.items.has(item)
  const confirmed = others.every(isKnown) ? others : await seenAgain(deps, others, signal)
  CONFIRMED.set(deps.proxy, { release, items: new Set(confirmed.map(({ item }) => item)) })
  return confirmed.map((other) => definition(deps, other))
}

const CONFIRMED = new WeakMap<object, { readonly release: number; readonly items: ReadonlySet<string> }>()

async function seenAgain(
  deps: Deps,
  others: readonly OtherContent[],
  signal: AbortSignal,
): Promise<readonly OtherContent[]> {
  deps.proxy.watch!.forget()
  const seen = await deps.proxy.watch!.look(signal)
  // Nobody says that it is well: what was seen first stands until it is seen otherwise.
  if (!seen.known) return others
  const { loaded } = await loadedAmong(deps, deps.proxy.watch!.routersOf(seen.snapshot).middlewares)
  // Something was deployed meanwhile.
  if (loaded !== true) return []
  const still = new Set((await foundIn(deps, seen.snapshot, true)).others.map(({ item }) => item))
  return others.filter(({ item }) => still.has(item))
}

function definition({ proxy }: Deps, other: OtherContent): Rival {
  const { item, name, provider, part, expected, found } = other
  const domain = proxy.domainOfShown(nameIn(item))
  const values =
    expected === null ? 'is another there' : `is ${found || 'nothing'} there, not ${expected || 'nothing'}`
  return {
    item,
    domains: domain === null ? [] : [domain],
    stance: 'defined_first',
    provider,
    router: null,
    file: null,
    rule: null,
    priority: null,
    detail:
      `The proxy has loaded the routes file and runs another ${name}: its ${part} ${values}. Either the routes file was ` +
      'edited by hand: then put it back first. Or another file that it reads defines the name first: take it out there, a deploy ' +
      'does not change it.',
  }
}

/** The files of the folder are read only where something is in the way. */
async function withFiles(
  { proxy, routes_path }: Deps,
  rivals: readonly Rival[],
  signal: AbortSignal,
): Promise<readonly Rival[]> {
  const itemIn = ({ item, router }: Rival): string =>
    router === null ? item : `${item.split('.', 1)[0]!}.routers.${localName(router)}`
  const from_files = rivals.filter(({ provider }) => provider === 'file')
  if (from_files.length === 0) return rivals
  const definers = await proxy.definers([...new Set(from_files.map(itemIn))], signal)
  return rivals.map((rival) => {
    const [file] = rival.provider === 'file' ? (definers.get(itemIn(rival)) ?? []) : []
    if (file === undefined) return rival
    return inFile(rival, shortPath(file, routes_path))
  })
}

export const inFile = (rival: Rival, file: string): Rival => ({
  ...rival,
  file,
  detail: `${rival.detail} It is in ${visible(file)}.`,
})
