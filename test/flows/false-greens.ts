/**
 * One way to change something behind the daemon's back, and the hunt for it: is it in the endpoint of its own at once, and
 * on the health page in time, although nobody has asked anything else?
 */
import { expect } from 'vitest'
import type { HealthAnswer, PresentedComponent } from '../../src/features/health/read-health.ts'
import type { PassingClock } from './passing-clock.ts'
import type { TestHouse } from './test-house.ts'

const SECOND_MS = 1000
/** What stands in files. */
export const FILES_MS = 5 * SECOND_MS
/** What is asked for over the network, or counted in the database. */
export const ASKED_MS = 60 * SECOND_MS
/** What moves no serial. */
export const PAST_THE_SERIAL_MS = 630 * SECOND_MS

/** The house that it is done to. */
export interface Ground {
  readonly at: TestHouse
  readonly clock: PassingClock
  pass(ms: number): Promise<void>
}

export interface Way<World extends Ground = Ground> {
  readonly title: string
  /** On the health page; `rule:NAME` for a rule of the database. */
  readonly part: string
  /** Within which it is on the health page, on the house's clock. */
  readonly within_ms: number
  readonly own: OwnEndpoint
  readonly do: (world: World) => Promise<void> | void
  readonly undo: (world: World) => Promise<void> | void
  /** Left out, an unknown is a sight of it, too. */
  readonly must_drift?: boolean
  /** Why it is in the table and no part of the verdict. */
  readonly aside?: string
}

/** Where one asks about this part alone. */
export interface OwnEndpoint {
  readonly path: string
  readonly isClean: (body: never) => boolean
}

/** What became of one way. */
export interface Catch {
  readonly title: string
  readonly part: string
  readonly within_ms: number
  /** In its own endpoint at once. */
  readonly at_once: boolean
  readonly endpoint: string
  /** On the health page, on the house's clock since it was done; null for never. */
  readonly after_ms: number | null
  /** In the page's words. */
  readonly cause: string | null
  readonly aside: string | null
}

/** Real time to answer in, on a busy machine, after the house's own time is over. */
const GRACE_MS = 20_000
/** How often the page is asked while the time goes by that it has. */
const STEPS = 20
/** What goes by between two asks in that time. */
const TICK_MS = SECOND_MS / 4
const AN_HOUR_MS = 3_660_000
/** So long the callers of one listing share it. */
const SHARED_MS = 2 * SECOND_MS

/** Twice, because whoever asks the endpoint puts on the page what it has found. */
export async function hunt<World extends Ground>(world: World, way: Way<World>): Promise<Catch> {
  const { title, part, within_ms, own, aside = null } = way
  await settle(world, way)
  let at_once: boolean
  try {
    await world.pass(SHARED_MS)
    await way.do(world)
    at_once = !(await isCleanIn(world, own))
  } finally {
    await way.undo(world)
  }
  await settle(world, way)
  try {
    await way.do(world)
    const seen = await onThePage(world, way)
    const said = { after_ms: seen?.after_ms ?? null, cause: seen?.cause ?? null }
    return { title, part, within_ms, at_once, endpoint: own.path, ...said, aside }
  } finally {
    await way.undo(world)
  }
}

/** As `hunt`, where nothing can be undone: a house of its own for each of the two questions. */
export async function huntInNew<World extends Ground & AsyncDisposable>(
  open: () => Promise<World>,
  way: Way<World>,
): Promise<Catch> {
  const { title, part, within_ms, own, aside = null } = way
  let at_once: boolean
  {
    await using world = await open()
    await expect.poll(() => isCleanIn(world, own)).toBe(true)
    await way.do(world)
    at_once = !(await isCleanIn(world, own))
  }
  await using world = await open()
  await expect.poll(() => isWellOnThePage(world, part)).toBe(true)
  await way.do(world)
  const seen = await onThePage(world, way)
  const said = { after_ms: seen?.after_ms ?? null, cause: seen?.cause ?? null }
  return { title, part, within_ms, at_once, endpoint: own.path, ...said, aside }
}

/** The part is well again, on the page and in its endpoint, and the house only watches. */
async function settle<World extends Ground>(world: World, { part, own }: Way<World>): Promise<void> {
  if (await isWellSoon(world, part, own)) return
  // What was undone by hand may still need its loading, which only the reconciler does, asked by a person here. What is
  // put back three times within an hour is a fight, and shown for the rest of it.
  for (let tries = 0; tries < 3; tries++) {
    await world.pass(AN_HOUR_MS)
    const asked = await world.at.call('POST', '/api/reconcile', { body: {} })
    const ended = async () => (await world.at.call('GET', asked.headers.get('location')!)).body['state']
    await expect.poll(ended).toMatch(/succeeded|failed/)
    if (await isWellSoon(world, part, own)) return
  }
  expect.fail(`${part} is not well before it is changed`)
}

/** Every check is due again by then that has found something wrong. */
const ROUND_MS = 61 * SECOND_MS
const ASKS = 12

async function isWellSoon(world: Ground, part: string, own: OwnEndpoint): Promise<boolean> {
  for (let ask = 0; ask < ASKS; ask++) {
    if (ask % 4 === 1) await world.pass(ROUND_MS)
    if ((await isWellOnThePage(world, part)) && (await isCleanIn(world, own))) return true
    await pause()
  }
  return false
}

async function isWellOnThePage(world: Ground, part: string): Promise<boolean> {
  const { components, invariants } = await page(world)
  const rule = ruleOf(part)
  if (rule !== null) return invariants.some(({ name, holds }) => name === rule && holds === true)
  return components.some(({ name, ok, drift }) => name === part && ok && drift === false)
}

const page = async ({ at }: Ground, probe = false): Promise<HealthAnswer> => {
  const { status, body } = await at.call('GET', `/api/control-plane/health${probe ? '?probe=true' : ''}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as HealthAnswer
}

async function isCleanIn(world: Ground, { path, isClean }: OwnEndpoint): Promise<boolean> {
  const { status, body } = await world.at.call('GET', path)
  // An endpoint that cannot answer says so.
  return status === 200 && isClean(body as never)
}

/** Its cause where it is not as it should be; null where it is, or where nobody has looked. */
export function wrongOf(
  { components, invariants }: HealthAnswer,
  part: string,
  must_drift = false,
): string | null {
  const rule = ruleOf(part)
  if (rule !== null)
    return invariants.find(({ name }) => name === rule)?.holds === false ? 'does not hold' : null
  const found = components.find(({ name }) => name === part) ?? expect.fail(`no part ${part}`)
  return isWrong(found) && (!must_drift || found.drift === true) ? (found.cause ?? found.reason) : null
}

const ruleOf = (part: string): string | null => /^rule:(.*)$/.exec(part)?.[1] ?? null

/** A look that is too old says nothing, and is no sight of what was done. */
const isWrong = ({ configured, ok, drift, reason }: PresentedComponent): boolean =>
  configured && !(ok && drift === false) && reason !== 'stale' && reason !== 'never_looked'

interface Sight {
  readonly after_ms: number
  readonly cause: string
}

/** The house's time goes by in steps; then it has real time to answer, and its clock goes on as slowly as that. */
async function onThePage(
  world: Ground,
  { part, within_ms, must_drift }: Pick<Way, 'part' | 'within_ms' | 'must_drift'>,
): Promise<Sight | null> {
  const began_at = world.clock.now()
  const look = async (): Promise<Sight | null> => {
    const cause = wrongOf(await page(world), part, must_drift)
    return cause === null ? null : { after_ms: world.clock.now() - began_at, cause }
  }
  for (let step = 0; step < STEPS; step++) {
    const seen = await look()
    if (seen !== null) return seen
    await pause()
    await world.pass(within_ms / STEPS)
  }
  const until = performance.now() + GRACE_MS
  for (;;) {
    const seen = await look()
    if (seen !== null || performance.now() > until) return seen
    await pause()
    // A tick that was due at the very end comes a little later.
    await world.pass(TICK_MS)
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60))

/** In time, as far as a clock that also runs with the machine's own slowness can tell. */
export const isCaught = ({ at_once, after_ms }: Catch): boolean => at_once && after_ms !== null

/** For the note. */
export function tableOf(catches: readonly Catch[]): string {
  const lines = catches.map(({ title, part, within_ms, after_ms, at_once, endpoint, cause, aside }) => {
    const after = after_ms === null ? '**never**' : `${(after_ms / SECOND_MS).toFixed(1)} s`
    const soon = aside === null ? '' : ` (${aside})`
    return [
      title + soon,
      `\`${part}\``,
      cause ?? '',
      `${within_ms / SECOND_MS} s`,
      after,
      endpoint,
      at_once ? 'yes' : '**no**',
    ]
  })
  const head = ['Way', 'Part of the page', 'Cause', 'Within', 'Seen after', 'Its own endpoint', 'At once']
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
