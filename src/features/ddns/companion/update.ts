/** `POST /update`: an address that is given is a report; without one the sources are read. Then DNS is brought to it. */
import { isOfCdn } from '../../../model/network/cdn.ts'
import { type ComponentResult, planned } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Plan } from '../../../model/plan.ts'
import { Failure, fieldError, invalid } from '../../../kernel/failure.ts'
import { requestOf } from '../../../model/actor.ts'
import { isoTime } from '../../../kernel/clock.ts'
import {
  type GivenAddress,
  hostFor,
  reportedAddresses,
  takeAddresses,
  type TakenAddress,
  type UpdateAnswer as TakenReport,
} from '../addresses/update-address.ts'
import type { Ddns } from '../ddns.ts'
import type { AddressSources } from './sources.ts'
import { planUpdate } from './plan-update.ts'
import type { PlannedUpdate, UpdatedHost, UpdateAnswer } from '../views.ts'

export interface UpdateWish {
  readonly host: string | null
  readonly given: readonly GivenAddress[]
}

export interface UpdateParts {
  readonly ddns: Ddns
  readonly sources: AddressSources
  /** Looks at DNS now and brings it to what is released. Throws what keeps it from that. */
  readonly publish: (caller: Caller) => Promise<readonly ComponentResult[]>
  /** What `publish` would do now. */
  readonly plan: (caller: Caller) => Promise<Plan>
}

/** Throws `validation_failed`, `not_found` or `ddns_disabled` for a name or a report that cannot be taken. */
export async function forceUpdate(
  parts: UpdateParts,
  wish: UpdateWish,
  caller: Caller,
): Promise<UpdateAnswer | PlannedUpdate> {
  const { dry_run } = caller
  const taken =
    wish.given.length > 0 ? await takeGiven(parts, wish, caller) : await readSources(parts, wish, caller)
  const published = dry_run ? [] : await publish(parts, caller)
  const failed = [...taken.failed, ...published]
  const outcome = outcomesOf(taken.answers)
  const message = `${messageOf(outcome)}${dry_run ? ' Nothing was done: it was a dry run.' : ' Looked at DNS.'}`
  const { warnings } = taken
  const answer = { success: failed.length === 0, message, ...outcome, failed, warnings }
  if (!dry_run) return { dry_run, ...answer }
  return { ...planned(planUpdate(await parts.plan(caller), taken.answers, parts.ddns)), ...answer }
}

interface Taken extends Pick<UpdateAnswer, 'failed' | 'warnings'> {
  readonly answers: readonly TakenReport[]
}

type Outcomes = Pick<UpdateAnswer, 'changed' | 'unchanged' | 'waiting'>

function outcomesOf(answers: readonly TakenReport[]): Outcomes {
  const of = (outcome: TakenAddress['outcome']) =>
    answers.flatMap(({ host, addresses, because, due_at }) => {
      const here = addresses.filter((one) => one.outcome === outcome).map(({ address }) => address)
      return here.length === 0 ? [] : [{ shown: { host, addresses: here, because }, due_at }]
    })
  const now = (outcome: 'changed' | 'unchanged') => of(outcome).map(({ shown }) => shown)
  const waiting = of('waiting').map(({ shown, due_at }) => ({ ...shown, due_at: isoTime(due_at ?? 0) }))
  return { changed: now('changed'), unchanged: now('unchanged'), waiting }
}

function messageOf({ changed, waiting }: Outcomes): string {
  const named = (all: readonly UpdatedHost[]) => all.map(({ host }) => host).join(', ')
  const parts = [
    ...(changed.length > 0 ? [`${named(changed)}: a new address.`] : []),
    ...waiting.map(
      ({ host, addresses, due_at }) => `${host}: ${addresses.join(', ')} waits until ${due_at}.`,
    ),
  ]
  return parts.length === 0 ? 'Nothing changed.' : parts.join(' ')
}

async function takeGiven({ ddns }: UpdateParts, { host, given }: UpdateWish, caller: Caller): Promise<Taken> {
  const name = host ?? ddns.hub_host
  if (name === null)
    throw invalid([fieldError(['body', 'host'], 'is needed: PLUMBLINE_HUB_HOST names no other', 'missing')])
  const holder = { kind: 'api_key', name: caller.actor.name } as const
  const named = await hostFor(ddns, holder, name, ['body', 'host'])
  caller.subjects?.add(named.host)
  for (const one of given)
    if (isOfCdn(one.value) && !ddns.private_too(one.value))
      throw invalid([
        fieldError(
          ['body', one.name],
          'must be an address of the gateway itself: this is one of a CDN',
          'not_public',
        ),
      ])
  const from = { given, place: 'body', client: '', client_is_vouched: false } as const
  const addresses = reportedAddresses(ddns, from)
  const request = requestOf(caller.actor)
  const { dry_run } = caller
  const answer = await takeAddresses(ddns, holder, { ...named, addresses, request, dry_run })
  return { answers: [answer], failed: [], warnings: [] }
}

async function readSources(
  { ddns, sources }: UpdateParts,
  { host }: UpdateWish,
  { actor, signal, dry_run }: Caller,
): Promise<Taken> {
  const named =
    host === null
      ? null
      : (await hostFor(ddns, { kind: 'api_key', name: actor.name }, host, ['body', 'host'])).host
  const rounds = await sources.read({ host: named, signal, dry_run })
  return {
    answers: rounds.flatMap(({ taken }) => taken ?? []),
    failed: rounds.flatMap(({ name, error }) => (error === null ? [] : [{ name, error }])),
    warnings: rounds.length > 0 ? [] : [nothingRead(named)],
  }
}

const nothingRead = (host: string | null): string =>
  `No source is set${host === null ? '' : ` for ${host}`} (PLUMBLINE_DDNS_SOURCES), so nothing was read: gateways report by themselves.`

/** What was taken is taken, whatever DNS says. */
async function publish({ publish: bring }: UpdateParts, caller: Caller): Promise<UpdateAnswer['failed']> {
  try {
    await bring(caller)
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [{ name: 'dns', error: error.message }]
  }
}
