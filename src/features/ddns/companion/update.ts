/** `POST /update`: an address that is given is a report; without one the sources are read. Then DNS is brought to it. */
import type { ComponentResult } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import { Failure, fieldError, invalid } from '../../../kernel/failure.ts'
import { requestOf } from '../../../model/actor.ts'
import { type GivenAddress, hostFor, reportedAddresses, takeAddresses } from '../addresses/update-address.ts'
import type { Ddns } from '../ddns.ts'
import type { AddressSources } from './sources.ts'

export interface UpdateWish {
  readonly host: string | null
  readonly given: readonly GivenAddress[]
}

export interface UpdateParts {
  readonly ddns: Ddns
  readonly sources: AddressSources
  /** Looks at DNS now and brings it to what is released. Throws what keeps it from that. */
  readonly publish: (caller: Caller) => Promise<readonly ComponentResult[]>
}

interface UpdatedHost {
  readonly host: string
  readonly addresses: readonly string[]
}

export interface UpdateAnswer {
  /** Every source could be read, and DNS is what it should be. */
  readonly success: boolean
  readonly message: string
  readonly changed: readonly UpdatedHost[]
  readonly unchanged: readonly UpdatedHost[]
  readonly failed: readonly { readonly name: string; readonly error: string }[]
  readonly warnings: readonly string[]
}

/** Throws `validation_failed`, `not_found` or `ddns_disabled` for a report that cannot be taken. */
export async function forceUpdate(
  parts: UpdateParts,
  wish: UpdateWish,
  caller: Caller,
): Promise<UpdateAnswer> {
  const taken =
    wish.given.length > 0 ? await takeGiven(parts, wish, caller) : await readSources(parts, wish, caller)
  const published = await publish(parts, caller)
  const failed = [...taken.failed, ...published]
  const { changed, unchanged } = taken
  const message =
    changed.length > 0
      ? `Took a new address for ${changed.map(({ host }) => host).join(', ')}, and looked at DNS.`
      : 'Nothing changed. Looked at DNS.'
  const warnings =
    wish.given.length === 0 && parts.sources.states.length === 0
      ? ['No source is set (PLUMBLINE_DDNS_SOURCES), so nothing was read: gateways report by themselves.']
      : []
  return { success: failed.length === 0, message, changed, unchanged, failed, warnings }
}

type Taken = Pick<UpdateAnswer, 'changed' | 'unchanged' | 'failed'>

async function takeGiven({ ddns }: UpdateParts, { host, given }: UpdateWish, caller: Caller): Promise<Taken> {
  const name = host ?? ddns.hub_host
  if (name === null)
    throw invalid([fieldError(['body', 'host'], 'is needed: PLUMBLINE_HUB_HOST names no other', 'missing')])
  const holder = { kind: 'api_key', name: caller.actor.name } as const
  const named = await hostFor(ddns, holder, name)
  caller.subjects?.add(named.host)
  const addresses = reportedAddresses(ddns, { given, client: '', client_is_vouched: false })
  const request = requestOf(caller.actor)
  const { changed } = await takeAddresses(ddns, holder, { ...named, addresses, request })
  const one = [{ host: named.host, addresses: addresses.map(({ address }) => address) }]
  return { changed: changed ? one : [], unchanged: changed ? [] : one, failed: [] }
}

async function readSources({ sources }: UpdateParts, { host }: UpdateWish, caller: Caller): Promise<Taken> {
  const rounds = await sources.read(host, caller.signal)
  const good = rounds.filter(({ error }) => error === null)
  const shown = (all: typeof good) => all.map((one) => ({ host: one.host, addresses: one.addresses }))
  return {
    changed: shown(good.filter(({ changed }) => changed)),
    unchanged: shown(good.filter(({ changed }) => !changed)),
    failed: rounds.flatMap(({ name, error }) => (error === null ? [] : [{ name, error }])),
  }
}

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
