/** `GET /api/access`: who can open what, by the rules and the people that the SSO provider knows. Changes nothing. */
import type { Answered } from '../../http/contract.ts'
import { Failure } from '../../kernel/failure.ts'
import { canBeProtected, isProtected } from '../../model/access/applies.ts'
import { ANYBODY, decide, type Person, rulesFor } from '../../model/access/decide.ts'
import { sampleHost } from '../../model/access/hosts.ts'
import { openPathsPattern, openPathWords, pathsIn } from '../../model/access/open-paths.ts'
import { type AccessRules, type Policy, POLICIES } from '../../model/access/rule.ts'
import type { DomainFields } from '../../model/domain/record.ts'
import type { Deps } from './deps.ts'
import { AccessGap, NO_ROUTES, NO_RULES_FILE, NO_USERS_FILE, NOT_SEEN_RUNNING } from './report.ts'
import type { ProofService, RulesService } from './service.ts'
import { z } from 'zod'

export interface AccessQuestion {
  readonly user: string | null
  readonly host: string | null
}

const texts = z.array(z.string())

const AccessException = z.object({
  policy: z.enum(POLICIES),
  resources: texts,
  methods: texts,
  networks: texts,
})

const AccessEntry = z.object({
  domain: z.string(),
  served_by: z
    .string()
    .nullable()
    .describe('The deployed domain that serves it; null where none has that name'),
  username: z.string().nullable().describe('Null: somebody who has not signed in'),
  groups: texts,
  disabled: z.boolean(),
  policy: z.enum(POLICIES).nullable(),
  can_open: z.boolean().nullable().describe('After signing in as the policy asks; null for unknown'),
  exceptions: z
    .array(AccessException)
    .describe('Rules before it that ask for a path, a method or a network; first match wins'),
  detail: z.string(),
})

export const AccessAnswer = z
  .object({
    rules: z
      .enum(['running', 'file'])
      .nullable()
      .describe('running: what the provider is known to run; file: what the rules file says'),
    people: z.boolean().describe('Whether people and their groups are known: PLUMBLINE_SSO_USERS_FILE'),
    entries: z.array(AccessEntry),
    notes: texts,
    gaps: z.array(AccessGap).describe('What each note is about; not_configured: it is only not set up'),
  })
  .meta({ id: 'Access' })
export type AccessAnswer = Answered<typeof AccessAnswer>
export type AccessEntry = AccessAnswer['entries'][number]
type AccessException = AccessEntry['exceptions'][number]
type Ruled = Omit<AccessEntry, 'served_by'>

/** Throws `not_found` for a user that is not known. */
export async function readAccess(
  { store, sso, people }: Deps,
  question: AccessQuestion,
  signal: AbortSignal,
): Promise<AccessAnswer> {
  const known = await rulesKnown(sso.rules, signal)
  const directory = await peopleKnown(people, signal)
  const asked = askedPeople(question, directory.users)
  const rows = (await store.intent('released')).rows
    .filter(({ live, fields }) => live && fields.service_type !== 'manual')
    .map(({ fields }) => fields)
  const servedBy = hostsOf(rows)
  const hosts = question.host === null ? rows.map(({ domain }) => domain) : [question.host.toLowerCase()]
  const groups_known = directory.users !== null
  const opened = await sso.openedPaths(signal)
  const gaps = [known.gap, directory.gap, opened === null ? NO_ROUTES : null].filter((gap) => gap !== null)
  return {
    rules: known.source,
    people: groups_known,
    entries: hosts.flatMap((domain) =>
      asked.map((person) => {
        const fields = servedBy(domain)
        const ruled = entryFor(domain, person, { ...known, groups_known })
        if (fields === undefined) return servedByNone(ruled)
        // TCP has no sign-in, whatever was saved.
        const entry = isProtected(fields)
          ? asSeen(sso.proof, withOpenPaths(overHttp(ruled, fields), openedFor(sso, opened, fields)), fields)
          : openEntry(domain, person, fields)
        return { ...entry, served_by: fields.domain }
      }),
    ),
    notes: gaps.map(({ detail }) => detail),
    gaps,
  }
}

/** What the rules say of a name that nothing of ours answers to. */
const servedByNone = (entry: Ruled): AccessEntry => ({
  ...entry,
  served_by: null,
  detail: `No deployed domain with a route has that name. By the rules: ${entry.detail}`,
})

/** Authelia refuses whoever comes over plain http, whatever its rules say. */
const overHttp = (entry: Ruled, fields: DomainFields): Ruled =>
  fields.ssl_enabled === false && entry.policy !== 'bypass'
    ? { ...entry, can_open: false, detail: 'Stays closed: it is plain http, over which nobody can sign in.' }
    : entry

/** What serves a host: the record of its name, else the one with a star for its first label, as the proxy has it. */
function hostsOf(rows: readonly DomainFields[]): (host: string) => DomainFields | undefined {
  const served = new Map(rows.map((fields) => [fields.domain, fields]))
  return (host) => served.get(host) ?? served.get(`*${host.slice(host.indexOf('.'))}`)
}

interface OpenedPaths {
  readonly pattern: string
  readonly words: string
}

/** What the routes open to everybody, although the record is protected: as they stand, whatever is set or deployed. */
function openedFor(
  sso: Deps['sso'],
  opened: ReadonlyMap<string, string> | null,
  fields: DomainFields,
): OpenedPaths | null {
  const found = sso.openPaths(fields)
  const set = found === null || found.hindered_by !== null ? [] : found.paths
  const as_set = set.length === 0 ? null : openPathsPattern(set)
  const pattern = opened === null ? as_set : (opened.get(fields.domain) ?? null)
  if (pattern === null) return null
  const paths = pathsIn(pattern, set)
  const is_known = paths.length > 0 && openPathsPattern(paths) === pattern
  return { pattern, words: is_known ? paths.map(openPathWords).join('; ') : pattern }
}

/** What was seen goes before what the rules say. */
function asSeen(proof: ProofService | null, entry: Ruled, fields: DomainFields): Ruled {
  const seen = proof?.last().get(fields.domain)
  if (seen?.result !== 'open') return entry
  return {
    ...entry,
    can_open: true,
    detail: `${entry.detail} It stands open all the same: ${seen.evidence}.`,
  }
}

function withOpenPaths(entry: Ruled, opened: OpenedPaths | null): Ruled {
  if (opened === null) return entry
  const { pattern, words: open } = opened
  const exception: AccessException = { policy: 'bypass', resources: [pattern], methods: [], networks: [] }
  return {
    ...entry,
    exceptions: [exception, ...entry.exceptions],
    detail: `${entry.detail} Open to everybody: ${open}.`,
  }
}

type DirectoryUser = Pick<AccessEntry, 'username' | 'groups' | 'disabled'>

interface Known {
  readonly source: AccessAnswer['rules']
  readonly rules: AccessRules | null
  readonly gap: AccessGap | null
}

async function rulesKnown(service: RulesService | null, signal: AbortSignal): Promise<Known> {
  const none = (gap: AccessGap): Known => ({ source: null, rules: null, gap })
  if (service === null) return none(NO_RULES_FILE)
  const running = await service.running(signal)
  if (running !== null) return { source: 'running', rules: running, gap: null }
  const look = await service.look(signal)
  return look.rules === null
    ? none({ part: 'rules', cause: 'unreadable', detail: look.fault ?? 'There is no rules file yet.' })
    : { source: 'file', rules: look.rules, gap: NOT_SEEN_RUNNING }
}

interface Directory {
  /** Null where nobody knows them. */
  readonly users: readonly DirectoryUser[] | null
  readonly gap: AccessGap | null
}

async function peopleKnown({ users }: Deps['people'], signal: AbortSignal): Promise<Directory> {
  const none = (detail: string): Directory => ({
    users: null,
    gap: { part: 'people', cause: 'unreadable', detail },
  })
  if (users === null) return { users: null, gap: NO_USERS_FILE }
  try {
    const file = await users.look(signal)
    if (file.digest === null) return none(`There is no users file ${users.path} yet.`)
    const known = [...file.users].map(([username, { groups, disabled }]) => ({ username, groups, disabled }))
    return { users: known.toSorted((a, b) => (a.username < b.username ? -1 : 1)), gap: null }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return none(error.message)
  }
}

/** Everybody who is known, after somebody who has not signed in, who stands alone where no host is asked for; or the one who is asked for. */
function askedPeople(
  { user, host }: AccessQuestion,
  users: readonly DirectoryUser[] | null,
): readonly DirectoryUser[] {
  const nobody: DirectoryUser = { username: null, groups: [], disabled: false }
  if (user === null) return host === null ? [nobody] : [nobody, ...(users ?? [])]
  const found = users?.find(({ username }) => username === user)
  if (users !== null && found === undefined) throw new Failure('not_found', `There is no user "${user}".`)
  return [found ?? { username: user, groups: [], disabled: false }]
}

const openEntry = (domain: string, person: DirectoryUser, fields: DomainFields): Ruled => ({
  ...shown(domain, person),
  policy: 'bypass',
  can_open: true,
  exceptions: [],
  detail: canBeProtected(fields)
    ? 'The domain is open to everybody.'
    : 'The domain is open to everybody: it is TCP, before which no sign-in stands.',
})

function entryFor(
  domain: string,
  person: DirectoryUser,
  { rules, groups_known }: Known & { readonly groups_known: boolean },
): Ruled {
  if (rules === null)
    return {
      ...shown(domain, person),
      policy: null,
      can_open: null,
      exceptions: [],
      detail: 'No rules are known.',
    }
  const host = sampleHost(domain)
  const { policy, exceptions, certain } = decide(rules, host, asPerson(person))
  const by_group = !groups_known && person.username !== null && asksForGroups(rules, host)
  return {
    ...shown(domain, person),
    policy,
    can_open: canOpen(policy, person, certain && !by_group),
    exceptions: exceptions.map(({ policy: theirs, resources, methods, networks }) => ({
      policy: theirs,
      resources,
      methods,
      networks,
    })),
    detail: words(policy, person, { certain, by_group }),
  }
}

const shown = (domain: string, { username, groups, disabled }: DirectoryUser) => ({
  domain,
  username,
  groups,
  disabled,
})

/** Rules that ask who somebody is send them to sign in first; as nobody they get what everybody gets. */
const asPerson = ({ username, groups }: DirectoryUser): Person =>
  username === null ? ANYBODY : { username, groups }

const asksForGroups = (rules: AccessRules, host: string): boolean =>
  rulesFor(rules.rules, host).some(({ subjects }) => subjects.flat().some((one) => one.startsWith('group:')))

function canOpen(policy: Policy, { username, disabled }: DirectoryUser, certain: boolean): boolean | null {
  if (policy === 'bypass') return certain ? true : null
  if (username === null || disabled) return false
  return certain ? policy !== 'deny' : null
}

/** What becomes of somebody who has not signed in. */
const SENT: Readonly<Record<Exclude<Policy, 'bypass'>, string>> = {
  deny: 'Refused, or sent to sign in.',
  one_factor: 'Sent to sign in.',
  two_factor: 'Sent to sign in, with two factors.',
}

function words(
  policy: Policy,
  { username, disabled }: DirectoryUser,
  { certain, by_group }: { readonly certain: boolean; readonly by_group: boolean },
): string {
  if (!certain) return 'A rule may or may not be for this host; the most open answer is shown.'
  if (policy === 'bypass') return 'Nobody has to sign in.'
  if (username === null) return SENT[policy]
  if (disabled) return 'The user is disabled.'
  if (by_group) return 'Some rules ask for groups, and the groups are not known.'
  if (policy === 'deny') return 'Refused.'
  return policy === 'two_factor' ? 'Opens after signing in with two factors.' : 'Opens after signing in.'
}
