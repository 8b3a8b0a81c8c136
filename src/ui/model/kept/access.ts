/** Who can open what, as rows; and where the sign-in rules differ from what is saved. Pure. */
import type { Access, Domain, Middlewares, SsoDrift } from '../../api/types.ts'
import { parseTimeOr } from '../ages.ts'
import { WAITING, type Lamp } from '../lamps.ts'
import type { ListingFields } from '../table/listing.ts'
import { causeTitle, count, plain } from '../words.ts'
import { type AccessEntry, lampOfEntry, policyOf, policyText } from './access-entry.ts'
import { hayOf, NAMES } from './order.ts'
import { ALL_PROVEN, type Unproven, unprovenNo, unprovenPeople } from './unproven.ts'

export interface AccessRow {
  readonly key: string
  readonly who: string
  readonly lamp: Lamp
  readonly hay: string
  readonly of: AccessEntry
  /** Its network is asked before anything else is. */
  readonly inside: boolean
  /** Why its "no" is not known to hold; else null. */
  readonly unproven: string | null
}

type Middleware = Middlewares[number]

const LOADS: Readonly<Record<string, Lamp>> = {
  loaded: 'ok',
  error: 'bad',
  not_loaded: 'drift',
  unused_not_verified: 'off',
}

/** Nobody would miss what nobody uses: what no deployed domain names is not in the routes file. */
const isIdle = ({ status, used_by }: Pick<Middleware, 'status' | 'used_by'>): boolean =>
  status === 'unused_not_verified' ||
  (used_by.length === 0 && (status === 'unknown' || status === 'not_loaded'))

export const lampOfMiddleware = (one: Pick<Middleware, 'status' | 'used_by'>): Lamp =>
  isIdle(one) ? 'off' : (LOADS[one.status] ?? 'unknown')

export const middlewareText = (one: Pick<Middleware, 'status' | 'used_by'>): string =>
  isIdle(one) ? 'not used' : plain(one.status)

const ANYBODY = 'anybody, without signing in'

/** What is open inside is open to whoever reaches it there: as Domains says it. */
const INSIDE: Pick<AccessEntry, 'detail'> = {
  detail: 'Whoever reaches it inside opens it, without signing in.',
}

export const accessRows = (
  { entries }: Access,
  internal: ReadonlySet<string> = new Set(),
  unproven: Unproven = ALL_PROVEN,
): readonly AccessRow[] =>
  entries
    .map((row) => {
      const inside = internal.has(row.domain)
      const isOpen = inside && row.policy === 'bypass' && row.can_open === true
      const entry = isOpen ? { ...row, ...INSIDE } : row
      const who = entry.username ?? ANYBODY
      const not_proven = unprovenNo(entry, unproven)
      return {
        key: `${entry.username ?? ''} ${entry.domain}`,
        who,
        lamp: not_proven === null ? lampOfEntry(entry) : ('unknown' as const),
        hay: hayOf(entry.domain, who, policyOf({ of: entry, inside }), entry.detail, ...entry.groups),
        of: entry,
        inside,
        unproven: not_proven,
      }
    })
    .toSorted(byName)

const byName = (a: AccessRow, b: AccessRow): number =>
  NAMES.compare(a.of.domain, b.of.domain) || NAMES.compare(a.who, b.who)

export const ACCESS_FIELDS: ListingFields<AccessRow> = {
  words: ({ hay }) => hay,
  keys: { group: ({ of }) => of.groups },
  is: {
    yes: ({ of }) => of.can_open === true,
    no: ({ of }) => of.can_open === false,
    unknown: ({ of, unproven }) => of.can_open === null || unproven !== null,
    inside: ({ inside }) => inside,
    exception: ({ of }) => of.exceptions.length > 0,
  },
}

/** What gets in before the rule itself is asked: a path, a method or a network. */
export const exceptionTexts = ({ exceptions }: AccessEntry): readonly string[] =>
  exceptions.map(({ policy, resources, methods, networks }) =>
    [
      policyText(policy),
      resources.length > 0 && `at ${resources.join(', ')}`,
      methods.length > 0 && `by ${methods.join(', ')}`,
      networks.length > 0 && `from ${networks.join(', ')}`,
    ]
      .filter((part) => part !== false)
      .join(' '),
  )

const LISTS = [
  ['open_route', 'Answers without signing in', 'bad'],
  ['weaker_policy', 'Lets in more than it should', 'bad'],
  ['missing_middleware', 'Does not ask for a sign-in', 'bad'],
  ['shut_out', 'Nobody can sign in', 'bad'],
  ['missing_rule', 'No rule lets in whom it should', 'drift'],
  ['extra_rule', 'A rule that no domain asks for', 'drift'],
  ['extra_middleware', 'Asks for a sign-in though it is open', 'drift'],
  ['not_loaded', 'The sign-in provider has not read it', 'drift'],
] as const satisfies readonly (readonly [keyof SsoDrift, string, Lamp])[]

export interface AccessFault {
  readonly key: string
  readonly title: string
  readonly lamp: Lamp
  readonly domain: string
  readonly detail: string
  readonly cure: string
}

/** What differs, the gravest first; last, what changes no rule: a comment, a mode, a line of nobody's. */
export function accessFaults(drift: SsoDrift): readonly AccessFault[] {
  const listed = listedFaults(drift)
  const named = new Set(listed.map(({ domain }) => domain))
  const causes = new Set<string>(LISTS.flatMap(([list]) => drift[list].map(({ cause }) => cause)))
  const others = drift.differences.filter(({ cause, domains }) =>
    domains.length === 0 ? !causes.has(cause) : !domains.some((domain) => named.has(domain)),
  )
  return [
    ...listed,
    ...others.map(({ item, cause, detail }) => ({
      key: `file ${item} ${cause}`,
      title: `In the rules file: ${causeTitle(cause).toLowerCase()}`,
      lamp: WAITING.has(cause) ? ('pending' as const) : ('drift' as const),
      domain: item,
      detail,
      cure: '',
    })),
  ]
}

const listedFaults = (drift: SsoDrift): readonly AccessFault[] =>
  LISTS.flatMap(([list, title, lamp]) =>
    drift[list].map(({ domain, detail, cure, cause }) => ({
      key: `${list} ${domain} ${cause}`,
      title: KNOWN_CAUSES.has(cause) ? `${title}: ${causeTitle(cause).toLowerCase()}` : title,
      lamp,
      domain,
      detail,
      cure,
    })),
  )

/** Causes that say more than the list they stand in. */
const KNOWN_CAUSES: ReadonlySet<string> = new Set(['edited', 'pending_deploy', 'contested', 'lost'])

export const internalOf = (
  domains: readonly Pick<Domain, 'domain' | 'service_type'>[],
): ReadonlySet<string> =>
  new Set(domains.filter(({ service_type }) => service_type === 'internal').map(({ domain }) => domain))

/** Of what opens without signing in, how much is open to all and how much to whoever reaches it inside: as Domains counts them. */
export function openCounts(rows: readonly AccessRow[]): { readonly all: number; readonly inside: number } {
  const inside = rows.filter((row) => row.inside).length
  return { all: rows.length - inside, inside }
}

type Open = ReturnType<typeof openCounts>

export function accessHeadline(drift: SsoDrift, open: Open, { people }: Unproven = ALL_PROVEN): string {
  const faults = accessFaults(drift).length
  const parts = [
    drift.quarantine.length > 0 && `${count(drift.quarantine.length, 'route')} taken out`,
    faults > 0 && `${count(faults, 'difference')}`,
    drift.unknown.length > 0 && `${count(drift.unknown.length, 'thing')} unknown`,
    people.size > 0 && `${count(people.size, 'revocation')} not proven`,
  ].filter((part) => part !== false)
  return [
    `${count(drift.protected_domains, 'domain')} behind a sign-in`,
    `${count(open.all, 'domain')} open to all`,
    ...(open.inside > 0 ? [`${count(open.inside, 'domain')} open to whoever reaches it inside`] : []),
    ...parts,
  ].join(', ')
}

interface Source {
  readonly key: string
  readonly title: string
  readonly lamp: Lamp
  readonly text: string
  /** The setting that would set it up; null where it is. */
  readonly setting: string | null
}

/** Where the answers come from: rules, people, and the proof of what answers. */
export function accessSources(
  access: Access | undefined,
  drift: SsoDrift | undefined,
  unproven: Unproven = ALL_PROVEN,
): readonly Source[] {
  return [
    {
      key: 'rules',
      title: 'Sign-in rules',
      ...(drift === undefined || drift.configured
        ? rulesSource(access, drift)
        : {
            lamp: 'off' as const,
            text: 'the rules of the sign-in provider are kept true.',
            setting: 'PLUMBLINE_SSO_RULES_FILE',
          }),
    },
    {
      key: 'people',
      title: 'People and groups',
      ...peopleSource(access, unproven),
    },
  ]
}

function peopleSource(
  access: Access | undefined,
  unproven: Unproven,
): Pick<Source, 'lamp' | 'text' | 'setting'> {
  if (access === undefined) return { lamp: 'unknown', text: 'Not asked yet.', setting: null }
  if (access.people) {
    const not_proven = unprovenPeople(unproven)
    const known = { text: ['Their groups are known.', not_proven].filter(Boolean).join(' '), setting: null }
    return { lamp: not_proven === null ? 'ok' : 'unknown', ...known }
  }
  const gap = access.gaps.find(({ part }) => part === 'people')
  if (gap !== undefined && gap.cause !== 'not_configured')
    return { lamp: 'unknown', text: gap.detail, setting: null }
  return {
    lamp: 'off',
    text: 'who can open what is known for each person.',
    setting: 'PLUMBLINE_SSO_USERS_FILE',
  }
}

/** What the answer lacks; what is only not set up is said once, where the answers come from. */
export const accessNotes = ({ gaps }: Access): readonly string[] =>
  gaps.filter(({ cause }) => cause !== 'not_configured').map(({ detail }) => detail)

/** What nobody looks at, but for the rules: that they are not kept true is said where the answers come from. */
export const uncheckedRest = ({ configured, not_checked }: SsoDrift): SsoDrift['not_checked'] =>
  not_checked.filter(
    ({ part, domain, cause }) =>
      configured || part !== 'rules' || domain !== null || cause !== 'not_configured',
  )

function rulesSource(access: Access | undefined, drift: SsoDrift | undefined) {
  const differs = drift?.drift ?? null
  const rules = access?.rules ?? null
  const lamp: Lamp = differs === null ? 'unknown' : differs ? 'drift' : 'ok'
  // Unknown says what is not known, whatever else is.
  const unread =
    differs === null && drift !== undefined
      ? [...new Set(drift.unknown.map(({ detail }) => detail))]
          .slice(0, 1)
          .map((one) => `Not found out: ${one}`)
      : []
  const whose = {
    running: 'What the sign-in provider is known to run.',
    file: 'What the rules file says; what the provider runs is not known.',
  }
  return {
    lamp: rules === 'file' && lamp === 'ok' ? ('unknown' as const) : lamp,
    text: [rules === null ? 'No rules are known.' : whose[rules], ...unread].join(' '),
    setting: null,
    seen_at: parseTimeOr(drift?.observed_at),
  }
}
