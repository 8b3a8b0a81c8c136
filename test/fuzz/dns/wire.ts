/** Between the adapter and its provider: lets some answers go wrong, and keeps what each request really changed. */
import type { OwnedRrset } from '../../../src/model/network/dns.ts'
import { breakAfter, type Scene } from '../../fakes/dns/faults.ts'
import type { Asked } from '../../fakes/dns/fake-server.ts'
import { misbehaviours, type Misbehaviour } from './misbehaviours.ts'
import type { Hosted, HostedKind } from './providers.ts'
import type { Random } from './random.ts'

/** A request after which something else stood at the provider. */
export interface Accepted {
  readonly request: string
  readonly before: ReadonlyMap<string, object>
  readonly after: ReadonlyMap<string, object>
  /** The ledger when the request came in. */
  readonly owned: readonly OwnedRrset[]
  /** The listing before it had gone wrong in a way that shows. */
  readonly on_broken_listing: boolean
}

interface Due {
  readonly name: string
  /** So many more requests go well. */
  wait: number
}

export interface WireOptions {
  readonly kind: HostedKind
  readonly hosted: Hosted
  readonly random: Random
  readonly ledger: () => Promise<readonly OwnedRrset[]>
  /** Called once for each misbehaviour that happened, with its name. */
  readonly happened: (name: string) => void
}

const HUNG_MS = 15

export class Wire {
  readonly #options: WireOptions
  readonly #kinds: Readonly<Record<string, Misbehaviour>>
  #due: Due[] = []
  #hung: () => void = () => undefined
  #accepted: Accepted[] = []
  #is_listing_broken = false
  /** What failed in here, which nobody else would see. */
  #broken: unknown = null

  constructor(options: WireOptions) {
    this.#options = options
    this.#kinds = misbehaviours(options.kind, options.random)
    options.hosted.fake.misbehave((scene) => void this.#serve(scene), { times: Infinity })
  }

  /** For the pass that comes: some of its answers go wrong. @param hung the deadline of whoever waits for an answer that never ends. */
  arm(count: number, hung: () => void): void {
    const { random } = this.#options
    const names = Object.keys(this.#kinds)
    this.#hung = hung
    this.#due = Array.from({ length: count }, () => ({
      name: names[random(names.length)]!,
      wait: random(5),
    }))
  }

  disarm(): void {
    this.#due = []
  }

  /** What was changed since the last time, in order. */
  taken(): readonly Accepted[] {
    if (this.#broken !== null) throw this.#broken
    return this.#accepted.splice(0)
  }

  async #serve(scene: Scene): Promise<void> {
    try {
      const { kind, ledger } = this.#options
      const owned = await ledger()
      const is_listing = kind.isListing(scene.asked)
      const name = this.#next(is_listing)
      if (is_listing) this.#noteListing(scene.asked, name)
      this.#give({ ...scene, answer: (asked) => this.#answered(scene, asked, owned) }, name)
    } catch (error) {
      this.#broken = error
      scene.response.destroy()
    }
  }

  #give(scene: Scene, name: string | null): void {
    if (name === null) return scene.send(scene.response, scene.answer(scene.asked))
    const { fault, hangs } = this.#kinds[name]!
    this.#options.happened(name)
    if (hangs === true) setTimeout(this.#hung, HUNG_MS)
    try {
      fault(scene)
    } catch {
      // An answer that is no page: a refusal, say.
      breakAfter(scene)
    }
  }

  #next(is_listing: boolean): string | null {
    const ready = this.#due.find(
      (due) => due.wait-- <= 0 && (is_listing || this.#kinds[due.name]!.of_listing !== true),
    )
    if (ready === undefined) return null
    this.#due = this.#due.filter((due) => due !== ready)
    return ready.name
  }

  /** A listing that begins anew makes good for the one before. */
  #noteListing({ query }: Asked, name: string | null): void {
    // A question about one name: nothing is deleted by what it answers.
    if (query.has('name.exact') || query.has('rrset_name')) return
    const is_first = (query.get('page') ?? '1') === '1' && (query.get('cursor') ?? '') === ''
    if (is_first) this.#is_listing_broken = false
    if (name !== null && this.#kinds[name]!.whole !== true) this.#is_listing_broken = true
  }

  #answered(scene: Scene, asked: Asked, owned: readonly OwnedRrset[]) {
    const { hosted } = this.#options
    const before = new Map(hosted.state())
    const answer = scene.answer(asked)
    const after = hosted.state()
    if (before.size !== after.size || [...after].some(([key, entry]) => before.get(key) !== entry))
      this.#accepted.push({
        request: `${asked.method} ${asked.path} ${asked.text}`,
        before,
        after: new Map(after),
        owned,
        on_broken_listing: this.#is_listing_broken,
      })
    return answer
  }
}
