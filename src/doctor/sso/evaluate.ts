/** What answers about single sign-on mean for `plumbline doctor`. Pure. */
import type { Finding } from '../../cli/verb.ts'
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { CheckResult } from '../../model/access/config-check.ts'
import type { SsoDrift } from '../../features/sso/read-drift.ts'
import { SSO_LISTS } from '../../features/sso/report.ts'
import type { ProbeAnswer } from '../../features/sso/probe-port.ts'
import type { UsersRead } from '../../ports/users-file.ts'
import { bad, good, warning } from '../finding.ts'

export interface Health {
  readonly url: string
  readonly status: number
  /** Of its answer; null without one. */
  readonly date: string | null
}

/** One-time codes hold for 30 s either way, and whether rules are loaded is told by comparing its clock with ours. */
const MAX_SKEW_MS: Milliseconds = 5_000

/** When the question was sent, and when its answer was here. */
interface Between {
  readonly from: Instant
  readonly to: Instant
}

export function evaluateHealth({ url, status, date }: Health, between: Between): Finding[] {
  const health =
    status === 200
      ? good('SSO provider', `${url} answers 200`)
      : bad(
          'SSO provider',
          `${url} answers ${status}`,
          'Look into its log, or correct PLUMBLINE_SSO_HEALTH_URL.',
        )
  const there = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(there) ? [health] : [health, evaluateClock(there, between)]
}

function evaluateClock(there: Instant, between: Between): Finding {
  // A date is of whole seconds, cut off.
  const ahead = there - between.to
  const behind = between.from - (there + 1_000)
  const skew = Math.max(ahead, behind)
  if (skew <= MAX_SKEW_MS) return good('SSO clock', 'its clock is ours')
  const side = ahead > 0 ? 'ahead of' : 'behind'
  return bad(
    'SSO clock',
    `its clock is ${Math.round(skew / 1000)} s ${side} ours`,
    'Keep both by NTP: one-time codes fail, and whether rules are loaded is told wrong.',
  )
}

/** @param result of its own check of the file */
export function evaluateRulesCheck(
  result: CheckResult,
  { program, rules_file }: { readonly program: string; readonly rules_file: string },
): Finding {
  const check = 'SSO rules check'
  if (result.ok) return good(check, `${program} takes ${rules_file}`)
  return bad(
    check,
    result.why,
    'Correct PLUMBLINE_AUTHELIA, or what it complains of: no rules are written until then.',
  )
}

export const evaluateTakesAll = (program: string): Finding =>
  bad(
    'SSO rules check',
    `${program} also takes rules that the provider refuses, so it checks nothing`,
    "Let PLUMBLINE_AUTHELIA be the provider's own command, with {file} among its configuration files.",
  )

/** @param found in the file, or the code of the system error for which it could not be read */
export function evaluateUsers(path: string, found: UsersRead | { readonly unreadable: string }): Finding {
  const check = 'SSO users file'
  const refused = (detail: string): Finding =>
    bad(check, detail, 'Authelia refuses such a file as a whole: mend it or put a copy back.')
  if ('unreadable' in found) return refused(`${path} cannot be read (${found.unreadable})`)
  if (!found.ok) return refused(`${path} ${found.msg}`)
  if (found.is_misspelt === true)
    return refused(`${path} spells characters beyond U+FFFF as two escapes each`)
  const [fault] = found.faults
  if (fault !== undefined) return refused(`${path}: ${fault.username ?? 'the file'} ${fault.msg}`)
  const { size } = found.users
  return good(check, `${path}, ${size === 1 ? '1 user' : `${size} users`}`)
}

export const evaluateProgram = (program: string, is_there: boolean): Finding =>
  is_there
    ? good('SSO restart', `by ${program}`)
    : bad('SSO restart', `there is no program ${program} that may be run`, 'Correct PLUMBLINE_SSO_RESTART.')

/** @param started_at by the clock of the Docker host; null while the container does not run */
export function evaluateStart(container: string, started_at: Instant | null, now: Instant): Finding {
  if (started_at === null)
    return bad('SSO restart', `the container ${container} does not run`, 'Start it, and look into its log.')
  return started_at > now + MAX_SKEW_MS
    ? bad(
        'SSO restart',
        `the container ${container} says that it started in the future (${new Date(started_at).toISOString()})`,
        'Keep the clocks of both hosts by NTP: rules would count as loaded that are not.',
      )
    : good('SSO restart', `by Docker; ${container} runs since ${new Date(started_at).toISOString()}`)
}

export function evaluateForwardAuth(
  { status, location }: ProbeAnswer,
  { url, host }: { readonly url: string; readonly host: string },
): Finding {
  const check = 'SSO check'
  const says = `${url} answers ${status} to somebody who has not signed in at ${host}`
  if ((status === 302 || status === 303) && location !== null && URL.canParse(location))
    return good(check, `${says}, and sends to ${new URL(location).host}`)
  if (status === 401 || status === 403) return good(check, says)
  if (status >= 200 && status < 300)
    return bad(
      check,
      says,
      'It lets everybody in: it is no forward-auth endpoint, or a rule that runs says bypass.',
    )
  if (status === 400)
    return bad(check, says, `None of its session cookie domains covers ${host}: add one to session.cookies.`)
  if (status === 404)
    return bad(check, says, 'Correct PLUMBLINE_SSO_URL; Authelia has this endpoint since 4.38.')
  return bad(check, says, 'Look into its log.')
}

const GRAVE = ['open_route', 'shut_out', 'weaker_policy', 'missing_middleware'] as const
const MAX_NAMED = 5

/** A finding for each list that is not empty, and one for what is not known. */
export function evaluateReport(drift: SsoDrift): Finding[] {
  const found = SSO_LISTS.filter((list) => drift[list].length > 0).map((list) => {
    const entries = drift[list]
    const names = [...new Set(entries.map(({ domain }) => domain))]
    const shown = names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ' …' : '')
    const [first] = entries
    const tell = (GRAVE as readonly string[]).includes(list) ? bad : warning
    return tell(`SSO ${list.replaceAll('_', ' ')}`, `${shown}: ${first!.detail}`, first!.cure)
  })
  const reported = drift.unknown
    .slice(0, MAX_NAMED)
    .map(({ part, detail, cure }) => warning(`SSO ${part.replaceAll('_', ' ')}`, detail, cure))
  if (found.length + reported.length > 0) return [...found, ...reported]
  const count = drift.protected_domains
  return [good('SSO', `protected as the records say: ${count === 1 ? '1 domain' : `${count} domains`}`)]
}
