/** From a router's list of middlewares to their effect, chains followed; refused as soon as one says what no record can. */
import { BlockList, isIP } from 'node:net'
import { accept, type Parsed, refuse } from '../../../../model/text/result.ts'
import type { Setting } from '../context.ts'
import type { ImportContext } from '../../../../ports/import-context.ts'
import { both, type Effect, effect, NO_EFFECT } from '../effect.ts'
import { elsewhereReason, type Item, resolve, TEMPLATE_REASON } from '../inventory.ts'
import type { FilePosition } from '../place.ts'
import { named } from '../../../routes/grammar/named.ts'
import { landingEffect, redirectSchemeEffect } from '../routers/redirects.ts'
import { listOf, shape } from '../../../routes/grammar/tree.ts'
import { catalogueEffect, equalEntry } from './catalogue-match.ts'
import { headersEffect } from './headers.ts'
import { forwardAuthEffect, ssoByName } from './sso.ts'

export interface ChainReading {
  readonly effect: Effect
  /** The effect of the first one alone: a redirect there is all that happens. */
  readonly first: Effect
  readonly uses: readonly FilePosition[]
}

/** Chains of chains can name the same few middlewares any number of times. */
const MAX_MIDDLEWARES = 100

/** @param list the router's `middlewares` as they stand; what is no list counts as none and is refused elsewhere. */
export function readMiddlewares(list: unknown, setting: Setting): Parsed<ChainReading> {
  const flat = flatten(listOf(list) ?? [], setting)
  if (!flat.ok) return flat
  const parts: Effect[] = []
  for (const link of flat.value.links) {
    const part = 'kind' in link ? effectOf(link, setting) : accept(link)
    if (!part.ok) return part
    parts.push(part.value)
    // What stands behind a redirect of everything is never reached.
    if (parts.length === 1 && part.value.redirects_to_https && !setting.tls) break
  }
  let whole: Parsed<Effect> = effect({})
  for (const part of parts) if (whole.ok) whole = both(whole.value, part)
  return whole.ok
    ? accept({ effect: whole.value, first: parts[0] ?? NO_EFFECT, uses: flat.value.uses })
    : whole
}

/** An effect is that of a middleware which is known by its name alone. */
type Link = Item | Effect

function flatten(
  names: readonly string[],
  setting: Setting,
): Parsed<{ links: Link[]; uses: FilePosition[] }> {
  const links: Link[] = []
  const uses: FilePosition[] = []
  const waiting = [...names]
  for (let count = 0; waiting.length > 0; count++) {
    if (count >= MAX_MIDDLEWARES)
      return refuse('middleware', `has more than ${MAX_MIDDLEWARES} middlewares when its chains are followed`)
    const name = waiting.shift()!
    const found = resolve(setting.inventory, 'http.middlewares', name)
    if (found.kind === 'elsewhere') {
      const sso = ssoByName(found, setting.context)
      if (sso === null) return refuse('middleware', elsewhereReason('middleware', found))
      links.push(sso)
      continue
    }
    uses.push(found.item)
    const members = chainMembers(found.item)
    if (members === null) links.push(found.item)
    else if (members.length === 0)
      return refuse('middleware', `uses ${named(name)}, a chain that does not parse`)
    else waiting.unshift(...members)
  }
  return accept({ links, uses: uses.map(({ file, where }) => ({ file, where })) })
}

/** Null for what is no chain; empty for a chain without a readable list. */
function chainMembers(item: Item): readonly string[] | null {
  const typed = typeOf(item)
  if (!typed.ok || typed.value.type.toLowerCase() !== 'chain') return null
  const chain = shape(typed.value.config, ['middlewares'])
  return chain.ok ? (listOf(chain.fields.middlewares) ?? []) : []
}

function effectOf(item: Item, setting: Setting): Parsed<Effect> {
  const typed = typeOf(item)
  if (!typed.ok) return typed
  const { type, config } = typed.value
  const { context } = setting
  switch (type.toLowerCase()) {
    case 'forwardauth':
      return forwardAuthEffect(item.name, config, context)
    case 'headers':
      return headersEffect(item.name, config, setting)
    case 'ipallowlist':
    case 'ipwhitelist':
      return allowListEffect(item.name, config, context)
    case 'redirectscheme':
      return redirectSchemeEffect(item.name, config, context)
    case 'redirectregex':
      return landingEffect(item.name, config, setting.tls)
    default:
      return catalogueEffect({ name: item.name, type, config }, context)
  }
}

/** The one type of a middleware, as it is written there, and what stands under it. */
function typeOf({ name, value, template }: Item): Parsed<{ type: string; config: unknown }> {
  if (template) return refuse('middleware', `uses the middleware ${named(name)}, which ${TEMPLATE_REASON}`)
  const [first, ...others] = Object.entries(value).filter(([, config]) => config !== null)
  if (first === undefined || others.length > 0)
    return refuse(
      'middleware',
      `uses the middleware ${named(name)}, which has ${first === undefined ? 'no type' : 'several types'}`,
    )
  return accept({ type: first[0], config: first[1] })
}

// `ipAllowList` (and version 2's `ipWhiteList`) of private ranges: what `internal` means.

/** The ranges that `internal` lets in: RFC 1918, unique local addresses (RFC 4193) and loopback. */
const PRIVATE = [
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
  ['::1', 128, 'ipv6'],
] as const
/** A list with all of these lets in every private network of a site; with less than that, `internal` would open more. */
const USUAL = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']

export function allowListEffect(name: string, config: unknown, context: ImportContext): Parsed<Effect> {
  const list = shape(config, ['sourceRange', 'ipStrategy', 'rejectStatusCode'])
  const what = `uses the allow list ${named(name)}`
  if (!list.ok) return refuse('middleware', `${what}, which ${list.reason}`)
  const { sourceRange, ipStrategy, rejectStatusCode } = list.fields
  const ranges = listOf(sourceRange) ?? []
  const is_plain = ipStrategy === undefined && rejectStatusCode === undefined
  if (is_plain && ranges.every(isPrivate) && USUAL.every((range) => ranges.includes(range)))
    return effect({ internal: true, notes: widened(ranges, name) })
  const equal = equalEntry({ type: 'ipAllowList', config }, context)
  if (equal !== null) return effect({ extras: [equal] })
  return refuse('middleware', `${what}, ${notSayable(ranges, is_plain)}`)
}

/** Why no record says it. @param is_plain it says ranges alone */
function notSayable(ranges: readonly string[], is_plain: boolean): string {
  if (ranges.length === 0) return 'which has no ranges'
  if (!is_plain) return 'whose ipStrategy or status a record cannot say'
  const outside = ranges.find((range) => !isPrivate(range))
  return outside === undefined
    ? `which lets in ${some(ranges)} only; an internal service lets in every private range, and an entry of your own catalogue can say the list`
    : `whose range ${named(outside)} is not among the private ranges of an internal service`
}

/** What else an internal service lets in, which no site's network is. */
function widened(ranges: readonly string[], name: string): string[] {
  const more = PRIVATE.map(([base, length]) => `${base}/${length}`).filter((range) => !ranges.includes(range))
  return more.length === 0 ? [] : [`besides ${named(name)}, an internal service lets in ${more.join(', ')}`]
}

const some = (ranges: readonly string[]): string =>
  `${ranges.slice(0, 5).join(', ')}${ranges.length > 5 ? ', ...' : ''}`

function isPrivate(range: string): boolean {
  const [address = '', bits, ...more] = range.split('/')
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  if (isIP(address) === 0 || more.length > 0 || (bits !== undefined && !/^[0-9]{1,3}$/.test(bits)))
    return false
  const length = bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits)
  return PRIVATE.some(([base, floor, kind]) => {
    if (kind !== family || length < floor || length > (family === 'ipv4' ? 32 : 128)) return false
    const block = new BlockList()
    block.addSubnet(base, floor, kind)
    return block.check(address, family)
  })
}
