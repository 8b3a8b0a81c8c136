/**
 * An authority behind the port: strict in what RFC 8555 wants of a client, and with a setting for each thing that
 * authorities are known to do. It validates by what the fake DNS shows at that moment.
 */
import type { Clock } from '../../../../src/kernel/clock.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import type {
  Acme,
  AcmeAuthorization,
  AcmeOrder,
  RenewalWindow,
} from '../../../../src/features/certificates/acme/port.ts'
import type { ChallengeRecord } from '../../../../src/features/dns/challenges/port.ts'
import type { FakeDns } from './fake-dns.ts'
import { chainOf, type Paper, readRequest } from './paper.ts'

const DAY = 86_400_000

type Order = { -readonly [K in keyof AcmeOrder]: AcmeOrder[K] }

interface Authorization {
  readonly url: string
  readonly name: string
  readonly wildcard: boolean
  status: AcmeAuthorization['status']
  answered: boolean
  looks: number
}

export class FakeAuthority implements Acme {
  readonly directory: string
  readonly issued: (Paper & { readonly at: number })[] = []
  readonly failed: { readonly name: string; readonly at: number }[] = []
  readonly orders: (Order & { readonly replaces: string | null })[] = []
  /** Boulder answers a second request for the same names with the pending order; Pebble does not. */
  reuses_orders = true
  validates: 'by the records' | 'never' = 'by the records'
  issues: 'at once' | 'never' = 'at once'
  refuses_replaces = false
  life_ms = 90 * DAY
  order_life_ms = 7 * DAY
  offers_dns = true
  /** How it looks records up. */
  sees: (record: ChallengeRecord) => boolean
  /** Changes what is handed out. */
  spoil: (paper: Paper) => Paper = (paper) => paper
  window: RenewalWindow | null = null
  asked_for_window = 0
  readonly #authorizations = new Map<string, Authorization>()
  readonly #chains = new Map<string, string>()
  readonly #clock: Clock

  constructor(directory: string, parts: { readonly clock: Clock; readonly dns: FakeDns }) {
    this.directory = directory
    this.#clock = parts.clock
    this.sees = parts.dns.shows
  }

  async account(): Promise<{ url: string }> {
    return { url: `${this.directory}/account` }
  }

  async caaIdentities(): Promise<readonly string[]> {
    return ['ca.test']
  }

  async newOrder({ names, replaces }: Parameters<Acme['newOrder']>[0]): Promise<AcmeOrder> {
    if (replaces !== null && this.refuses_replaces) throw new Failure('conflict', 'It was replaced already.')
    const same = this.orders.find(
      (order) => order.names.join() === names.join() && this.#read(order).status === 'pending',
    )
    if (same !== undefined && this.reuses_orders) return this.#read(same)
    const url = `${this.directory}/order/${this.orders.length + 1}`
    const order: Order & { replaces: string | null } = {
      url,
      status: 'pending',
      names,
      expires_at: this.#clock.now() + this.order_life_ms,
      authorization_urls: names.map((name) => this.#authorize(`${url}/${name}`, name)),
      finalize_url: `${url}/finalize`,
      certificate_url: null,
      error: null,
      replaces,
    }
    this.orders.push(order)
    return this.#read(order)
  }

  #authorize(url: string, name: string): string {
    const wildcard = name.startsWith('*.')
    const bare = wildcard ? name.slice(2) : name
    this.#authorizations.set(url, {
      url,
      name: bare,
      wildcard,
      status: 'pending',
      answered: false,
      looks: 0,
    })
    return url
  }

  async order(url: string): Promise<AcmeOrder> {
    const order = this.orders.find((one) => one.url === url)
    if (order === undefined) throw refused('There is no such order.')
    const before = { ...this.#read(order) }
    // Who looks again finds that it went on.
    for (const one of order.authorization_urls) this.#validate(this.#authorizations.get(one)!)
    if (order.status === 'processing' && this.issues === 'at once') {
      order.status = 'valid'
      order.certificate_url = `${url}/certificate`
    }
    return before
  }

  #validate(authorization: Authorization): void {
    if (!authorization.answered || authorization.status !== 'pending' || this.validates === 'never') return
    if (++authorization.looks < 2) return
    const shown = this.sees(recordOf(authorization))
    authorization.status = shown ? 'valid' : 'invalid'
    if (!shown) this.failed.push({ name: authorization.name, at: this.#clock.now() })
  }

  #read(order: Order): AcmeOrder {
    const states = order.authorization_urls.map((url) => this.#authorizations.get(url)!.status)
    if (order.status === 'pending' && order.expires_at! <= this.#clock.now()) order.status = 'invalid'
    if (order.status === 'pending' && states.includes('invalid')) order.status = 'invalid'
    if (order.status === 'pending' && states.every((state) => state === 'valid')) order.status = 'ready'
    return { ...order }
  }

  async authorization(url: string): Promise<AcmeAuthorization> {
    const { answered, ...authorization } = this.#authorizations.get(url)!
    const { status, name, wildcard } = authorization
    const record = recordOf(authorization)
    const dns = {
      url: `${url}/challenge`,
      status: status === 'pending' && answered ? ('processing' as const) : statusOf(status),
      record_name: record.name,
      record_value: record.value,
      error: status === 'invalid' ? 'the TXT record says something else (unauthorized)' : null,
    }
    return { url, status, name, wildcard, dns: this.offers_dns ? dns : null }
  }

  async answer(challenge_url: string): Promise<void> {
    const authorization = this.#authorizations.get(challenge_url.replace(/\/challenge$/, ''))!
    if (authorization.answered) throw refused('The challenge was answered already.')
    authorization.answered = true
  }

  async finalize({ url }: AcmeOrder, csr: Uint8Array): Promise<AcmeOrder> {
    const order = this.orders.find((one) => one.url === url)!
    if (this.#read(order).status !== 'ready') throw new Failure('component_unavailable', 'It is not ready.')
    const { key, names } = readRequest(csr)
    if (names.join() !== order.names.join()) throw refused('The request is for other names.')
    const at = this.#clock.now()
    const serial = (this.issued.length + 0xa0).toString(16)
    const paper = { names, key, serial, not_before: at, not_after: at + this.life_ms }
    this.issued.push({ ...paper, at })
    this.#chains.set(url, chainOf(this.spoil(paper)))
    order.status = 'processing'
    return { ...order }
  }

  async certificate({ url }: AcmeOrder): Promise<string> {
    const chain = this.#chains.get(url)
    if (chain === undefined) throw refused('There is no certificate.')
    return chain
  }

  async renewalWindow(): Promise<RenewalWindow | null> {
    this.asked_for_window++
    return this.window
  }
}

const refused = (words: string): Failure =>
  new Failure('provider_refused', words, { facts: { problem: 'malformed' } })

/** A wildcard and its apex are proven by two values at one name. */
const recordOf = ({ name, wildcard, url }: Pick<Authorization, 'name' | 'wildcard' | 'url'>) => ({
  name: `_acme-challenge.${name}`,
  value: `${wildcard ? 'wild' : 'plain'}-${url}`,
})

const statusOf = (status: AcmeAuthorization['status']): 'pending' | 'valid' | 'invalid' =>
  status === 'valid' || status === 'pending' ? status : 'invalid'
