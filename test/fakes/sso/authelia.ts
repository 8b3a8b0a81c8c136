/**
 * A strict stand-in for Authelia: it reads its rules file once, at its start, with its own reading of it, and answers the
 * forward-auth endpoint by what it read then. A file that it does not take keeps it from coming up. It misbehaves on command.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decidedPath } from './decided-path.ts'
import { decideBy, type RuleDocument, strictly } from './rules.ts'

export interface FakeAuthelia {
  readonly url: string
  /** For `PLUMBLINE_SSO_RESTART`. */
  readonly restart_setting: string
  /** How often it was restarted. */
  readonly restarts: number
  /** Null while it is down. */
  readonly running: RuleDocument | null
  readonly started_at: number | null
  /** The users file as it stood when it was started; null while it is down, and where it has none. */
  readonly users: string | null
  /** Its words, for a script of a test's own. */
  readonly restart_words: readonly string[]
  /** Called right before it reads its file at a restart. */
  onRestart: (() => void) | null
  /** The next restarts: `refused` answers an error and does nothing, `dead` stops and never comes up again by itself. */
  next: 'well' | 'refused' | 'dead'
  /** Authelia has its forward-auth endpoint since 4.38; before, it answers 404 there. */
  version: '4.37.5' | '4.39.19'
  /** Of its sessions; it refuses every host outside them. */
  cookie_domains: readonly string[]
  restart(): void
  stop(): Promise<void>
}

const PORTAL = 'https://auth.example.com'
const COMMAND = fileURLToPath(new URL('restart.mjs', import.meta.url))

export async function startAuthelia(
  rules_file: string,
  users_file: string | null = null,
): Promise<FakeAuthelia> {
  // Its own folder, as its package or its container makes it.
  mkdirSync(dirname(rules_file), { recursive: true })
  let running: RuleDocument | null = null
  let started_at: number | null = null
  let users: string | null = null
  let restarts = 0
  const fake = {
    onRestart: null as (() => void) | null,
    next: 'well' as FakeAuthelia['next'],
    version: '4.39.19' as FakeAuthelia['version'],
    cookie_domains: ['example.com', 'example.net'] as readonly string[],
    restart() {
      restarts++
      fake.onRestart?.()
      running = fake.next === 'dead' ? null : loaded(rules_file)
      started_at = running === null ? null : Date.now()
      users = running === null || users_file === null ? null : readFileSync(users_file, 'utf8')
    },
  }
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url!, 'http://authelia')
    if (request.method === 'POST' && url.pathname === '/-/restart') {
      if (fake.next !== 'refused') fake.restart()
      return void response.writeHead(fake.next === 'refused' ? 500 : 204).end()
    }
    if (running === null) return void request.socket.destroy()
    if (url.pathname === '/api/health') return void response.writeHead(200).end('{"status":"OK"}')
    const endpoint = fake.version === '4.37.5' ? '/api/verify' : '/api/authz/forward-auth'
    if (url.pathname !== endpoint) return void response.writeHead(404).end()
    const answer = authorize(running, request, fake.cookie_domains)
    response
      .writeHead(answer.status, answer.location === null ? {} : { location: answer.location })
      .end(`${answer.status} ${STATUS_CODES[answer.status]}`)
  }
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const words = [process.execPath, COMMAND, `${url}/-/restart`]
  return Object.defineProperties(fake, {
    url: { value: url },
    restart_setting: { value: `command:${words.join(' ')}` },
    restart_words: { value: words },
    users: { get: () => users },
    restarts: { get: () => restarts },
    running: { get: () => running },
    started_at: { get: () => started_at },
    stop: {
      value: async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    },
  }) as unknown as FakeAuthelia
}

function loaded(path: string): RuleDocument | null {
  try {
    return strictly(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/**
 * The host is taken out of the URL that is asked for: without its port, in the case in which it was sent, with a dot at its
 * end. A test's way of signing in: who it is stands in headers that a browser would have as a session.
 */
function authorize(rules: RuleDocument, { headers }: IncomingMessage, cookie_domains: readonly string[]) {
  const of = (name: string): string => String(headers[name] ?? '')
  const host = of('x-forwarded-host').replace(/:\d+$/, '')
  const isOurs = cookie_domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
  if (of('x-forwarded-proto') !== 'https' || !isOurs) return { status: 400, location: null }
  const uri = decidedPath(of('x-forwarded-uri'))
  if (uri === null) return { status: 400, location: null }
  const user = of('x-test-user')
  const policy = decideBy(rules, {
    host,
    uri,
    method: of('x-forwarded-method'),
    user: user === '' ? null : user,
    groups: of('x-test-groups').split(',').filter(Boolean),
  })
  if (policy === 'bypass') return { status: 200, location: null }
  if (policy === 'deny') return { status: 403, location: null }
  if (user === '' || (policy === 'two_factor' && of('x-test-factors') !== '2')) {
    const back = encodeURIComponent(`https://${of('x-forwarded-host')}${of('x-forwarded-uri')}`)
    return { status: 302, location: `${PORTAL}/?rd=${back}&rm=GET` }
  }
  return { status: 200, location: null }
}
