/** What `plumbline doctor` looks at. Each check is one finding; one that fails does not keep the others from being made. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sqliteInvariants } from '../adapters/sqlite/invariants.ts'
import { readHolder } from '../adapters/sqlite/lock.ts'
import { type Api, expectGood } from '../cli/api.ts'
import type { Finding } from '../cli/verb.ts'
import { examineAccounts } from './accounts.ts'
import type { LoadedConfig } from '../config/load.ts'
import { systemClock } from '../kernel/clock.ts'
import { examineHealth } from './health.ts'
import { ssoSurroundings, ssoThroughApi } from './sso.ts'
import { bad, folderOf, good, isWritable, notMountedAlone, warning } from './finding.ts'
import { Failure } from '../kernel/failure.ts'
import type { ZonesAnswer } from '../operations/dns/read-zones.ts'

export async function examine(
  load: () => LoadedConfig,
  open: (config: LoadedConfig) => Promise<Api>,
): Promise<readonly Finding[]> {
  const findings = [nodeVersion()]
  let config: LoadedConfig
  try {
    config = load()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const faults = error.message
      .split('\n')
      .map((line) => bad('settings', line, 'Correct the setting and try again.'))
    return [...findings, ...faults]
  }
  findings.push(good('settings', 'valid'))
  for (const text of config.warnings) findings.push(warning('settings', text, 'Change it when you can.'))
  findings.push(
    await dataDirectory(config),
    await apiKey(config),
    await folderOf('routes', config.settings.routes.file),
    await notMountedAlone('routes', config.settings.routes.file),
    ...(await ssoSurroundings(config.settings)),
  )
  return [...findings, daemon(config), ...(await throughApi(config, open)), ...(await invariants(config))]
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fit = major > 22 || (major === 22 && minor >= 19)
  return fit
    ? good('node', process.version)
    : bad('node', `${process.version} is too old`, 'Use Node 24, or start through npm, which brings it.')
}

async function dataDirectory({ settings }: LoadedConfig): Promise<Finding> {
  const { data_dir } = settings.store
  const found = await stat(data_dir).catch(() => null)
  if (found === null)
    return warning('data directory', `${data_dir} does not exist yet`, 'It is made at the first start.')
  if (!(await isWritable(data_dir)))
    return bad('data directory', `${data_dir} is not writable`, 'Give it to the user that runs Plumbline.')
  return (found.mode & 0o077) === 0
    ? good('data directory', data_dir)
    : warning('data directory', `${data_dir} can be read by others`, `chmod 700 ${data_dir}`)
}

async function apiKey({ settings }: LoadedConfig): Promise<Finding> {
  if (settings.http.api_key !== null) return good('API key', 'given by the environment')
  const path = join(settings.store.data_dir, 'api-key')
  const found = await stat(path).catch(() => null)
  if (found === null)
    return warning('API key', `${path} does not exist yet`, 'It is made at the first start.')
  return (found.mode & 0o077) === 0
    ? good('API key', path)
    : bad('API key', `${path} can be read by others`, `chmod 600 ${path}`)
}

function daemon({ settings }: LoadedConfig): Finding {
  const holder = readHolder(settings.store.data_dir)
  if (holder === null) return warning('daemon', 'does not run', 'Start it with npm start or through systemd.')
  return good('daemon', `process ${holder.pid} at ${holder.listen ?? 'no address'} since ${holder.since}`)
}

/** Also what proves that database and API work, so that it is only tried once there is something to open. */
async function throughApi(
  config: LoadedConfig,
  open: (config: LoadedConfig) => Promise<Api>,
): Promise<Finding[]> {
  if ((await stat(join(config.settings.store.data_dir, 'plumbline.db')).catch(() => null)) === null) return []
  let api: Api | null = null
  try {
    api = await open(config)
    return [
      ...(await examineHealth(api)),
      ...(await dns(api)),
      ...(await ssoThroughApi(config.settings, api)),
      ...(await examineAccounts(api)),
    ]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [bad('database and API', error.message, 'Read the message; the log says more.')]
  } finally {
    await api?.close()
  }
}

/** After the API, whose opening brings an older schema up to date and closes what a crash left open. */
async function invariants({ settings }: LoadedConfig): Promise<readonly Finding[]> {
  const directory = settings.store.data_dir
  if ((await stat(join(directory, 'plumbline.db')).catch(() => null)) === null) return []
  const check = sqliteInvariants({ directory, clock: systemClock })
  const all = await check(AbortSignal.timeout(MOST_LOOKING_MS))
  const others = all.filter(({ holds }) => holds !== true)
  const findings = others.map(({ name, holds, promise, detail }) =>
    holds === false
      ? bad(`database: ${name}`, detail ?? 'is broken', `The promise is: ${promise}`)
      : warning(`database: ${name}`, detail ?? 'is not known', 'Make the database readable.'),
  )
  return others.length > 0 ? findings : [good('database', `all ${all.length} invariants hold`)]
}

/** A finding for each account, and one for names that no account can hold. */
async function dns(api: Api): Promise<Finding[]> {
  const { accounts, zones, homeless } = await expectGood<ZonesAnswer>(api, {
    method: 'GET',
    path: '/api/dns/zones',
  })
  const findings = accounts.map(({ account, ok, detail }) => {
    const count = zones.filter((zone) => zone.account === account).length
    return ok === false
      ? bad(
          `DNS account ${account}`,
          detail ?? 'does not answer',
          'Correct its settings, or wait until it answers.',
        )
      : good(`DNS account ${account}`, count === 1 ? '1 zone' : `${count} zones`)
  })
  if (homeless.length === 0) return findings
  const names = homeless.slice(0, MOST_NAMED).join(', ') + (homeless.length > MOST_NAMED ? ' …' : '')
  const lost = warning('DNS zones', `no account has a zone for ${names}`, 'Add the zone, or its account.')
  return [...findings, lost]
}

const MOST_NAMED = 5
const MOST_LOOKING_MS = 90_000
