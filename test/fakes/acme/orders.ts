/** The scripted authority's books: accounts, orders, authorisations and certificates, and what it answers from them. */
import { randomBytes } from 'node:crypto'
import type { Issuer } from './issuer.ts'
import { type PlainAnswer, problem, type Resource, URN } from './misconduct.ts'
import { type Account, bindingFault, type Checked } from './signed-request.ts'

/** Fields that a test may change at any time. */
export interface AuthorityWays {
  /** What comes of an answered challenge: `pending` for ever, or at once one of the others. */
  verdict: 'valid' | 'invalid' | 'pending'
  /** The problem of an invalid challenge. */
  reason: { type: string; detail: string }
  /** Keys for external accounts by id; with any, one is wanted. */
  external_accounts: Record<string, string>
  /** In place of what was ordered. */
  issue_for: readonly string[] | null
  days: number
  /** Renewal information (RFC 9773); null for an authority without. */
  renewal: { start: string; end: string; retry_after?: string; explanation?: string } | null
  /** Domain names by which CAA records allow it; null where it tells none. */
  caa_identities: readonly unknown[] | null
  /** How `replaces` is refused; null where it is taken. */
  refuse_replaces: PlainAnswer | null
}

interface Order {
  readonly names: readonly string[]
  readonly authorizations: readonly string[]
  readonly replaces: string | null
  status: 'pending' | 'ready' | 'valid' | 'invalid'
  chain: string
}

interface Authorization {
  readonly name: string
  readonly token: string
  status: 'pending' | 'valid' | 'invalid'
}

export class Orders {
  readonly ways: AuthorityWays = {
    verdict: 'valid',
    reason: { type: 'unauthorized', detail: 'the TXT record says something else' },
    external_accounts: {},
    issue_for: null,
    days: 60,
    renewal: null,
    caa_identities: null,
    refuse_replaces: null,
  }
  readonly #origin: string
  readonly #issuer: Issuer
  readonly #accounts = new Map<string, Account>()
  readonly #orders = new Map<string, Order>()
  readonly #authorizations = new Map<string, Authorization>()

  constructor(origin: string, issuer: Issuer) {
    this.#origin = origin
    this.#issuer = issuer
  }

  directory(): PlainAnswer {
    const at = (resource: Resource) => `${this.#origin}/${resource}`
    return {
      status: 200,
      body: {
        newNonce: at('new-nonce'),
        newAccount: at('new-account'),
        newOrder: at('new-order'),
        ...(this.ways.caa_identities === null ? {} : { meta: { caaIdentities: this.ways.caa_identities } }),
        ...(this.ways.renewal === null ? {} : { renewalInfo: at('renewal-info') }),
      },
    }
  }

  account(url: string): Account | null {
    return [...this.#accounts.values()].find((account) => account.url === url) ?? null
  }

  renewalInfo(id: string): PlainAnswer {
    const { renewal } = this.ways
    if (renewal === null || !/^[\w-]+\.[\w-]+$/.test(id))
      return problem('malformed', 'no such certificate', { status: 404 })
    const { start, end, explanation, retry_after } = renewal
    return {
      status: 200,
      headers: retry_after === undefined ? {} : { 'retry-after': retry_after },
      body: { suggestedWindow: { start, end }, ...(explanation ? { explanationURL: explanation } : {}) },
    }
  }

  async answer(resource: Resource, id: string, asked: Checked & { url: string }): Promise<PlainAnswer> {
    const { payload } = asked
    if (resource === 'new-account') return this.#newAccount(asked)
    if (resource === 'new-order') return this.#newOrder(payload ?? {})
    const authorization = this.#authorizations.get(id)
    if (resource === 'authorization' && authorization) return this.#shownAuthorization(id, authorization)
    if (resource === 'challenge' && authorization) return this.#challenge(id, authorization, payload)
    const order = this.#orders.get(id)
    if (order === undefined) return problem('malformed', 'no such thing', { status: 404 })
    if (resource === 'finalize') return this.#finalize(id, order, payload ?? {})
    if (resource === 'certificate' && order.status === 'valid')
      return {
        status: 200,
        headers: { 'content-type': 'application/pem-certificate-chain' },
        body: order.chain,
      }
    return this.#shownOrder(id, order)
  }

  #newAccount({ payload, jwk, url }: Checked & { url: string }): PlainAnswer {
    const key = JSON.stringify(jwk)
    const known = this.#accounts.get(key)
    if (known === undefined) {
      const keys = this.ways.external_accounts
      const wanted = Object.keys(keys).length > 0
      const binding = payload?.['externalAccountBinding']
      if (wanted && binding === undefined)
        return problem('externalAccountRequired', 'an external account is needed')
      const fault = wanted ? bindingFault(binding, { url, jwk, keys }) : null
      if (fault !== null) return problem('unauthorized', fault)
      if (payload?.['termsOfServiceAgreed'] !== true)
        return problem('userActionRequired', 'agree to the terms')
    }
    const account = known ?? { url: `${this.#origin}/account/${this.#accounts.size + 1}`, jwk }
    this.#accounts.set(key, account)
    return { status: known ? 200 : 201, headers: { location: account.url }, body: { status: 'valid' } }
  }

  #newOrder(payload: Readonly<Record<string, unknown>>): PlainAnswer {
    const replaces = (payload['replaces'] as string | undefined) ?? null
    if (replaces !== null && this.ways.refuse_replaces !== null) return this.ways.refuse_replaces
    const names = (payload['identifiers'] as { value: string }[]).map(({ value }) => value)
    const authorizations = names.map((name) => {
      const id = randomBytes(8).toString('hex')
      this.#authorizations.set(id, { name, token: randomBytes(16).toString('base64url'), status: 'pending' })
      return id
    })
    const id = randomBytes(8).toString('hex')
    const order: Order = { names, authorizations, replaces, status: 'pending', chain: '' }
    this.#orders.set(id, order)
    return this.#shownOrder(id, order, 201)
  }

  #shownOrder(id: string, order: Order, status = 200): PlainAnswer {
    const states = order.authorizations.map((one) => this.#authorizations.get(one)!.status)
    if (states.includes('invalid')) order.status = 'invalid'
    else if (order.status === 'pending' && states.every((one) => one === 'valid')) order.status = 'ready'
    const { type, detail } = this.ways.reason
    return {
      status,
      headers: { location: `${this.#origin}/order/${id}` },
      body: {
        status: order.status,
        expires: '2038-01-01T00:00:00Z',
        identifiers: order.names.map((value) => ({ type: 'dns', value })),
        authorizations: order.authorizations.map((one) => `${this.#origin}/authorization/${one}`),
        finalize: `${this.#origin}/finalize/${id}`,
        ...(order.replaces === null ? {} : { replaces: order.replaces }),
        ...(order.status === 'valid' ? { certificate: `${this.#origin}/certificate/${id}` } : {}),
        ...(order.status === 'invalid' ? { error: { type: `${URN}${type}`, detail } } : {}),
      },
    }
  }

  #shownAuthorization(id: string, authorization: Authorization): PlainAnswer {
    const wildcard = authorization.name.startsWith('*.')
    return {
      status: 200,
      body: {
        status: authorization.status,
        identifier: { type: 'dns', value: authorization.name.replace(/^\*\./, '') },
        ...(wildcard ? { wildcard } : {}),
        challenges: [this.#shownChallenge(id, authorization)],
      },
    }
  }

  #shownChallenge(id: string, { status, token }: Authorization) {
    const { type, detail } = this.ways.reason
    const error = status === 'invalid' ? { error: { type: `${URN}${type}`, detail } } : {}
    return { type: 'dns-01', url: `${this.#origin}/challenge/${id}`, status, token, ...error }
  }

  #challenge(id: string, authorization: Authorization, payload: Checked['payload']): PlainAnswer {
    if (payload !== null && authorization.status !== 'pending')
      return problem('malformed', 'the challenge is not pending', { status: 400 })
    if (payload !== null) authorization.status = this.ways.verdict
    return { status: 200, body: this.#shownChallenge(id, authorization) }
  }

  async #finalize(
    id: string,
    order: Order,
    { csr = '' }: Readonly<Record<string, unknown>>,
  ): Promise<PlainAnswer> {
    if (order.status !== 'ready') return problem('orderNotReady', `the order is ${order.status}`)
    const request = Buffer.from(String(csr), 'base64url')
    const asked = await this.#issuer.namesIn(request).catch(() => null)
    if (asked?.join() !== order.names.toSorted().join())
      return problem('badCSR', 'the request is not for what was ordered', { status: 400 })
    order.chain = await this.#issuer.issue(request, this.ways.issue_for ?? order.names, this.ways.days)
    order.status = 'valid'
    return this.#shownOrder(id, order)
  }
}
