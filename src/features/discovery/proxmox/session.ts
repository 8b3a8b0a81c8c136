/**
 * Calls of one Proxmox VE API with a token: what comes in the envelope, and what its refusals mean.
 *
 * The API answers a wrong token some seconds late and writes each try into a log that bans by it, so after a refusal
 * nothing is asked for a while. Most of its errors have no body: the message is the reason phrase of the status line.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { asRecord, asText, parsedJson } from '../../../kernel/text/lenient.ts'
import { Secret } from '../../../kernel/secret.ts'
import type { HttpClient, HttpReply } from '../../../ports/http-client.ts'
import { Unusable } from '../model/unusable.ts'

export interface SessionOptions {
  readonly name: string
  /** `https://192.168.1.5:8006`, without a slash at its end. */
  readonly base: string
  /** `user@realm!id=secret` */
  readonly token: Secret
  readonly http: HttpClient
  readonly clock: Clock
}

/** An answer that is none. It is caught where the look, or the question about one guest, began. */
export interface ProxmoxRequest {
  readonly signal: AbortSignal
  readonly deadline_ms?: Milliseconds
}

const MAX_BYTES = 32 * 1024 * 1024
/** A refusal comes after three seconds: a shorter deadline would call it silence. */
const DEADLINE_MS: Milliseconds = 8000
const STAY_AWAY_MS: Milliseconds = 60_000

export class ProxmoxSession {
  readonly #options: SessionOptions
  #stay_away_until: Instant = -Infinity

  constructor(options: SessionOptions) {
    this.#options = options
  }

  get clock(): Clock {
    return this.#options.clock
  }

  /** The `data` of the answer. Throws `Unusable`, a Failure, or the signal's reason. */
  async data(path: string, { signal, deadline_ms = DEADLINE_MS }: ProxmoxRequest): Promise<unknown> {
    const { http, base, token, clock } = this.#options
    const wait_ms = this.#stay_away_until - clock.now()
    // A clock that was set back since makes it no longer.
    if (wait_ms > 0 && wait_ms <= STAY_AWAY_MS)
      throw new Unusable('refused', 'the token was not accepted; it is tried again within a minute', 401)
    const reply = await http.request({
      method: 'GET',
      url: `${base}/api2/json${path}`,
      headers: { authorization: `PVEAPIToken=${token.reveal()}` },
      signal,
      deadline_ms,
      max_bytes: MAX_BYTES,
    })
    const body = parsedJson(reply.text)
    if (reply.status === 200 && 'data' in asRecord(body)) return asRecord(body)['data']
    if (reply.status === 401) this.#stay_away_until = clock.now() + STAY_AWAY_MS
    throw refusal(path, reply, { body, token })
  }
}

/** 595 and 596: the node that should answer cannot be reached from the one that was asked, or says nothing. */
const NODE_IS_SILENT = [595, 596]
export const isSilentNode = (status: number): boolean => NODE_IS_SILENT.includes(status)

interface Refused {
  readonly body: unknown
  readonly token: Secret
}

function refusal(path: string, { status, status_text }: HttpReply, { body, token }: Refused): Unusable {
  const { message, errors } = asRecord(body)
  const fields = Object.entries(asRecord(errors)).map(([field, text]) => `${field}: ${asText(text) ?? ''}`)
  const said = asText(status_text) ?? asText(message) ?? ''
  const words = withoutToken([said, ...fields].filter((text) => text !== '').join('; '), token).slice(
    0,
    MAX_SAID,
  )
  const answered = `${path} was answered with status ${status}${words === '' ? '' : ` (${words})`}`
  if (status === 401) return new Unusable('refused', `${answered}; the token is not accepted`, status)
  if (status === 403) return new Unusable('refused', `${answered}; the token may not read that`, status)
  if (status === 200)
    return new Unusable('unreadable', `${path} was answered with something else than JSON data`)
  return new Unusable(status >= 500 ? 'unreachable' : 'unreadable', answered, status)
}

const MAX_SAID = 500

/** Whole, and by its secret half alone. */
function withoutToken(words: string, token: Secret): string {
  const text = token.reveal()
  return new Secret(text.slice(text.indexOf('=') + 1)).hideIn(token.hideIn(words))
}
