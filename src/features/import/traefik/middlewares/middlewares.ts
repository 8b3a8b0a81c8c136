/** From a router's list of middlewares to their effect, chains followed; refused as soon as one says what no record can. */
import { accept, type Parsed, refuse } from '../../../../model/text/result.ts'
import { allowListEffect } from './allow-list.ts'
import { catalogueEffect } from './catalogue-match.ts'
import type { Setting } from '../context.ts'
import { both, type Effect, effect, NO_EFFECT } from '../effect.ts'
import { headersEffect } from './headers.ts'
import { elsewhereReason, type Item, resolve, TEMPLATE_REASON } from '../inventory.ts'
import { named, type Place } from '../place.ts'
import { landingEffect, redirectSchemeEffect } from '../routers/redirects.ts'
import { forwardAuthEffect, ssoByName } from './sso.ts'
import { listOf, shape } from '../tree.ts'

export interface ChainReading {
  readonly effect: Effect
  /** The effect of the first one alone: a redirect there is all that happens. */
  readonly first: Effect
  readonly uses: readonly Place[]
}

/** Chains of chains can name the same few middlewares any number of times. */
const MOST_MIDDLEWARES = 100

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

function flatten(names: readonly string[], setting: Setting): Parsed<{ links: Link[]; uses: Place[] }> {
  const links: Link[] = []
  const uses: Place[] = []
  const waiting = [...names]
  for (let count = 0; waiting.length > 0; count++) {
    if (count >= MOST_MIDDLEWARES)
      return refuse(
        'middleware',
        `has more than ${MOST_MIDDLEWARES} middlewares when its chains are followed`,
      )
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
