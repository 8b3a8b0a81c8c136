/** Authelia as the SSO provider: asked for its health, checked by its own command, restarted in the way that is set. */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { runCommand } from '../../../kernel/run-command.ts'
import type { HttpClient, HttpReply } from '../../../ports/http-client.ts'
import { checkRules } from './check-text.ts'
import type { ProviderHealth, Restarted, RestartWay, SsoProvider } from '../../../ports/sso-provider.ts'

export interface Restarter {
  readonly way: RestartWay
  /** Null where the way cannot tell. Throws `component_unavailable`. */
  startedAt(signal: AbortSignal): Promise<Instant | null>
  restart(signal: AbortSignal, isHealthy: () => Promise<boolean>): Promise<Restarted>
}

export interface AutheliaParts {
  /** Answers 200 when the provider is up: `…/api/health`. */
  readonly health_url: string
  /** The command that checks a configuration; `{file}` in its words is the rules file. Null: none is set. */
  readonly check: readonly string[] | null
  readonly restarter: Restarter
  readonly http: HttpClient
}

const OWN_ENDPOINT = '/api/health'
const HEALTH_WITHIN_MS: Milliseconds = 2_000
const MAX_RUN_MS: Milliseconds = 30_000

export function autheliaProvider({ health_url, check, restarter, http }: AutheliaParts): SsoProvider {
  const health = async (signal: AbortSignal): Promise<ProviderHealth> => {
    try {
      const request = { method: 'GET', url: health_url, deadline_ms: HEALTH_WITHIN_MS, max_bytes: 65_536 }
      return evaluateHealth(health_url, await http.request({ ...request, method: 'GET', signal }))
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure)) throw error
      return { ok: null, why: error.message, ...(isAbsent(error) && { absent: true as const }) }
    }
  }
  const isHealthy = async (signal: AbortSignal): Promise<boolean> => (await health(signal)).ok === true
  return {
    restarts: restarter.way,
    startedAt: (signal) => restarter.startedAt(signal),
    restart: (signal) => restarter.restart(signal, () => isHealthy(signal)),
    health,
    isHealthy,
    validate: (text, signal) =>
      check === null ? Promise.resolve({ ok: true }) : checkRules(check, text, signal),
  }
}

const isAbsent = ({ details }: Failure): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND'].includes(details.inside ?? '')

/** Authelia's own endpoint answers JSON; a page with 200 there is somebody else's, such as a proxy's that stands before it. */
function evaluateHealth(url: string, { status, headers }: HttpReply): ProviderHealth {
  if (status !== 200) return { ok: false, why: `${url} answered with status ${status}.` }
  const is_page = headers['content-type']?.startsWith('text/html') === true
  return is_page && url.endsWith(OWN_ENDPOINT)
    ? { ok: null, why: `${url} answered with a page for people, so that is not Authelia.` }
    : { ok: true }
}

/** By a command, such as `systemctl restart authelia`. */
export const byCommand = (command: readonly string[]): Restarter => ({
  way: 'command',
  startedAt: () => Promise.resolve(null),
  async restart(signal) {
    const ran = await runCommand(command, { max_ms: MAX_RUN_MS, signal })
    return ran.ok ? { ok: true, proven: true } : ran
  },
})

/** By nobody that we know of. */
export const byNobody: Restarter = {
  way: 'none',
  startedAt: () => Promise.resolve(null),
  restart: () => Promise.resolve({ ok: true, proven: false }),
}

const SEEN_DOWN_WITHIN_MS: Milliseconds = 8_000
const LOOK_EVERY_MS: Milliseconds = 100

/** By whoever watches the file. Proven only if the provider was seen to stop answering in between. */
export const byWatcher = (clock: Clock): Restarter => ({
  way: 'watched',
  startedAt: () => Promise.resolve(null),
  async restart(signal, isHealthy) {
    const until = clock.elapsed() + SEEN_DOWN_WITHIN_MS
    while (clock.elapsed() < until) {
      if (!(await isHealthy())) return { ok: true, proven: true }
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
    return { ok: true, proven: false }
  },
})
