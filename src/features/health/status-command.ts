/** `plumbline status`: is all well, what was deployed last, and does the proxy run it? Made for CI: 0 all well, 2 not, 3 unknown. */
import type { HealthAnswer } from './read-health.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { liveDomains, tellUnreached } from '../../cli/backends.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { UNKNOWN_RULES } from '../../model/health.ts'
import { isKnownWrong, tellHealth } from './tell-health.ts'
import { actorShown } from '../../cli/text/actor-shown.ts'
import { type Terminal, shortTime, styled, tellJson } from '../../cli/text/terminal.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import { mergedWarnings } from '../../cli/text/tell-warnings.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { flagOf } from '../../cli/words/given.ts'
import { withApi } from '../../cli/with-api.ts'
import type { DeployStatusAnswer, ProxyStatusAnswer } from '../routes/views.ts'
import type { ListedCondition } from './views.ts'
import { firstNames } from '../../kernel/text/first-names.ts'

export const status: Verb = {
  name: 'status',
  help: 'Shows whether all is well, what was deployed, and whether the proxy runs it.',
  notes: [
    'Made for CI: exit code 0 all well, 2 something is not, 3 unknown, as of what is suspended and where nobody answers at --url. Where no daemon runs it is never 0: it may be well now, and nothing keeps it so.',
    'In the end it asks the backends of a dozen domains, and warns of those that do not answer from here; the exit code is about what is kept true.',
  ],
  forms: [
    {
      words: '',
      help: 'Shows one verdict over everything, with what it rests on.',
      options: { probe: { help: 'Looks afresh instead of telling the last look.' } },
      examples: [
        ['status', 'Is all well?'],
        ['status --probe', 'Is it, as of now?'],
      ],
      is_long: true,
      is_look: () => true,
      run: (context) => statusOf(context),
    },
  ],
}

async function statusOf(context: VerbContext): Promise<number> {
  const { terminal, options } = context
  const found = await withApi(context, async (api) => {
    const found = await ask(api, flagOf(options, 'probe'))
    // Before the verdict, which reads like one of a system that is kept.
    if (!found.is_kept) terminal.note(NO_DAEMON)
    if (terminal.json) tellJson(terminal, { ...found.deployed, health: found.health })
    else {
      tellHealth(found.health, terminal, found.is_kept)
      terminal.out('')
      tell(found, terminal)
      tellUnaddressed(await unaddressed(api), terminal)
      await tellUnreached(api, await liveDomains(api), terminal)
    }
    return found
  })
  const code = exitCode(found.health)
  return code === EXIT.ok && !found.is_kept ? EXIT.unknown : code
}

const NO_DAEMON =
  'No daemon runs: this was looked at just now, and nothing keeps it so. Start it with "plumbline serve", or "systemctl start plumbline".'

interface StatusAnswers {
  readonly health: HealthAnswer
  readonly deployed: DeployStatusAnswer
  /** False where no daemon runs. */
  readonly is_kept: boolean
}

/** Each waits for the rules of the database as long as a caller of a daemon can. */
const MAX_PROBES = 10

/** Where no daemon runs nobody has looked before us, and nobody will after us. */
async function ask(api: Api, probe: boolean): Promise<StatusAnswers> {
  const is_own = api.where === 'this process'
  const query = probe || is_own ? '?probe=true' : ''
  const deployed = await expectGood<DeployStatusAnswer>(api, { method: 'GET', path: '/api/deploy/status' })
  const look = () =>
    expectGood<HealthAnswer>(api, { method: 'GET', path: `/api/control-plane/health${query}` })
  let health = await look()
  for (let probes = 1; is_own && probes < MAX_PROBES && isBeforeFirstLook(health); probes++)
    health = await look()
  return { health, deployed, is_kept: !is_own }
}

/** One rule that is not known stands for all of them. */
const isBeforeFirstLook = ({ invariants }: HealthAnswer): boolean =>
  invariants.every(({ name }) => name === UNKNOWN_RULES)

/** What is known to be wrong goes before what is not known. */
function exitCode({ ok, components, invariants }: HealthAnswer): number {
  if (ok) return EXIT.ok
  const wrong =
    components.some((part) => part.configured && isKnownWrong(part)) ||
    invariants.some(({ holds }) => holds === false)
  return wrong ? EXIT.drift : EXIT.unknown
}

function tell({ deployed: found, health }: StatusAnswers, terminal: Terminal): void {
  const { timestamp, success, release, domain_count, source, newest } = found
  const lines = [
    ...(newest === null
      ? []
      : [
          [
            'newest',
            `release ${newest.release}: ${newest.reason}, by ${actorShown(newest.actor)} at ${shortTime(newest.at)}`,
          ],
        ]),
    [
      'deploy-all',
      timestamp === null
        ? newest === null
          ? 'never'
          : 'never used: each domain was deployed by itself'
        : `${success === true ? 'succeeded' : 'failed'} at ${shortTime(timestamp)}: release ${release ?? 'none'}, ` +
          `${domain_count} domains${source === 'file' ? ' (told by the file beside the routes)' : ''}`,
    ],
    ['proxy', proxyLine(found.proxy)],
    ['loaded', loadedLine(found)],
    ...signInLines(health),
  ]
  tellTable(terminal, lines)
  tellThen(found, terminal)
  for (const { router, errors } of found.proxy.routers?.faults ?? [])
    tellProse(terminal, `  in error: ${router}${errors.length === 0 ? '' : `: ${errors.join('; ')}`}`)
  if (found.proxy.entrypoints_detail !== null)
    tellProse(terminal, styled('red', `  ${found.proxy.entrypoints_detail}`))
  if (found.proxy.not_compared !== null) tellProse(terminal, `  ${found.proxy.not_compared}`)
}

/** As much as a line of warnings names. */
const MAX_NAMED = 3

/** Live names that are as they were released, and that nobody finds: as `plumbline domains` says of each. Not asked is none. */
async function unaddressed(api: Api): Promise<readonly string[]> {
  const path = '/api/conditions'
  const all = await expectGood<readonly ListedCondition[]>(api, { method: 'GET', path }).catch(() => [])
  return all.flatMap(({ reason, domain }) => (reason === 'not_rendered' && domain !== null ? [domain] : []))
}

function tellUnaddressed(names: readonly string[], terminal: Terminal): void {
  if (names.length === 0) return
  const who = firstNames(names, MAX_NAMED)
  const words = 'no DNS record is made, as no address is known; that is no fault'
  tellProse(terminal, styled('yellow', `${who}: ${words}: "plumbline explain" says how to give one.`))
}

/** They are that deploy's words: who reads them now is told how old they are. */
function tellThen({ timestamp, warnings }: DeployStatusAnswer, terminal: Terminal): void {
  if (warnings.length === 0) return
  const when = timestamp === null ? 'then' : `at ${shortTime(timestamp)}`
  tellProse(terminal, `The deploy-all warned ${when}, which may be over by now:`)
  for (const warning of mergedWarnings(warnings)) tellProse(terminal, styled('dim', `  ${warning}`))
}

function proxyLine({ configured, reachable, api, version, started_at, routers }: ProxyStatusAnswer): string {
  if (!configured) return 'not asked: PLUMBLINE_TRAEFIK_API is not set'
  if (reachable !== true) return styled('yellow', `${api} cannot be read`)
  const since = started_at === null ? '' : ` since ${shortTime(started_at)}`
  return `Traefik ${version}${since}, ${routers?.total ?? 0} routers`
}

/** What asks for a sign-in that nobody looks at; none where there is nothing to say. */
function signInLines({ components }: HealthAnswer): readonly (readonly string[])[] {
  const named = (name: string) => components.find((part) => part.name === name)
  const asking = named('sso_attachments')?.details['protected_domains']
  if (named('sso_provider')?.configured !== false || typeof asking !== 'number' || asking === 0) return []
  const who = asking === 1 ? '1 domain asks' : `${asking} domains ask`
  const why = `PLUMBLINE_SSO_URL is not set, and ${who} for one; "plumbline doctor" looks for the SSO provider`
  return [['sign-in', styled('yellow', `not asked: ${why}`)]]
}

function loadedLine({ loaded, proxy }: DeployStatusAnswer): string {
  if (loaded === true) return styled('green', `yes${proxy.detail === null ? '' : `. ${proxy.detail}`}`)
  return loaded === null
    ? styled('yellow', `unknown: ${proxy.detail ?? ''}`)
    : styled('red', `no: ${proxy.detail ?? ''}`)
}
