/** The account at one authority, and the library's client that speaks for it. */
import type { Clock, Instant } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { AcmeSettings } from './port.ts'
import type { HttpReply } from '../../../ports/http-client.ts'
import { bindingOf, checkAccountKey } from './account-settings.ts'
import { over } from './carrier.ts'
import type { Directory } from './directory.ts'
import { type LibraryClient, loadLibrary } from './library.ts'
import { Line, type LineParts, type Wish } from './line.ts'
import { httpsUrl, objectOf, strange } from './read-json.ts'

/** The directory is believed so long, by the library, too: its client is made anew. */
const DIRECTORY_AGE_MS = 60 * 60 * 1000

export interface SessionParts extends Omit<LineParts, 'directory_url'> {
  readonly clock: Clock
}

interface Talk {
  readonly line: Line
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
    return this.#now().line.directory(signal)
  }

  /** Without a signature: for what is public. */
  get(url: string, wish: Wish): Promise<HttpReply> {
    return this.#now().line.get(url, wish)
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
      return await over(talk.line, wish, () => work(client))
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
    const account = await over(talk.line, wish, () =>
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
      this.#talk = { line: new Line(parts), client: null, since: clock.elapsed() }
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
