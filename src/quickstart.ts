/**
 * What `npm run quickstart` does beside running the daemon: once, it applies the sample estate, and says where everything is.
 *
 *   what the database has                       then
 *   neither records nor releases                the sample estate is applied, unless it meets what was there before: a routes
 *                                               file, a DNS record
 *   a first deploy that was the sample's         nothing is applied: what was edited or deleted since stays so
 *   anything else                               nothing is started: it is somebody's own
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rememberFolder } from './store/files/taken-back.ts'
import { showHostPort } from './config/kinds/network.ts'
import { yamlDocuments } from './io/yaml/documents.ts'
import { type Api, expectGood, goodBody } from './cli/api.ts'
import { EXIT } from './cli/exit-codes.ts'
import { remoteApi } from './cli/remote-api.ts'
import type { LoadedConfig } from './config/load.ts'
import type { Occasion } from './daemon.ts'
import type { Daemon } from './build-daemon.ts'
import { Failure } from './kernel/failure.ts'
import type { Plan } from './model/plan.ts'
import { consoleLink } from './features/console/link.ts'
import { faultText, readEstate } from './features/import/read.ts'
import { callOf } from './own-api.ts'

const SAMPLE = new URL('../fixtures/estates/sample.yaml', import.meta.url)
const COMMAND = fileURLToPath(new URL('plumbline', import.meta.url))
const USUAL_LISTEN = '127.0.0.1:8080'

export function quickstart({ settings }: LoadedConfig): Occasion {
  const { data_dir } = settings.store
  const listen = showHostPort(settings.http.listen)
  const sample = sampleEntries()
  const takeBack = rememberFolder(resolve(data_dir))
  let before: Before = 'nothing'
  return {
    interrupted: EXIT.interrupted,
    async built(daemon) {
      const api = apiOf(daemon)
      before = await whatIsThere(api, new Set(sample.map(({ domain }) => String(domain))))
      if (before === 'others')
        throw refusal(`${data_dir} holds an installation that the quickstart did not make.`)
      const met = before === 'nothing' ? await metBy(api, sample) : []
      if (met.length > 0)
        throw refusal(`The sample estate would meet what was there before:\n  ${met.join('\n  ')}`)
    },
    refused: takeBack,
    async opened(daemon, address) {
      const api = await remoteApi(address, daemon.key)
      const done = before === 'sample' ? KEPT : await applySample(api, sample)
      // Whoever reads what is printed asks next how things are: everything has been looked at by then.
      await expectGood(api, { method: 'GET', path: '/api/control-plane/health?probe=true' })
      const link = await linkOf(api, address)
      process.stdout.write(`\n${welcome(daemon, { address, data_dir, listen, done, link }).join('\n')}\n\n`)
    },
  }
}

const refusal = (text: string): Failure =>
  new Failure(
    'conflict',
    `${text}\nNothing was started or changed. Run what is there with "npm start", or give the quickstart a folder of its own ` +
      'with PLUMBLINE_DATA_DIR.',
  )

type Before = 'nothing' | 'sample' | 'others'

const KEPT = 'The sample estate was applied before: what you have made of it since is as you left it.'

async function whatIsThere(api: Api, sample: ReadonlySet<string>): Promise<Before> {
  const first = await firstReleased(api)
  if (first.length > 0) return first.every((domain) => sample.has(domain)) ? 'sample' : 'others'
  const records = await expectGood<readonly object[]>(api, { method: 'GET', path: '/api/domains?limit=1' })
  return records.length === 0 ? 'nothing' : 'others'
}

/** The names that the oldest release with any records moved: the first of all has none. Empty where there is no such release. */
async function firstReleased(api: Api): Promise<readonly string[]> {
  for (let number = 1; ; number++) {
    const answer = await api.call({ method: 'GET', path: `/api/releases/${number}` })
    if (answer.status === 404) return []
    const { rows } = goodBody<{ readonly rows: readonly { readonly domain: string }[] }>(answer)
    if (rows.length > 0) return rows.map(({ domain }) => domain)
  }
}

/** What somebody else has where the sample would write. */
async function metBy(api: Api, domains: readonly object[]): Promise<readonly string[]> {
  const request = { method: 'POST', path: '/api/estate?dry_run=true', body: { domains } } as const
  const { plan } = await expectGood<{ plan: Pick<Plan, 'refused' | 'actions'> }>(api, request)
  return [
    ...plan.refused.map(({ message }) => message),
    ...plan.actions.filter(({ before }) => before !== null).map(({ item }) => `${item} exists already.`),
  ]
}

async function applySample(api: Api, domains: readonly object[]): Promise<string> {
  process.stderr.write(`Applying the sample estate of ${domains.length} domains …\n`)
  const request = { method: 'POST', path: '/api/estate', body: { domains } } as const
  return (await expectGood<{ message: string }>(api, request)).message
}

/** Without a socket: nothing outside has been looked at yet. */
const apiOf = (daemon: Daemon): Api => ({
  where: 'this process',
  call: callOf(daemon),
  close: async () => undefined,
})

/** The address alone where links sign nobody in. */
async function linkOf(api: Api, address: string): Promise<string> {
  const { status, body } = await api.call({ method: 'POST', path: '/api/session/code' })
  return status === 201 ? consoleLink(address, (body as { readonly code: string }).code) : `${address}/`
}

interface Facts {
  readonly link: string
  readonly address: string
  readonly data_dir: string
  /** As the setting has it. */
  readonly listen: string
  readonly done: string
}

/** Every command works as it is printed, from any folder. Every path is a word of the shell: it may hold blanks. */
function welcome(daemon: Daemon, { address, data_dir, listen, done, link }: Facts): readonly string[] {
  const listens = listen === USUAL_LISTEN ? '' : `PLUMBLINE_LISTEN=${word(listen)} `
  const where = `PLUMBLINE_DATA_DIR=${word(resolve(data_dir))} `
  const plumbline = `${where}${word(COMMAND)}`
  const routes_file = word(resolve(daemon.routes_path))
  return [
    `  Plumbline is running. ${done}`,
    '',
    `  console       ${link}`,
    '                (signs in once, within a minute; the command console prints another)',
    `  routes file   ${routes_file}`,
    `  API           ${address}/api/domains`,
    `  API docs      ${address}/docs`,
    `  API key       ${daemon.key_path === null ? 'from API_KEY' : word(resolve(daemon.key_path))}`,
    '',
    '  Try, in another terminal:',
    `    ${plumbline} domains`,
    `    echo "# oops" >> ${routes_file}    # undone within two seconds`,
    `    ${plumbline} status`,
    `    ${plumbline} console`,
    '',
    '  Ctrl-C stops it. What it keeps is in the data directory; start it again with',
    `    ${where}${listens}${word(COMMAND)} serve`,
  ]
}

/** As a POSIX shell takes it, also within the double quotes of `"$( … )"`. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

function sampleEntries(): readonly Record<string, unknown>[] {
  const read = yamlDocuments.read(readFileSync(SAMPLE, 'utf8'))
  if (!read.ok) throw new Failure('internal', `the sample estate is not readable: ${read.msg}`)
  const estate = readEstate(read.data)
  if (!estate.ok) throw new Failure('internal', estate.faults.map(faultText).join('\n'))
  return estate.entries.map(({ input, status }) => ({ ...input, status }))
}
