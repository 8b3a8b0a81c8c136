/** Single sign-on, as `plumbline doctor` finds it: files, the provider, its command, the way it is restarted, and the report. */
import type { Finding } from '../cli/verb.ts'
import { providerRestart } from '../config/provider-restart.ts'
import type { Settings } from '../config/sections.ts'
import { isProtected } from '../model/access/applies.ts'
import { sampleHost } from '../model/access/hosts.ts'
import type { DomainRecord } from '../model/domain.ts'
import type { SsoDrift } from '../operations/sso/read-drift.ts'
import { replacedFile } from './replaced-file.ts'
import { judgeReport } from './sso/judge.ts'
import { forwardAuth, provider } from './sso/provider.ts'
import { restartWay } from './sso/restart.ts'
import { rulesCheck } from './sso/rules-check.ts'
import { users } from './sso/users.ts'
import type { Ask, World } from './world.ts'

const DOCKER_SOCKET = '/var/run/docker.sock'

export const sso: World = {
  beside: ({ settings }) => ssoSurroundings(settings),
  asked: (ask, { settings }) => ssoRecords(settings, ask),
}

/** Whether anything of it is set up; nothing is looked at where not. */
const isSetUp = ({ sso: { rules_file, probe, probe_http }, people }: Settings): boolean =>
  rules_file !== null || probe !== null || probe_http !== null || people.users_file !== null

/** @param socket of the Docker Engine */
export async function ssoSurroundings(settings: Settings, socket = DOCKER_SOCKET): Promise<Finding[]> {
  if (!isSetUp(settings)) return []
  const { rules_file, check } = settings.sso
  const { users_file } = settings.people
  return [
    ...(rules_file === null ? [] : await replacedFile('SSO rules', rules_file, settings.store.data_dir)),
    ...(await provider(settings)),
    ...(check === null || rules_file === null ? [] : await rulesCheck(check, rules_file)),
    ...(users_file === null ? [] : [await users(users_file)]),
    ...(rules_file === null && !providerRestart(settings).for_users
      ? []
      : [await restartWay(settings, socket)]),
  ]
}

/** The provider's word about one of the records, and the report over all. */
async function ssoRecords(settings: Settings, ask: Ask): Promise<Finding[]> {
  if (!isSetUp(settings)) return []
  const records = await ask<readonly DomainRecord[]>('/api/domains?status=active')
  const record = records.find((one) => isProtected(one) && one.ssl_enabled)
  const drift = await ask<SsoDrift>('/api/sso/drift')
  return [
    ...(record === undefined ? [] : [await forwardAuth(settings, sampleHost(record.domain))]),
    ...judgeReport(drift),
  ]
}
