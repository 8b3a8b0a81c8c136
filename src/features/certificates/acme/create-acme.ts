/** One account at one ACME authority (RFC 8555), each step by itself. The port tells the contract. */
import { X509Certificate } from 'node:crypto'
import type { Clock, Instant } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { HttpRequest } from '../../../ports/http-client.ts'
import { withinDeadline } from './deadline.ts'
import { httpsClient } from './https-client.ts'
import type { LibraryClient } from './library.ts'
import { CALL_MS } from './transport.ts'
import { requestPem } from './pem.ts'
import type { Acme, AcmeOrder, AcmeSettings } from './port.ts'
import { refusedReplacing } from './problem.ts'
import { httpsUrl, strange } from './read-json.ts'
import { readAuthorization, readChallengeStatus, readOrder, readWindow } from './read-order.ts'
import { Session } from './session.ts'

export interface AcmeOptions {
  readonly clock: Clock
  /** Called before every request that goes out. */
  readonly onRequest?: (request: Pick<HttpRequest, 'method' | 'url'>) => void
}

export interface AcmeClient extends Acme {
  /** Lets go of its connections. */
  close(): Promise<void>
}

/** Asks nothing yet. Throws a Failure (`bad_configuration`) for a directory, key or file of roots that cannot be used. */
export function createAcme(settings: AcmeSettings, options: AcmeOptions): AcmeClient {
  const { clock } = options
  const http = httpsClient({ clock, ca_file: settings.ca_file })
  return new Authority(new Session(settings, { ...options, http }), settings.directory, {
    clock,
    close: () => http.close(),
  })
}

/** What the library takes for an order, an authorisation or a challenge that is only to be read. */
type Readable = Parameters<LibraryClient['getOrder']>[0]

class Authority implements AcmeClient {
  readonly directory: string
  readonly close: () => Promise<void>
  readonly #session: Session
  readonly #clock: Clock

  constructor(session: Session, directory: string, rest: { clock: Clock; close: () => Promise<void> }) {
    this.#session = session
    this.directory = directory
    this.#clock = rest.clock
    this.close = rest.close
  }

  account(signal: AbortSignal): Promise<{ readonly url: string }> {
    return this.#within('open an account', signal, async (within) => ({
      url: await this.#session.account(within),
    }))
  }

  newOrder({ names, replaces }: Parameters<Acme['newOrder']>[0], signal: AbortSignal): Promise<AcmeOrder> {
    const doing = `order a certificate for ${names.join(', ')}`
    return this.#within(doing, signal, async (within) => {
      const { renewal_info } = await this.#session.directory(within)
      const named = renewal_info === null ? null : replaces
      const wish = {
        identifiers: names.map((value) => ({ type: 'dns', value })),
        ...(named === null ? {} : { replaces: named }),
      }
      const order = await this.#session
        .ask({ doing, signal: within }, (client) => client.createOrder(wish))
        .catch((error: unknown) => {
          throw named === null ? error : refusedReplacing(error)
        })
      return this.#newOrderIn(order, names)
    })
  }

  #newOrderIn(body: { readonly url?: string }, names: readonly string[]): AcmeOrder {
    const url = httpsUrl(body.url)
    if (url === null) throw strange(this.#session.host, 'no address of the order')
    const order = readOrder(body, this.#session.host, url)
    if (order.names.toSorted().join() !== names.toSorted().join())
      throw strange(this.#session.host, `an order for other names than ${names.join(', ')}`)
    return order
  }

  order(url: string, signal: AbortSignal): Promise<AcmeOrder> {
    const doing = 'show the order'
    return this.#ask(doing, signal, async (client) =>
      readOrder(await client.getOrder({ url } as Readable), this.#session.host, url),
    )
  }

  authorization(url: string, signal: AbortSignal): ReturnType<Acme['authorization']> {
    return this.#ask('show the authorisation', signal, async (client) => {
      const [body] = await client.getAuthorizations({ authorizations: [url] } as Readable)
      const { offered, ...authorization } = readAuthorization(body, this.#session.host, url)
      if (offered === null) return { ...authorization, dns: null }
      const { token, ...challenge } = offered
      const { url: at, status } = challenge
      const record_value = await client.getChallengeKeyAuthorization({
        type: 'dns-01',
        url: at,
        status,
        token,
      })
      return { ...authorization, dns: { ...challenge, record_value } }
    })
  }

  /** Saying it twice is fine: a caller that died in between cannot know. */
  answer(challenge_url: string, signal: AbortSignal): Promise<void> {
    const doing = 'take the answer to the challenge'
    const challenge = { type: 'dns-01', url: challenge_url, status: 'pending', token: '' } as const
    return this.#within(doing, signal, async (within) => {
      const wish = { doing, signal: within }
      try {
        await this.#session.ask(wish, (client) => client.completeChallenge(challenge))
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'provider_refused') throw error
        // The library reads any resource by its address as it reads an order.
        const shown = await this.#session.ask(wish, (client) =>
          client.getOrder(challenge as unknown as Readable),
        )
        if ((readChallengeStatus(shown) ?? 'pending') === 'pending') throw error
      }
    })
  }

  finalize(
    { url, names, finalize_url }: AcmeOrder,
    csr: Uint8Array,
    signal: AbortSignal,
  ): Promise<AcmeOrder> {
    const doing = `issue a certificate for ${names.join(', ')}`
    return this.#ask(doing, signal, async (client) => {
      const order = { url, finalize: finalize_url } as Readable
      return readOrder(await client.finalizeOrder(order, requestPem(csr)), this.#session.host, url)
    })
  }

  certificate({ url, names, certificate_url }: AcmeOrder, signal: AbortSignal): Promise<string> {
    const doing = `hand out the certificate for ${names.join(', ')}`
    const { host } = this.#session
    return this.#ask(doing, signal, async (client) => {
      if (certificate_url === null)
        throw new Failure('component_unavailable', `${host} did not ${doing}: ${url} names none yet.`)
      const order = { url, status: 'valid', certificate: certificate_url } as Readable
      const chain: unknown = await client.getCertificate(order)
      const fault = chainFault(chain, names, this.#clock.now())
      if (fault !== null) throw strange(host, fault)
      return String(chain)
    })
  }

  async caaIdentities(signal: AbortSignal): Promise<readonly string[]> {
    const doing = 'show its directory'
    const directory = await this.#within(doing, signal, (within) => this.#session.directory(within))
    return directory.caa_identities
  }

  renewalWindow(id: string, signal: AbortSignal): ReturnType<Acme['renewalWindow']> {
    const doing = 'tell when to renew'
    return this.#within(doing, signal, async (within) => {
      const { renewal_info } = await this.#session.directory(within)
      if (renewal_info === null) return null
      const url = `${renewal_info.replace(/\/$/, '')}/${encodeURIComponent(id)}`
      try {
        return readWindow(await this.#session.get(url, { doing, signal: within }), this.#session.host)
      } catch (error) {
        // A certificate that it does not know, such as one of before its renewal information began.
        if (error instanceof Failure && error.details.facts?.['status'] === 404) return null
        throw error
      }
    })
  }

  #ask<T>(doing: string, signal: AbortSignal, work: (client: LibraryClient) => Promise<T>): Promise<T> {
    return this.#within(doing, signal, (within) => this.#session.ask({ doing, signal: within }, work))
  }

  #within<T>(doing: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = () =>
      new Failure('component_unavailable', `${this.#session.host} did not ${doing} within ${CALL_MS} ms.`)
    return withinDeadline({ clock: this.#clock, signal, ms: CALL_MS, late }, work)
  }
}

// Whether what an authority handed out is what was ordered.

const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/** @returns what is wrong, as the end of a sentence, or null */
function chainFault(pem: unknown, names: readonly string[], now: Instant): string | null {
  const leaf = typeof pem === 'string' ? leafOf(pem) : null
  if (leaf === null) return 'a text that is no certificate chain in PEM form'
  const held = (leaf.subjectAltName ?? '').split(', ').map((name) => name.toLowerCase())
  const missing = names.filter((name) => !held.includes(`dns:${name}`))
  if (missing.length > 0) return `a certificate that is not for ${missing.join(', ')}`
  const not_after = Date.parse(leaf.validTo)
  return not_after > now ? null : `a certificate that ended at ${new Date(not_after).toISOString()}`
}

/** The first of the chain, every block of which can be read. */
function leafOf(pem: string): X509Certificate | null {
  try {
    const [leaf] = (pem.match(BLOCK) ?? []).map((block) => new X509Certificate(block))
    return leaf ?? null
  } catch {
    return null
  }
}
