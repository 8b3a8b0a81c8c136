/** The account at one authority, and the library's client that speaks for it. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Clock, Instant } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { HttpReply } from '../../../ports/http-client.ts'
import type { Directory } from './directory.ts'
import {
  carriedBy,
  type LibraryClient,
  type LibraryReply,
  type LibraryRequest,
  loadLibrary,
} from './library.ts'
import { isGood, AcmeTransport, type AcmeTransportParts, nonceIn, type Wish } from './transport.ts'
import type { AcmeSettings } from './port.ts'
import { problemIn } from './problem.ts'
import { httpsUrl, objectIn, objectOf, strange, wordsOf } from './read-json.ts'

/** The directory is believed so long, by the library, too: its client is made anew. */
const DIRECTORY_AGE_MS = 60 * 60 * 1000

export interface SessionParts extends Omit<AcmeTransportParts, 'directory_url'> {
  readonly clock: Clock
}

interface Talk {
  readonly transport: AcmeTransport
  client: LibraryClient | null
  readonly since: Instant
}

export class Session {
  readonly host: string
  readonly #settings: AcmeSettings
  readonly #parts: SessionParts
  #talk: Talk | null = null
  #account_url: string | null = null

  constructor(settings: AcmeSettings, parts: SessionParts) {
    if (httpsUrl(settings.directory) === null)
      throw new Failure('bad_configuration', 'The directory of an ACME authority must begin with https://.')
    this.host = new URL(settings.directory).host
    checkAccountKey(settings.account_key)
    this.#settings = settings
    this.#parts = parts
  }

  directory(signal: AbortSignal): Promise<Directory> {
    return this.#now().transport.directory(signal)
  }

  /** Without a signature: for what is public. */
  get(url: string, wish: Wish): Promise<HttpReply> {
    return this.#now().transport.get(url, wish)
  }

  /** The account's URL; asked for once. */
  async account(signal: AbortSignal): Promise<string> {
    this.#account_url ??= await this.#newAccount(signal)
    return this.#account_url
  }

  /** What the account asks for, by the library. */
  async ask<T>(wish: Wish, work: (client: LibraryClient) => Promise<T>): Promise<T> {
    await this.account(wish.signal)
    const talk = this.#now()
    const client = await this.#client(talk)
    try {
      return await over(talk.transport, wish, () => work(client))
    } catch (error) {
      if (isUnknownAccount(error)) this.#forgetAccount()
      throw error
    }
  }

  /** A server that knows the key answers with its account, so finding and making are one request (RFC 8555 §7.3.1). */
  async #newAccount(signal: AbortSignal): Promise<string> {
    const { contact } = this.#settings
    const talk = this.#now()
    const client = await this.#client(talk)
    // Another call has just been told: the library would take a second asking for a change of the account.
    const known = accountUrl(client)
    if (known !== null) return known
    const wish = { doing: 'open an account', signal, about_account: true }
    const account = await over(talk.transport, wish, () =>
      client.createAccount({
        termsOfServiceAgreed: true,
        ...(contact === null ? {} : { contact: [contact.includes(':') ? contact : `mailto:${contact}`] }),
      }),
    ).catch((error: unknown) => {
      this.#forgetAccount()
      throw error
    })
    const { status } = objectOf(account)
    if (status === 'deactivated' || status === 'revoked') {
      this.#forgetAccount()
      throw new Failure(
        'provider_credentials',
        `${this.host}: the account of this key is ${status}; it needs a new account key.`,
      )
    }
    return accountUrl(client) ?? Promise.reject(strange(this.host, 'no address of the account'))
  }

  #now(): Talk {
    const { clock, http, onRequest } = this.#parts
    if (this.#talk === null || clock.elapsed() - this.#talk.since >= DIRECTORY_AGE_MS) {
      const parts = { http, directory_url: this.#settings.directory, ...(onRequest && { onRequest }) }
      this.#talk = { transport: new AcmeTransport(parts), client: null, since: clock.elapsed() }
    }
    return this.#talk
  }

  async #client(talk: Talk): Promise<LibraryClient> {
    const { directory: directoryUrl, account_key, eab } = this.#settings
    const binding = bindingOf(eab)
    const { Client } = await loadLibrary()
    talk.client ??= new Client({
      directoryUrl,
      accountKey: account_key.reveal(),
      ...(this.#account_url === null ? {} : { accountUrl: this.#account_url }),
      ...(binding === null ? {} : { externalAccountBinding: binding }),
    })
    return talk.client
  }

  /** The library's client keeps the address to itself: it goes, too. */
  #forgetAccount(): void {
    this.#account_url = null
    this.#talk = null
  }
}

function accountUrl(client: LibraryClient): string | null {
  try {
    return httpsUrl(client.getAccountUrl())
  } catch {
    return null
  }
}

const isUnknownAccount = (error: unknown): boolean =>
  error instanceof Failure && error.details.facts?.['problem'] === 'accountDoesNotExist'

// Looks at an account's key and binding before they are handed to the library, whose errors quote what they cannot read.

const CURVES = ['prime256v1', 'secp384r1']

/** @param pem EC P-256, EC P-384 or RSA. Throws a Failure (`bad_configuration`) that holds nothing of it. */
export function checkAccountKey(pem: Secret): void {
  const { asymmetricKeyType, asymmetricKeyDetails } = privateKey(pem)
  const { namedCurve = '' } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType !== 'rsa' && !CURVES.includes(namedCurve))
    throw new Failure('bad_configuration', 'The ACME account key must be EC P-256, EC P-384 or RSA.')
}

function privateKey(pem: Secret): KeyObject {
  try {
    return createPrivateKey(pem.reveal())
  } catch {
    // OpenSSL's own error is left out: it is not ours to say what it quotes.
    throw new Failure('bad_configuration', 'The ACME account key is no unencrypted private key in PEM form.')
  }
}

/** For the library. Some authorities hand the HMAC key out in plain base64; it reads both. */
function bindingOf(eab: AcmeSettings['eab']): { readonly kid: string; readonly hmacKey: string } | null {
  if (eab === null) return null
  const hmacKey = eab.hmac_key.reveal()
  if (!/^[\w+/-]+={0,2}$/.test(hmacKey))
    throw new Failure(
      'provider_credentials',
      `The HMAC key of the external account ${eab.kid} is not base64url: copy it again as the authority shows it.`,
    )
  return { kid: eab.kid, hmacKey }
}

// Carries the library's requests of one call over the transport, and holds what it must not decide by itself.

/**
 * Runs the library's part of a call. Throws a Failure for whatever the authority refuses or the library cannot read.
 *
 * - Its question for the directory is answered from the transport, which has checked it.
 * - Its question for a nonce is answered from what earlier answers brought, which saves every second request.
 * - A refused nonce goes back to it, since it signs anew with the one that came along (at most five times).
 * - An account that was found looks to it like one that was made: it would send an update at once, which strict servers
 *   refuse where there is nothing to change.
 * - Every other refusal is thrown from below it, so that it is never retried, and never put into the library's words.
 */
async function over<T>(transport: AcmeTransport, wish: Wish, work: () => Promise<T>): Promise<T> {
  const refused: HttpReply[] = []

  async function carry({ method, url, body }: LibraryRequest): Promise<LibraryReply> {
    const directory = await transport.directory(wish.signal)
    if (url === directory.url) return { status: 200, headers: {}, data: { ...directory.body } }
    if (method === 'head')
      return { status: 200, headers: { 'replay-nonce': await transport.nonce(wish.signal) }, data: '' }
    const reply = await transport.post(url, body, wish.signal)
    if (isBadNonce(reply)) {
      transport.forgetNonces()
      refused.push(reply)
    } else if (isGood(reply)) transport.keepNonce(reply)
    else {
      transport.keepNonce(reply)
      throw transport.refusal(reply, wish)
    }
    const status = url === directory.new_account && isGood(reply) ? 201 : reply.status
    return { status, headers: withNonce(reply), data: objectIn(reply) ?? reply.text }
  }

  try {
    return await carriedBy(carry, work)
  } catch (error) {
    if (error instanceof Failure) throw error
    const last = refused.at(-1)
    if (last !== undefined) throw transport.refusal(last, wish)
    const inside = error instanceof Error ? wordsOf(error.message) : ''
    throw strange(transport.host, `something that makes no sense when it was asked to ${wish.doing}`, inside)
  }
}

const isBadNonce = (reply: HttpReply): boolean =>
  reply.status === 400 && problemIn(reply)?.type === 'badNonce'

function withNonce({ headers }: HttpReply): Readonly<Record<string, string>> {
  const { 'replay-nonce': _seen, ...others } = headers
  const nonce = nonceIn(headers)
  return nonce === null ? others : { ...others, 'replay-nonce': nonce }
}
