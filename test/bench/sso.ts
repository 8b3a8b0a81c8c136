/** Single sign-on over 1,000 protected domains: rules written and read, the report, a round of the proof, a pass with nothing to do. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { yamlDocuments } from '../../src/io/yaml/documents.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon, type Daemon } from '../../src/build-daemon.ts'
import { movedClock } from '../kit/moved-clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { readRules } from '../../src/features/sso/target/read-rules.ts'
import type { Intent } from '../../src/model/intent.ts'
import { ssoDesired } from '../../src/features/sso/target/desire.ts'
import { MAX_RULES_BYTES } from '../../src/features/sso/target/rules-view.ts'
import { parse, stringify } from 'yaml'
import { startAuthelia } from '../fakes/sso/authelia.ts'
import { type Client, clientOf } from '../flows/client.ts'
import { startProvenProxy } from '../flows/proven-proxy.ts'
import { aRow } from '../fixtures.ts'
import { estateOf } from './estate.ts'
import { must } from './filled-house.ts'
import { median, ms, paired, type Row, timed } from './measure.ts'

const SIZE = 1000
const ROUNDS = 40
/** Each of these calls sends some two thousand requests. */
const ASKED_ANEW = 4
const SETTINGS = { default_policy: 'one_factor', policies: new Map() } as const
const names = Array.from({ length: SIZE }, (_, i) => `app-${String(i).padStart(6, '0')}.example.com`)
const intent: Intent = { rows: names.map((domain, i) => aRow({ domain_id: i + 1, domain })) }

export async function ssoRows(): Promise<Row[]> {
  return [await rendered(), await read(), ...(await inHouse())]
}

async function rendered(): Promise<Row> {
  const data = parse(ssoDesired(intent, SETTINGS).text) as unknown
  const { ours_ms, theirs_ms, times_faster } = await paired(
    { rounds: 9, ours_per_round: 5 },
    () => ssoDesired(intent, SETTINGS),
    () => stringify(data),
  )
  return {
    goal: 'rules of 1,000 protected domains against `yaml` stringify',
    figure: `${times_faster.toFixed(0)}x faster (${ms(ours_ms)} against ${ms(theirs_ms)} ms)`,
    limit: 'at least 5x',
    ok: times_faster >= 5,
  }
}

/** Once for every text; an unchanged one is not read again. */
async function read(): Promise<Row> {
  const { text } = ssoDesired(intent, SETTINGS)
  const { ours_ms, theirs_ms, times_faster } = await paired(
    { rounds: 9, ours_per_round: 1 },
    () => {
      const found = yamlDocuments.read(text, { max_bytes: MAX_RULES_BYTES })
      if (!found.ok || !readRules(found.data).ok) throw new Error('rules that cannot be read')
    },
    () => parse(text) as unknown,
  )
  const slower = 1 / times_faster
  return {
    goal: 'reading and checking the rules of 1,000 domains against `yaml` parse alone',
    figure: `${slower.toFixed(1)}x (${ms(ours_ms)} against ${ms(theirs_ms)} ms)`,
    limit: 'at most 3x',
    ok: slower <= 3,
  }
}

interface Measured {
  readonly house: Daemon
  readonly client: Client
  /** Lets a minute pass: every route is due again. */
  readonly later: () => void
  readonly asked: () => number
}

async function inHouse(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const rules = join(directory, 'rules', 'access-control.yml')
  const routes = join(directory, 'traefik', 'routes.yml')
  const authelia = await startAuthelia(rules)
  const proxy = await startProvenProxy({ routes, authelia: () => authelia.url })
  const clock = movedClock()
  const env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_SSO_RULES_FILE: rules,
    PLUMBLINE_SSO_URL: authelia.url,
    PLUMBLINE_SSO_RESTART: authelia.restart_setting,
    PLUMBLINE_SSO_RESTART_GAP: '0',
    PLUMBLINE_SSO_PROBE: proxy.address,
    PLUMBLINE_SSO_PROBE_HTTP: proxy.plain_address,
  }
  const house = await buildDaemon(loadConfig(env), { log: silentLog, clock })
  try {
    const client = clientOf(house)
    await must(client, 'POST', '/api/estate', {
      domains: estateOf(SIZE).map(({ fields, status }) => ({
        ...fields,
        auth_required: true,
        status,
      })),
    })
    const measured: Measured = {
      house,
      client,
      later: () => clock.pass(60_001),
      asked: () => proxy.asked.length + proxy.asked_plain.length,
    }
    return [...(await proof(measured)), await report(measured), await idle(measured)]
  } finally {
    await house.close()
    await proxy.stop()
    await authelia.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A round ends in time and goes on in the next; both ends of every TLS connection run in this process. */
async function proof({ house, later, asked }: Measured): Promise<Row[]> {
  later()
  const before = asked()
  const from = process.cpuUsage()
  const rounds: number[] = []
  for (let done = -1; asked() !== done;) {
    done = asked()
    rounds.push(await timed(() => house.engine.converge('open', { records: 'all', component: 'sso-proof' })))
  }
  const { user, system } = process.cpuUsage(from)
  const cpu_ms = (user + system) / 1000 / SIZE
  const questions = asked() - before
  const longest_ms = Math.max(...rounds)
  return [
    {
      goal: 'the proof of 1,000 protected domains at both doors, once a minute',
      figure: `${questions} requests, ${ms(cpu_ms)} ms CPU a domain with the proxy’s and the provider’s side, longest round ${ms(longest_ms / 1000)} s`,
      limit: 'at most 2,200 requests, 12 ms CPU, 20 s',
      ok: questions > SIZE && questions <= 2_200 && cpu_ms <= 12 && longest_ms <= 20_000,
    },
  ]
}

async function report({ client }: Measured): Promise<Row> {
  const times: number[] = []
  const ask = () => must(client, 'GET', '/api/sso/drift')
  await ask()
  const from = process.cpuUsage()
  for (let round = 0; round < ASKED_ANEW; round++) await ask()
  const { user, system } = process.cpuUsage(from)
  const cpu_ms = (user + system) / 1000 / ASKED_ANEW
  for (let round = 0; round < ASKED_ANEW; round++) times.push(await timed(ask))
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(ASKED_ANEW * 0.95)]!
  return {
    goal: '/api/sso/drift over 1,000 protected domains, each asked anew at both doors',
    figure: `${ms(cpu_ms / SIZE)} ms CPU a domain with the proxy’s and the provider’s side (p95 ${ms(p95)} ms, median ${ms(median(times))} ms)`,
    limit: 'at most 12 ms CPU',
    ok: cpu_ms / SIZE <= 12,
  }
}

async function idle({ house }: Measured): Promise<Row> {
  const pass = async () => {
    await house.engine.converge('open', { records: 'all', component: 'sso' })
    await house.engine.converge('open', { records: 'all', component: 'sso-proof' })
  }
  await pass()
  const from = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) await pass()
  const { user, system } = process.cpuUsage(from)
  const cpu_ms = (user + system) / 1000 / ROUNDS
  return {
    goal: 'a pass over the rules and the proof of 1,000 domains with nothing to do, CPU',
    figure: `${ms(cpu_ms)} ms`,
    limit: 'under 20 ms',
    ok: cpu_ms < 20,
  }
}
