/** What `plumbline doctor` looks at of single sign-on: files, the provider, its command, the way it is restarted, and what the report says. */
import { access, constants, readFile, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { dockerContainer } from '../adapters/docker/container.ts'
import { createHttpClient } from '../adapters/http-client/create-client.ts'
import { forwardAuthProbe } from '../adapters/http-client/forward-auth-probe.ts'
import { usersDocuments } from '../adapters/yaml/users/documents.ts'
import { type Api, expectGood } from '../cli/api.ts'
import type { Finding } from '../cli/verb.ts'
import { providerRestart } from '../config/provider-restart.ts'
import type { Settings } from '../config/sections.ts'
import { judgeForwardAuth, judgeHealth, judgeReport, judgeStart } from './sso-judge.ts'
import { bad, folderOf, good, notMountedAlone, warning } from './finding.ts'
import { systemClock } from '../kernel/clock.ts'
import { Failure, systemErrorCode } from '../kernel/failure.ts'
import { runCommand } from '../kernel/run-command.ts'
import { isProtected } from '../model/access/applies.ts'
import { sampleHost } from '../model/access/hosts.ts'
import type { DomainRecord } from '../model/domain.ts'
import type { SsoDrift } from '../operations/sso/read-drift.ts'
import { routesSettings } from '../wiring.ts'

const WITHIN_MS = 10_000
const COMMAND_WITHIN_MS = 20_000
const DOCKER_SOCKET = '/var/run/docker.sock'

/** Whether anything of it is set up; nothing is looked at where not. */
const isSetUp = ({ sso, people }: Settings): boolean =>
  sso.rules_file !== null || sso.probe !== null || sso.probe_http !== null || people.users_file !== null

/** What can be seen without the daemon. @param socket of the Docker Engine */
export async function ssoSurroundings(settings: Settings, socket = DOCKER_SOCKET): Promise<Finding[]> {
  if (!isSetUp(settings)) return []
  const { sso, people } = settings
  const signal = AbortSignal.timeout(WITHIN_MS)
  return [
    ...(sso.rules_file === null ? [] : await rulesFile(sso.rules_file)),
    ...(await provider(settings, signal)),
    ...(sso.check === null || sso.rules_file === null ? [] : [await ownCommand(sso.check, sso.rules_file)]),
    ...(people.users_file === null ? [] : [await users(people.users_file, signal)]),
    ...(sso.rules_file === null && !providerRestart(settings).for_users
      ? []
      : [await restartWay(settings, socket, signal)]),
  ]
}

const rulesFile = async (path: string): Promise<Finding[]> => [
  await folderOf('SSO rules', path),
  await notMountedAlone('SSO rules', path),
]

async function provider({ sso, routes }: Settings, signal: AbortSignal): Promise<Finding[]> {
  const url = sso.health_url ?? new URL('/api/health', routes.sso_url).href
  const http = createHttpClient({ clock: systemClock })
  try {
    const sent_at = systemClock.now()
    const { status, headers } = await http.request({ method: 'GET', url, signal, most_bytes: 65_536 })
    const between = { from: sent_at, to: systemClock.now() }
    return judgeHealth({ url, status, date: headers['date'] ?? null }, between)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const remedy =
      'See that it runs, and that this host reaches it: PLUMBLINE_SSO_URL or PLUMBLINE_SSO_HEALTH_URL.'
    return [bad('SSO provider', error.message, remedy)]
  } finally {
    await http.close()
  }
}

/** The file as it stands; nothing is written for it. */
async function ownCommand(check: readonly string[], rules_file: string): Promise<Finding> {
  const name = 'SSO rules check'
  if ((await stat(rules_file).catch(() => null)) === null)
    return warning(name, `${rules_file} does not exist yet`, 'It is written by the first deploy.')
  const ran = await runCommand(
    check.map((word) => word.replaceAll('{file}', rules_file)),
    { most_ms: COMMAND_WITHIN_MS, signal: AbortSignal.timeout(COMMAND_WITHIN_MS + WITHIN_MS) },
  )
  if (ran.ok) return good(name, `${check[0]} takes ${rules_file}`)
  const said = ran.output === '' ? '' : ` and said: ${ran.output}`
  return bad(
    name,
    `${ran.why}${said}`,
    'Correct PLUMBLINE_AUTHELIA, or what it complains of: no rules are written until then.',
  )
}

async function users(path: string, signal: AbortSignal): Promise<Finding> {
  const refused = (detail: string): Finding =>
    bad('SSO users file', detail, 'Authelia refuses such a file as a whole: mend it or put a copy back.')
  try {
    const found = usersDocuments.read(await readFile(path, { encoding: 'utf8', signal }))
    if (!found.ok) return refused(`${path} ${found.msg}`)
    const [fault] = found.faults
    if (fault !== undefined) return refused(`${path}: ${fault.username ?? 'the file'} ${fault.msg}`)
    const { size } = found.users
    return good('SSO users file', `${path}, ${size === 1 ? '1 user' : `${size} users`}`)
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === null) throw error
    return refused(`${path} cannot be read (${code})`)
  }
}

async function restartWay(settings: Settings, socket: string, signal: AbortSignal): Promise<Finding> {
  const name = 'SSO restart'
  const { restart } = providerRestart(settings)
  switch (restart.way) {
    case 'none':
      return warning(
        name,
        'nobody restarts the provider, so new rules are not loaded',
        'Set PLUMBLINE_SSO_RESTART.',
      )
    case 'watched':
      return good(name, 'left to whoever watches the rules file')
    case 'command': {
      const [program = ''] = restart.command
      return (await isProgram(program))
        ? good(name, `by ${program}`)
        : bad(name, `there is no program ${program} that may be run`, 'Correct PLUMBLINE_SSO_RESTART.')
    }
    case 'docker': {
      const container = dockerContainer(restart.container, socket)
      try {
        return judgeStart(restart.container, await container.startedAt(signal), systemClock.now())
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return bad(
          name,
          error.message,
          'Let Plumbline reach the socket, and name the container as Docker does.',
        )
      } finally {
        await container.close()
      }
    }
  }
}

async function isProgram(program: string): Promise<boolean> {
  const folders =
    isAbsolute(program) || program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter)
  const tried = folders.map((folder) => access(join(folder, program), constants.X_OK))
  return (await Promise.allSettled(tried)).some(({ status }) => status === 'fulfilled')
}

/** What takes the records: the provider's word about one of them, and the report. */
export async function ssoThroughApi(settings: Settings, api: Api): Promise<Finding[]> {
  if (!isSetUp(settings)) return []
  const records = await expectGood<readonly DomainRecord[]>(api, {
    method: 'GET',
    path: '/api/domains?status=active',
  })
  const record = records.find((one) => isProtected(one) && one.ssl_enabled)
  const drift = await expectGood<SsoDrift>(api, { method: 'GET', path: '/api/sso/drift' })
  return [
    ...(record === undefined ? [] : [await forwardAuth(settings, sampleHost(record.domain))]),
    ...judgeReport(drift),
  ]
}

async function forwardAuth(settings: Settings, host: string): Promise<Finding> {
  const url = routesSettings(settings).sso_forward_auth_url
  const http = createHttpClient({ clock: systemClock })
  try {
    const question = { door: 'tls', host, path: '/' } as const
    const answer = await forwardAuthProbe(url, http).ask(question, AbortSignal.timeout(WITHIN_MS))
    return judgeForwardAuth(answer, { url, host })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const remedy =
      'Where only the proxy reaches it, this is no fault; protected routes answer 500 while the proxy does not.'
    return warning('SSO check', error.message, remedy)
  } finally {
    await http.close()
  }
}
