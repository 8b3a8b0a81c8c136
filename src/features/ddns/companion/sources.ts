/**
 * Where addresses come from beside the reports of gateways: what a UniFi controller says of its uplinks, which is read
 * anyway. Nothing on the internet is asked for our address.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import { Failure } from '../../../kernel/failure.ts'
import { isOfCdn } from '../../../model/network/cdn.ts'
import { parsePublicAddress, type ReportableAddress } from '../../../model/network/public-address.ts'
import type { Ddns } from '../ddns.ts'
import type { AddressSource } from '../settings.ts'
import { hostFor, takeAddresses, type UpdateAnswer } from '../addresses/update-address.ts'

export interface SourceState {
  readonly name: string
  readonly host: string
  readonly addresses: readonly string[]
  readonly at: Instant | null
  /** Why it says nothing, or nothing that can be used; null where all is well. */
  readonly error: string | null
}

/** What one round made of one source. */
export interface SourceRound extends SourceState {
  /** Null where nothing was taken. */
  readonly taken: UpdateAnswer | null
}

/** What a controller says of the uplinks of its sites. */
export interface Uplinks {
  /** As the setting calls it. */
  readonly name: string
  /** It is asked where its last answer is too old. */
  get(): Promise<
    | { readonly known: true; readonly state: { readonly sites: readonly UplinksOfSite[] } }
    | { readonly known: false; readonly detail: string }
  >
}

interface UplinksOfSite {
  readonly site: string
  /** Null where they could not be read. */
  readonly wan: readonly { readonly address: string | null; readonly status: string }[] | null
  /** Why a part of it is not there. */
  readonly missing: readonly string[]
}

interface SourceRead {
  /** Null: of all. */
  readonly host: string | null
  readonly signal: AbortSignal
  /** Says what would be taken, and takes nothing. */
  readonly dry_run?: boolean
}

const EVERY_MS: Milliseconds = 60_000

interface SourcesParts {
  readonly settings: readonly AddressSource[]
  readonly controllers: readonly Uplinks[]
  readonly ddns: Ddns
  readonly clock: Clock
}

export class AddressSources {
  readonly #parts: SourcesParts
  readonly #states = new Map<string, SourceState>()
  readonly #loop: Loop

  constructor(parts: SourcesParts) {
    this.#parts = parts
    this.#loop = new Loop({
      clock: parts.clock,
      round: async (signal) => {
        await this.read({ host: null, signal })
        return EVERY_MS
      },
      failed: () => EVERY_MS,
    })
  }

  start(): void {
    if (this.#parts.settings.length > 0) this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** As each was read last, in the order of the setting. */
  get states(): readonly SourceState[] {
    return this.#parts.settings.map(
      ({ name, host }) => this.#states.get(name) ?? { name, host, addresses: [], at: null, error: null },
    )
  }

  /** Reads those of a name, or all, and takes what they say as a report. Throws only the signal's reason. */
  async read({ host, signal, dry_run = false }: SourceRead): Promise<readonly SourceRound[]> {
    const asked = this.#parts.settings.filter((one) => host === null || one.host === host)
    const rounds: SourceRound[] = []
    for (const setting of asked) rounds.push(await this.#readOne(setting, { signal, dry_run }))
    return rounds
  }

  async #readOne(
    setting: AddressSource,
    { signal, dry_run }: Required<Omit<SourceRead, 'host'>>,
  ): Promise<SourceRound> {
    const { name, host } = setting
    const at = this.#parts.clock.now()
    const known = this.#states.get(name)
    const keep = (state: SourceState, taken: UpdateAnswer | null): SourceRound => {
      this.#states.set(name, state)
      return { ...state, taken }
    }
    try {
      const addresses = await this.#addressesOf(setting, signal)
      const taken = await this.#take(setting, { addresses, dry_run })
      return keep({ name, host, addresses: addresses.map(({ address }) => address), at, error: null }, taken)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (!(error instanceof Failure)) throw error
      // What it said before stays published: silence is no address.
      return keep({ name, host, addresses: known?.addresses ?? [], at, error: error.message }, null)
    }
  }

  /** Throws `component_unavailable` where the controller says nothing that can be published. */
  async #addressesOf(
    { controller, site, name }: AddressSource,
    signal: AbortSignal,
  ): Promise<readonly ReportableAddress[]> {
    const { controllers, ddns } = this.#parts
    const source = controllers.find((one) => one.name === controller)
    if (source === undefined) throw unusable(name, `PLUMBLINE_UNIFI_URL names no controller "${controller}"`)
    const look = await untilAborted(source.get(), signal)
    if (!look.known) throw unusable(name, look.detail.replace(/\.$/, ''))
    const found = look.state.sites.find((one) => one.site === site)
    if (found === undefined) throw unusable(name, `the controller has no site "${site}"`)
    if (found.wan === null) throw unusable(name, found.missing.join('; '))
    const said = found.wan.flatMap(({ address, status }) =>
      address !== null && status !== 'error' ? [address] : [],
    )
    const parsed = said.map((address) => parsePublicAddress(address, { private_too: ddns.private_too }))
    const usable = parsed
      .flatMap((one) => (one.ok ? [one.value] : []))
      .filter(({ address }) => !isOfCdn(address) || ddns.private_too(address))
    // The first uplink that has one stands for each family.
    const first = (['A', 'AAAA'] as const).flatMap((type) => usable.find((one) => one.type === type) ?? [])
    if (first.length > 0) return first
    const why =
      said.length === 0 ? 'no uplink has an address' : `${said.join(', ')} is no public address of a gateway`
    throw unusable(name, why)
  }

  /** Throws as a report of a gateway would. */
  async #take(
    { host, name }: AddressSource,
    wish: { readonly addresses: readonly ReportableAddress[]; readonly dry_run: boolean },
  ): Promise<UpdateAnswer> {
    const { ddns } = this.#parts
    const holder = { kind: 'api_key', name } as const
    const named = await hostFor(ddns, holder, host)
    const request = { request_id: '' }
    return takeAddresses(ddns, holder, { ...named, ...wish, request })
  }
}

const unusable = (name: string, why: string): Failure =>
  new Failure('component_unavailable', `${name}: ${why}.`)
