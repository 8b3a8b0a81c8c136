/** How far the plumb hangs from true, and whether anybody outside notices. */
import type { Act, ControlPlaneHealth, HealthComponent } from '../api/types.ts'
import type { AgedHealth } from './aged.ts'
import { lampOfHealth, needsSomebody, type Lamp, WAITING, weightOf } from './lamps.ts'
import { followsHands, nameOf, rowsThatFollow } from './text/follows.ts'
import { capital, causeTitle, componentWords, count, listed } from './words.ts'

export interface PlumbState {
  /** 0 hangs true; 3 stands for three and more. */
  readonly marks: 0 | 1 | 2 | 3
  readonly stale: boolean
  readonly label: string
}

export function plumbOf({ components }: Pick<ControlPlaneHealth, 'components'>): PlumbState {
  const configured = components.filter(({ configured: on }) => on)
  const off = configured.filter((row) => needsSomebody(lampOfHealth(row))).length
  const marks = Math.min(off, 3) as PlumbState['marks']
  const stale =
    configured.length > 0 && configured.filter(({ kind }) => kind === 'kept').every((row) => row.stale)
  return {
    marks,
    stale,
    label:
      off === 0
        ? 'All hangs true'
        : `${count(off, 'thing')} of ${configured.length} ${off === 1 ? 'is' : 'are'} out of plumb`,
  }
}

/** The worst of what people outside notice, from the causes that the API names. */
const OUTSIDE = new Map<string, string>([
  ['route_open', 'A protected route answers without a sign-in.'],
  ['open_route', 'A protected route answers without a sign-in.'],
  ['answers_without_sign_in', 'A protected route answers without a sign-in.'],
  ['expired', 'A certificate has expired.'],
  ['not_loaded', 'The proxy does not run what was written.'],
  ['lost', 'Something that was released is gone.'],
])

/** Who refuses is another one in each world. */
const REFUSED = new Map<string, string>([
  ['routes', 'The proxy refuses a route.'],
  ['certificates', 'A certificate could not be obtained.'],
  ['dns', 'The provider of DNS refuses a record.'],
])

const causesOf = ({ cause, causes }: HealthComponent): readonly string[] => [
  cause ?? '',
  ...Object.keys(causes),
]

/** Who gets in, and where names lead: a hand there is noticed, or is worse unnoticed. */
const OPEN_TO_HANDS = new Map<string, string>([
  ['sso', 'Somebody changed by hand who has to sign in.'],
  ['people', 'Somebody changed by hand who may sign in.'],
  ['routes', 'Somebody changed by hand where names lead.'],
  ['dns', 'Somebody changed by hand where names lead.'],
])

const handOf = ({ component, cause, causes }: HealthComponent): string | undefined =>
  cause === 'edited' || (causes['edited'] ?? 0) > 0 ? OPEN_TO_HANDS.get(component) : undefined

export function outsideSentence({ components }: Pick<ControlPlaneHealth, 'components'>): string {
  const causes = new Set(components.flatMap(causesOf))
  const worst = [...OUTSIDE].find(([cause]) => causes.has(cause))
  if (worst !== undefined) return worst[1]
  const refused = components.filter((row) => causesOf(row).includes('rejected'))
  const by = [...REFUSED].find(([name]) => refused.some(({ component }) => component === name))
  if (by !== undefined) return by[1]
  const touched = [...OPEN_TO_HANDS.values()].find((text) => components.some((row) => handOf(row) === text))
  if (touched !== undefined) return touched
  const unknown = components.filter((row) => row.configured && lampOfHealth(row) === 'unknown')
  return unknown.length > 0
    ? 'What could not be found out may be noticed outside.'
    : 'Nothing is known that people outside would notice.'
}

/** So many things are named in a headline; a list below it has them all. */
const NAMED = 2

type Summarized = Pick<AgedHealth, 'things' | 'wrong' | 'components' | 'aged'>

/** What was not seen again in time comes before all that was told of it. */
export function headlineText({ aged = 0, ...health }: Summarized): string {
  const text = sumsText(health)
  return aged === 0 ? text : `${count(aged, 'thing')} not seen again in time. Before: ${text}`
}

/** The first of what is not as it should be, in the words of a person; what follows from another thing is only counted. */
function sumsText({ things: { right, all }, wrong, components }: Omit<Summarized, 'aged'>): string {
  if (wrong.length === 0) return `All ${all} things are as they should be.`
  const head = `${right} of ${all} things are as they should be`
  const following = rowsThatFollow(components)
  const own = components
    .filter((row) => row.configured && needsSomebody(lampOfHealth(row)) && !following.has(row.name))
    .toSorted((a, b) => weightOf(lampOfHealth(b)) - weightOf(lampOfHealth(a)))
  if (following.size === 0 || own.length === 0) return `${head}; ${namedText(wrong)}.`
  const named = namedText(own.map(({ name, cause, reason }) => ({ name, cause: cause ?? reason })))
  return `${head}; ${named}; ${count(following.size, 'thing')} more ${following.size === 1 ? 'follows' : 'follow'} from ${own.length === 1 ? 'it' : 'them'}.`
}

function namedText(all: Summarized['wrong']): string {
  const shown = all.slice(0, NAMED).map(partText).join(', ')
  return all.length > NAMED ? `${shown} and ${all.length - NAMED} more` : shown
}

function partText({ name, cause }: Summarized['wrong'][number]): string {
  const { title, detail } = componentWords(name)
  return `${[title, detail].filter(Boolean).join(' ')}: ${causeTitle(cause).toLowerCase()}`
}

export interface Need {
  readonly id: string
  readonly lamp: Lamp
  readonly title: string
  readonly text: string
  readonly domains: readonly string[]
  readonly component: string
  readonly acts: readonly Act[]
}

interface OpenAlert {
  readonly id: string
  readonly severity: string
  readonly component: string
  readonly key: string
  readonly domains: readonly string[]
  readonly message: string
  readonly remedy: string
  readonly acts: readonly Act[]
}

const SEVERITY = new Map<string, number>([
  ['critical', 0],
  ['urgent', 1],
  ['warning', 2],
  ['notice', 3],
])

/** What needs somebody, the most severe first; a component that an open alert names already is not said twice. */
export function needsOf(open: readonly OpenAlert[], components: readonly HealthComponent[]): readonly Need[] {
  const severity = (one: OpenAlert) => SEVERITY.get(one.severity) ?? 2
  const follows = followsHands(components)
  const alerts = onePerCause(
    open.toSorted((a, b) => severity(a) - severity(b)),
    (one) => follows(one.component, { item: '', cause: '', domains: one.domains }),
  ).map(({ first, from, others }): Need => {
    const same = others.flatMap(({ domains }) => domains)
    const cure = from === null ? first.remedy : followsText(from, same)
    const source = components.find(({ component }) => from !== null && nameOf(component) === from)
    return {
      id: first.id,
      lamp: severity(first) < 2 ? 'bad' : 'drift',
      title: withoutAdvice(first.message),
      text: cure,
      domains: [...first.domains, ...same],
      component: source?.name ?? first.component,
      acts: source?.acts ?? first.acts,
    }
  })
  const named = new Set(open.flatMap(({ component, key }) => [component, key]))
  const following = rowsThatFollow(components)
  const own = components.filter(
    (row) =>
      needsSomebody(lampOfHealth(row)) &&
      !named.has(row.name) &&
      !named.has(row.component) &&
      !following.has(row.name),
  )
  const unseen = own.filter(isOnlyUnseen)
  const rows = own
    .filter((row) => unseen.length < 2 || !isOnlyUnseen(row))
    .map((row): Need => ({
      id: row.name,
      lamp: lampOfHealth(row),
      title: '',
      text: textOf(row),
      domains: domainsOf(row),
      component: row.name,
      acts: row.acts,
    }))
  return [...alerts, ...rows, ...(unseen.length < 2 ? [] : [unseenNeed(unseen)])]
}

interface Alike {
  readonly first: OpenAlert
  /** The world that was edited by hand, of which they come; null for one of its own. */
  readonly from: string | null
  readonly others: readonly OpenAlert[]
}

/** What comes of one hand edit is one line. */
function onePerCause(
  alerts: readonly OpenAlert[],
  sourceOf: (one: OpenAlert) => string | null,
): readonly Alike[] {
  const groups = Map.groupBy(alerts, (one) => {
    const from = sourceOf(one)
    return from === null ? one.id : `${from} ${one.component} ${one.severity}`
  })
  return [...groups.values()].map(([first, ...others]) => ({
    first: first!,
    from: sourceOf(first!),
    others,
  }))
}

/** What such an alert says to do about it would leave the hand edit standing. */
function followsText(from: string, same: readonly string[]): string {
  const also = same.length === 0 ? '' : `The same is so of ${listed(same, LISTED)}. `
  return `${also}It follows from a hand edit: put ${componentWords(from).title} back first, then it is looked at again.`
}

/** What can be done stands below it. */
export const withoutAdvice = (message: string): string => message.replace(/ Deactivate it, or see .*$/, '')

/** It was well, and has not been looked at since. */
const isOnlyUnseen = ({ stale, ok, drift }: HealthComponent): boolean => stale && ok && drift === false

/** What has one cause is one line: nobody has looked. */
const unseenNeed = (rows: readonly HealthComponent[]): Need => ({
  id: 'unseen',
  lamp: 'unknown',
  title: `${capital(count(rows.length, 'thing'))} to be looked at again`,
  text: `${listed([...new Set(rows.map(({ name }) => componentWords(name).title))], 5)}: as they should be when they were seen last.`,
  domains: [],
  component: '',
  acts: [LOOK_NOW],
})

const LOOK_NOW: Act = {
  id: 'look',
  label: 'Look now',
  method: 'GET',
  path: '/api/control-plane/health?probe=true',
  body: null,
  confirm: 'none',
  why_not: null,
}

const domainsOf = ({ differences }: HealthComponent): readonly string[] => [
  ...new Set(differences.flatMap(({ domains }) => domains)),
]

const LISTED = 3

/** Which domains, and why: where the part says no more than that some of them differ. */
export function textOf({ message, kind, reason, of_some, differences }: HealthComponent): string {
  const drifting = differences.filter(({ cause }) => !WAITING.has(cause))
  const says_more = kind !== 'kept' || (reason !== 'drifting' && of_some !== true)
  if (drifting.length === 0 || says_more) return message
  const lines = drifting.map(({ domains, item, cause }) => {
    const title = causeTitle(cause)
    // A path says no more than the name of the part above it.
    const name = domains.length > 0 ? domains.join(', ') : item.startsWith('/') ? '' : item
    return name === '' ? title : `${name}: ${title.toLowerCase()}`
  })
  const rest = new Set(lines).size - LISTED
  return `${[...new Set(lines)].slice(0, LISTED).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}
