/** Reading one HTTP router by itself; what other routers do to it is judged in `contention.ts`. */
import { accept, type Parsed, refuse } from '../../../../model/text/result.ts'
import type { Setting } from '../context.ts'
import type { ImportContext } from '../../../../ports/import-context.ts'
import { type Inventory, type Item, resolve, TEMPLATE_REASON } from '../inventory.ts'
import { type ChainReading, readMiddlewares } from '../middlewares/middlewares.ts'
import type { FilePosition } from '../place.ts'
import { named } from '../../../routes/grammar/named.ts'
import type { RouterOutcome, RouterPlan } from '../plan.ts'
import { siteOf } from '../site.ts'
import { type Fields, listOf, shape, textOf, wholeOf } from '../../../routes/grammar/tree.ts'
import { type HostSet, hostsOf, reachOf } from './hosts.ts'
import { type Binding, bindingFault, bindingNotes, readBinding, TLS_UNKNOWN } from './router-binding.ts'
import { atLeast } from '../../../routes/render/settings.ts'
import { HTTP_MATCHERS, parseRule, type Rule } from '../../../routes/grammar/rule.ts'

const ROUTER = [
  'rule',
  'service',
  'entryPoints',
  'middlewares',
  'priority',
  'ruleSyntax',
  'tls',
  'observability',
  'parentRefs',
] as const
type RouterFields = Fields<(typeof ROUTER)[number]>

export function planHttpRouter(item: Item, inventory: Inventory, context: ImportContext): RouterPlan {
  const router = shape(item.value, ROUTER)
  const fields: RouterFields = router.ok ? router.fields : {}
  const text = textOf(fields.rule) ?? ''
  const rule = parseRule(text, HTTP_MATCHERS)
  const binding = readBinding(fields, context)
  const chain = readMiddlewares(fields.middlewares, { inventory, context, tls: binding.tls })
  const plan = {
    item,
    ...binding,
    redirects: chain.ok && !binding.tls && chain.value.first.redirects_to_https,
    // A router that does not parse is not built, and where a template leads cannot be known.
    reach: rule.ok && !item.template ? reachOf(rule.rule) : [],
    priority: wholeOf(fields.priority) || Buffer.byteLength(text),
  }
  const stays = (reason: string): RouterPlan => ({ ...plan, outcome: { kind: 'stays', reason } })
  if (item.template) return stays(TEMPLATE_REASON)
  if (!router.ok) return stays(router.reason)
  if (!rule.ok) return stays(rule.reason)
  const fault = fieldFault(fields) ?? bindingFault(fields.tls, binding, context)
  if (fault !== null) return stays(fault)
  const hosts = hostsOf(rule.rule)
  if (!hosts.ok) return stays(plan.redirects ? REDIRECTS_ANY : hosts.msg)
  if (!chain.ok) return stays(chain.msg)
  if (binding.tls_unknown) return stays(TLS_UNKNOWN)
  const outcome = outcomeOf(fields, binding, {
    hosts: hosts.value,
    rule: rule.rule,
    chain: chain.value,
    setting: { inventory, context, tls: binding.tls },
  })
  return outcome.ok ? { ...plan, outcome: outcome.value } : stays(outcome.msg)
}

const REDIRECTS_ANY =
  'redirects to HTTPS whatever it matches; every record with TLS brings a redirect of its own'

/** What no record can say, as the end of a sentence about the router. */
function fieldFault(fields: RouterFields): string | null {
  if (fields.parentRefs !== undefined) return 'is the child of another router'
  if (fields.observability !== undefined) return 'has observability settings, which a record cannot say'
  if (fields.priority !== undefined && wholeOf(fields.priority) === null)
    return 'has a priority that is no whole number'
  return fields.middlewares !== undefined && listOf(fields.middlewares) === null
    ? 'has middlewares that are no list of names'
    : null
}

interface Reading {
  readonly hosts: HostSet
  readonly rule: Rule
  readonly chain: ChainReading
  readonly setting: Setting
}

function outcomeOf(fields: RouterFields, binding: Binding, reading: Reading): Parsed<RouterOutcome> {
  const { hosts, chain, setting } = reading
  const service = textOf(fields.service) ?? ''
  if (!setting.tls && chain.first.redirects_to_https)
    return accept({
      kind: 'redirect',
      hosts: hosts.names,
      uses: [...chain.uses, ...neverReached(service, setting.inventory)],
    })
  if (service === '') return refuse('service', 'names no service')
  const notes = notesOn(fields, binding, reading)
  return siteOf({ hosts: hosts.names, service, chain, setting, notes })
}

function notesOn(fields: RouterFields, binding: Binding, reading: Reading): readonly string[] {
  const { hosts, rule, chain, setting } = reading
  const { context } = setting
  const usual_syntax = context.static_setup?.reads_v2 === true ? 'v2' : undefined
  return [
    ...unicodeNotes(hosts.unicode),
    ...bindingNotes(fields.tls, binding, { context, internal: chain.effect.internal }),
    ...syntaxNotes(rule, fields.ruleSyntax ?? usual_syntax),
    ...starNotes(rule, context),
  ]
}

/** The service of a redirect is named because Traefik wants one. */
function neverReached(service: string, inventory: Inventory): readonly FilePosition[] {
  const found = resolve(inventory, 'http.services', service)
  return found.kind === 'item' ? [{ file: found.item.file, where: found.item.where }] : []
}

const unicodeNotes = (names: readonly string[]): string[] =>
  names.map(
    (name) => `the host ${named(name)} is not in ASCII form, which Traefik refuses; the record has that form`,
  )

// What of a rule is of version 2 alone: version 3 refuses it, or takes it and never matches.

/** Said of a router that is perhaps not at work today, and is as a record. */
function syntaxNotes(rule: Rule, syntax: unknown): string[] {
  if (textOf(syntax)?.toLowerCase() === 'v2') return []
  const [found] = matchersIn(rule).flatMap(oldForms)
  return found === undefined
    ? []
    : [
        `the rule has ${found} of Traefik 2: with version 3 and its own rule syntax the router serves nothing today, and comes alive with the record`,
      ]
}

/** The same of a star, which no earlier version matches. */
function starNotes(rule: Rule, { traefik_version }: ImportContext): string[] {
  if (atLeast(traefik_version, [3, 7, 0]) || !matchersIn(rule).some(isStarHost)) return []
  return [
    'the rule has a star in `Host`, which matches nothing before Traefik 3.7: with an older one (PLUMBLINE_TRAEFIK_VERSION says which) the router serves nothing today, and comes alive with the record',
  ]
}

type Matcher = Extract<Rule, { readonly kind: 'match' }>

const isStarHost = ({ name, values }: Matcher): boolean =>
  ['Host', 'HostHeader'].includes(name) && values.some((value) => value.startsWith('*.'))

function oldForms({ name, values }: Matcher): readonly string[] {
  if (name === 'HostHeader') return ['the matcher `HostHeader`']
  if (values.length > 1) return [`several values in ${named(name)}`]
  return values.filter((value) => value.includes('{')).map((value) => `the pattern ${named(value)}`)
}

/** All of a rule, from left to right, whatever joins or negates them. */
function matchersIn(rule: Rule): readonly Matcher[] {
  switch (rule.kind) {
    case 'not':
      return matchersIn(rule.of)
    case 'any':
    case 'all':
      return rule.of.flatMap(matchersIn)
    case 'match':
      return [rule]
  }
}
