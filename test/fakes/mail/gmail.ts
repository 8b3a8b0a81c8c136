/**
 * Google's token endpoint and the Gmail API's two calls, as strict as the real ones, misbehaving on command. Where a mail
 * was taken although its answer says otherwise, it is kept: that is what a second send would double.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeGmail {
  readonly base: string
  readonly token_url: string
  /** Messages that were taken, decoded. */
  readonly taken: readonly Buffer[]
  readonly calls: readonly string[]
  /** For the next call of a kind; used up by it unless `always`. */
  misbehave(
    kind: 'token' | 'send' | 'senders' | 'find',
    how: GmailTrouble,
    options?: { readonly always?: boolean },
  ): void
  /** The next so many searches do not show what was taken last: the index is behind. */
  lag(searches: number): void
  /** How long access tokens are said to live. */
  expires_in: unknown
  /** What the refresh token was granted; by default all that we use. */
  grant(...scopes: readonly string[]): void
  close(): Promise<void>
}

export type GmailTrouble =
  /** An answer with Google's own error body. */
  | { readonly status: number; readonly reason: string; readonly headers?: Readonly<Record<string, string>> }
  /** The mail is taken, and the answer is lost or an error. */
  | { readonly taken_then: 'reset' | number }
  | { readonly taken_then: 'silence' }
  | 'reset'

export const CLIENT = { id: 'client-1', secret: 'client-secret-1', refresh_token: 'refresh-1' } as const

const SENDERS = {
  sendAs: [
    { sendAsEmail: 'me@example.org', displayName: 'Me', isPrimary: true, isDefault: true },
    {
      sendAsEmail: 'alerts@example.net',
      displayName: 'Alerts',
      treatAsAlias: true,
      verificationStatus: 'accepted',
    },
    { sendAsEmail: 'new@example.net', verificationStatus: 'pending' },
    { sendAsEmail: 'odd@example.net', verificationStatus: 'verificationStatusUnspecified' },
  ],
}

export async function fakeGmail(): Promise<FakeGmail> {
  const taken: Buffer[] = []
  const calls: string[] = []
  const plans = new Map<string, { how: GmailTrouble; always: boolean }>()
  const valid = new Set<string>()
  let behind = 0
  let granted: readonly string[] = ['gmail.send', 'gmail.settings.basic', 'gmail.readonly']
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => answer(request, body, response))
  })

  function answer(request: IncomingMessage, body: string, response: ServerResponse): void {
    const url = `${request.method} ${request.url}`
    calls.push(url)
    if (url === 'POST /token') return token(request, body, response)
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!valid.has(bearer)) return complain(response, 401, 'authError')
    if (url === 'GET /gmail/v1/users/me/settings/sendAs')
      return trouble('senders', request, response, null) ? undefined : json(response, 200, SENDERS)
    if (url === 'POST /gmail/v1/users/me/messages/send') return send(request, body, response)
    if (url.startsWith('GET /gmail/v1/users/me/messages?')) return find(request, response)
    complain(response, 404, 'notFound')
  }

  /** Only the search that we know: a parameter or an operator that Gmail does not have is its error, not an empty list. */
  function find(request: IncomingMessage, response: ServerResponse): void {
    if (trouble('find', request, response, null)) return
    if (!granted.includes('gmail.readonly')) return complain(response, 403, 'insufficientPermissions')
    const asked = new URL(request.url!, 'http://localhost').searchParams
    const known = [...asked.keys()].every((name) => ['q', 'maxResults', 'includeSpamTrash'].includes(name))
    const id = /^rfc822msgid:([^<>\s]+)$/.exec(asked.get('q') ?? '')?.[1]
    if (!known || id === undefined) return complain(response, 400, 'invalidArgument')
    const at = taken.findIndex((message) => message.toString().includes(`\r\nMessage-ID: <${id}>\r\n`))
    const hidden = behind > 0 && at === taken.length - 1
    if (behind > 0) behind--
    if (at < 0 || hidden) return json(response, 200, { resultSizeEstimate: 0 })
    json(response, 200, { messages: [{ id: `18c${at + 1}`, threadId: '18c' }], resultSizeEstimate: 1 })
  }

  function token(request: IncomingMessage, body: string, response: ServerResponse): void {
    if (trouble('token', request, response, null)) return
    const form = new URLSearchParams(body)
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded')
      return json(response, 400, { error: 'invalid_request' })
    if (form.get('client_id') !== CLIENT.id || form.get('client_secret') !== CLIENT.secret)
      return json(response, 401, { error: 'invalid_client' })
    if (form.get('grant_type') !== 'refresh_token')
      return json(response, 400, { error: 'unsupported_grant_type' })
    if (form.get('refresh_token') !== CLIENT.refresh_token)
      return json(response, 400, {
        error: 'invalid_grant',
        error_description: 'Token has been expired or revoked.',
      })
    valid.clear()
    const access_token = `ya29.${calls.length}`
    valid.add(access_token)
    const { expires_in } = fake
    json(response, 200, { access_token, expires_in, scope: 'gmail.send', token_type: 'Bearer' })
  }

  function send(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { raw } = JSON.parse(body) as { raw?: string }
    if (typeof raw !== 'string' || !/^[A-Za-z0-9_-]+$/.test(raw))
      return complain(response, 400, 'invalidArgument')
    const message = Buffer.from(raw, 'base64url')
    if (!/^From: /m.test(message.toString()) || /(?<!\r)\n/.test(message.toString('latin1')))
      return complain(response, 400, 'invalidArgument')
    if (trouble('send', request, response, message)) return
    taken.push(message)
    json(response, 200, { id: `18c${taken.length}`, threadId: '18c', labelIds: ['SENT'] })
  }

  /** True when the plan has dealt with the call. */
  function trouble(
    kind: string,
    request: IncomingMessage,
    response: ServerResponse,
    message: Buffer | null,
  ): boolean {
    const plan = plans.get(kind)
    if (plan === undefined) return false
    if (!plan.always) plans.delete(kind)
    const { how } = plan
    if (how === 'reset') request.socket.destroy()
    else if ('status' in how) {
      if (how.status === 401) valid.clear()
      complain(response, how.status, how.reason, how.headers)
    } else {
      if (message !== null) taken.push(message)
      if (how.taken_then === 'reset') request.socket.destroy()
      else if (how.taken_then !== 'silence') complain(response, how.taken_then, 'backendError')
    }
    return true
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fake: FakeGmail = {
    base: origin,
    token_url: `${origin}/token`,
    expires_in: 3599,
    taken,
    calls,
    misbehave: (kind, how, { always = false } = {}) => void plans.set(kind, { how, always }),
    lag: (searches) => void (behind = searches),
    grant: (...scopes) => void (granted = scopes),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return fake
}

const json = (response: ServerResponse, status: number, body: object, headers = {}) =>
  void response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body))

/** The token endpoint has another form of error; both hold the reason where their readers look for it. */
const complain = (response: ServerResponse, status: number, reason: string, headers = {}) =>
  json(
    response,
    status,
    {
      error:
        status < 500 && ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(reason)
          ? reason
          : { code: status, message: reason, errors: [{ domain: 'usageLimits', reason, message: reason }] },
    },
    headers,
  )

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
