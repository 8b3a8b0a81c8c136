/** How far the plumb hangs from true, and whether anybody outside notices. */
import type { Act, ControlPlaneHealth, HealthComponent } from '../api/types.ts'
import { lampOfHealth, needsSomebody, type Lamp } from './lamps.ts'
import { causeTitle, componentWords, count } from './words.ts'

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
  ['rejected', 'The proxy refuses a route.'],
  ['not_loaded', 'The proxy does not run what was written.'],
  ['lost', 'Something that was released is gone.'],
])

export function outsideSentence({ components }: Pick<ControlPlaneHealth, 'components'>): string {
  const causes = new Set(components.flatMap((row) => [row.cause ?? '', ...Object.keys(row.causes)]))
  const worst = [...OUTSIDE].find(([cause]) => causes.has(cause))
  if (worst !== undefined) return worst[1]
  const unknown = components.filter((row) => row.configured && lampOfHealth(row) === 'unknown')
  return unknown.length > 0
    ? 'What could not be found out may be noticed outside.'
    : 'Nothing is known that people outside would notice.'
}

/** The API names what differs by its component and cause; a person reads their words. */
export const summaryText = (summary: string): string =>
  summary.replace(
    /([;,] )([\w:.*-]+): ([a-z]+(?:_[a-z]+)*)/g,
    (_, before: string, name: string, cause: string) => {
      const { title, detail } = componentWords(name)
      return `${before}${[title, detail].filter(Boolean).join(' ')}: ${causeTitle(cause).toLowerCase()}`
    },
  )

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
  const alerts = open
    .toSorted((a, b) => severity(a) - severity(b))
    .map((one): Need => ({
      id: one.id,
      lamp: severity(one) < 2 ? 'bad' : 'drift',
      title: one.message,
      text: one.remedy,
      domains: one.domains,
      component: one.component,
      acts: one.acts,
    }))
  const named = new Set(open.flatMap(({ component, key }) => [component, key]))
  const rows = components
    .filter((row) => needsSomebody(lampOfHealth(row)) && !named.has(row.name) && !named.has(row.component))
    .map((row): Need => ({
      id: row.name,
      lamp: lampOfHealth(row),
      title: '',
      text: row.message,
      domains: domainsOf(row),
      component: row.name,
      acts: row.acts,
    }))
  return [...alerts, ...rows]
}

const domainsOf = ({ differences }: HealthComponent): readonly string[] => [
  ...new Set(differences.flatMap(({ domains }) => domains)),
]
