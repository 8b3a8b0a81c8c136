/** Single sign-on, as `plumbline doctor` finds it: files, the provider, its command, the way it is restarted, and the report. */
import type { Finding } from '../cli/verb.ts'
import type { LoadedConfig } from '../config/load.ts'
import { namesProvider } from '../features/sso/provider/named.ts'
import { providerRestart } from '../features/sso/provider/restart.ts'
import { sitePolicies } from '../features/sso/sso-rules-wiring.ts'
import { unnamedPolicies } from '../features/sso/target/unnamed-policies.ts'
import type { Settings } from '../config/sections.ts'
import { isProtected } from '../model/access/applies.ts'
import { sampleHost } from '../model/access/hosts.ts'
import { type DomainRecord, isLive } from '../model/domain/record.ts'
import type { SsoDrift } from '../features/sso/read-drift.ts'
import { bad, good, warning } from './finding.ts'
import { replacedFile } from './replaced-file.ts'
import { evaluateReport } from './sso/evaluate.ts'
import { forwardAuth, provider } from './sso/provider.ts'
import { restartWay } from './sso/restart.ts'
import { rulesCheck } from './sso/rules-check.ts'
import { users } from './sso/users.ts'
import type { Ask, World } from './world.ts'

const DOCKER_SOCKET = '/var/run/docker.sock'

export const sso: World = {
  beside: (config) => ssoSurroundings(config.settings, DOCKER_SOCKET, graveness(config)),
  asked: (ask, config) => ssoRecords(config, ask),
}

/** Red only where somebody said where the provider is: the address by default is a guess. */
const graveness = (config: LoadedConfig): typeof bad => (namesProvider(config) ? bad : warning)

/** Whether anything of it is set up; nothing is looked at where not. */
const isSetUp = ({ sso: { rules_file, probe, probe_http }, people }: Settings): boolean =>
  rules_file !== null || probe !== null || probe_http !== null || people.users_file !== null

/** @param socket of the Docker Engine @param tell how grave a provider is that does not answer */
export async function ssoSurroundings(
  settings: Settings,
  socket = DOCKER_SOCKET,
  tell: typeof bad = bad,
): Promise<Finding[]> {
  if (!isSetUp(settings)) return []
  const { rules_file, check } = settings.sso
  const { users_file } = settings.people
  return [
    ...(rules_file === null ? [] : await replacedFile('SSO rules', rules_file, settings.store.data_dir)),
    ...(await provider(settings, undefined, tell)),
    ...(check === null || rules_file === null ? [] : await rulesCheck(check, rules_file)),
    ...(users_file === null ? [] : [await users(users_file)]),
    ...(rules_file === null && !providerRestart(settings).for_users
      ? []
      : [await restartWay(settings, socket)]),
  ]
}

/** The provider's word about one of the records, and the report over all. */
async function ssoRecords(config: LoadedConfig, ask: Ask): Promise<Finding[]> {
  const { settings } = config
  const records = await ask<readonly DomainRecord[]>('/api/domains?status=active')
  const shut = records.filter((one) => isProtected(one) && one.ssl_enabled)
  if (!isSetUp(settings)) return shut.length === 0 ? [] : unserved(config, shut)
  const [record] = shut
  const drift = await ask<SsoDrift>('/api/sso/drift')
  return [
    ...(record === undefined ? [] : [await forwardAuth(settings, sampleHost(record.domain))]),
    ...evaluateReport(drift),
    ...(await policiesFile(settings, ask)),
  ]
}

/** Entries of it that are for no record. */
async function policiesFile({ sso: { policies_file } }: Settings, ask: Ask): Promise<Finding[]> {
  if (policies_file === null) return []
  const records = await ask<readonly DomainRecord[]>('/api/domains')
  const named = records.map((record) => ({ ...record, live: isLive(record) }))
  const unnamed = unnamedPolicies(sitePolicies(policies_file), named)
  if (unnamed.length === 0) return [good('SSO policies', `${policies_file}, each for a record`)]
  const shown = unnamed.slice(0, MAX_NAMED).join(' ') + (unnamed.length > MAX_NAMED ? ' …' : '')
  return [
    warning(
      'SSO policies',
      shown,
      'Correct the names and restart the daemon. Take an entry out only where no deployed domain has its name.',
    ),
  ]
}

const MAX_NAMED = 5

/** Nothing of it is set up here, and still somebody has to answer the proxy for these. */
async function unserved(config: LoadedConfig, shut: readonly DomainRecord[]): Promise<Finding[]> {
  const tell = graveness(config)
  const found = await provider(config.settings, undefined, tell)
  if (!found.some(({ state }) => state !== 'good')) return []
  const names = shut.slice(0, MAX_NAMED).map(({ domain }) => domain)
  const shown = names.join(', ') + (shut.length > MAX_NAMED ? ' …' : '')
  const text = `no provider answers at ${config.settings.routes.sso_url}, and these ask for a sign-in: ${shown}`
  const remedy =
    'They answer 500 until the proxy reaches one: set PLUMBLINE_SSO_URL as the proxy reaches it, PLUMBLINE_SSO_HEALTH_URL where this host reaches it elsewhere, or auth_required to false for what is to be open.'
  return [tell('SSO provider', text, remedy)]
}
