/**
 * The description before the judges of others, as it stands: linters, makers of clients, and Schemathesis, which calls
 * everything that is described but the stream of events.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { ask, describeJudges } from '../peers/judges.ts'
import { peopleWorld } from './people-world.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../../schema/${name}`, import.meta.url))
const DOCUMENT = fileOf('openapi.json')

/** Where a house listens, and its key. */
function served({ house, directory }: TestHouse) {
  const { listen } = JSON.parse(readFileSync(join(directory, 'holder.json'), 'utf8')) as { listen: string }
  return { url: listen, key: house.key.reveal() }
}

let cwd = ''
beforeAll(() => void (cwd = newFolder('judged')))

describeJudges(['redocly', 'spectral'], 'linters find nothing', () => {
  it('Redocly', async () => {
    const { code, out } = await ask(
      'redocly',
      ['lint', '--config', fileOf('redocly.yaml'), '--format=json', DOCUMENT],
      { cwd },
    )
    expect(out).toMatch(/"errors": 0,\s*"warnings": 0/)
    expect(code, out).toBe(0)
  })

  it('Spectral', async () => {
    const args = ['lint', '-r', fileOf('spectral.yaml'), '--fail-severity=hint', DOCUMENT]
    const { code, out } = await ask('spectral', args, { cwd })
    expect(code, out).toBe(0)
  })
})

const ROUND_TRIP = `
import sys
from plumb import AuthenticatedClient
from plumb.api.domains import create_domain, get_domain
from plumb.models import Domain, DomainCreate, DomainCreateEnvironment, DomainCreateServiceType, Success
client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2], prefix="", auth_header_name="X-API-Key")
made = create_domain.sync(client=client, body=DomainCreate(
    domain="made.example.com", service_type=DomainCreateServiceType.HTTP,
    environment=DomainCreateEnvironment.PRODUCTION, backend_host="10.0.0.9", backend_port=8080))
assert isinstance(made, Success), made
read = get_domain.sync(made.domain_id, client=client)
assert isinstance(read, Domain), read
print(read.domain, read.backend_port)
`

describeJudges(['openapi-python-client', 'python'], 'a client in Python', () => {
  it('is made without a warning about the document, and does the round trip', async () => {
    const made = await ask(
      'openapi-python-client',
      ['generate', '--path', DOCUMENT, '--meta', 'none', '--output-path', join(cwd, 'plumb')],
      { cwd },
    )
    expect(made.code, made.out).toBe(0)
    expect(made.out).not.toMatch(/unsupported|will be ignored|invalid/i)
    expect(readFileSync(join(cwd, 'plumb', 'models', 'domain.py'), 'utf8')).toMatch(/^class Domain:/m)
    writeFileSync(join(cwd, 'trip.py'), ROUND_TRIP)
    await using at = await openTestHouse()
    const { url, key } = served(at)
    const tripped = await ask('python', ['trip.py', url, key], { cwd })
    expect(tripped.out).toBe('made.example.com 8080\n')
  })
})

describeJudges(['openapi-typescript', 'tsc'], 'types for TypeScript', () => {
  it('are made, and hold a record', async () => {
    const target = join(cwd, 'plumb.d.ts')
    const made = await ask('openapi-typescript', [DOCUMENT, '-o', target], { cwd })
    expect(made.code, made.out).toBe(0)
    expect(readFileSync(target, 'utf8')).toMatch(/^ {8}Domain: \{/m)
    writeFileSync(join(cwd, 'use.ts'), USE)
    const { code, out } = await ask('tsc', ['--noEmit', '--strict', '--skipLibCheck', 'false', 'use.ts'], {
      cwd,
    })
    expect(code, out).toBe(0)
  })
})

const USE = `import type { components, operations } from './plumb'
type Create = operations['createDomain']['requestBody']['content']['application/json']
export const body: Create = { domain: 'a.example.com', service_type: 'http', environment: 'production' }
export const port = (record: components['schemas']['Domain']): number | null => record.backend_port
`

/**
 * A key that is missing or wrong is not tried: more than ten a minute are refused with 429, which the check takes for a fault.
 * The rest are all checks that there are.
 */
const CHECKS = ['--checks=all', '--exclude-checks=ignored_auth']

/**
 * A rehearsal deletes nothing, and what is read after it is there. Schemathesis takes its 200 for a deletion and the rest for
 * a fault (ST301); so it deletes in earnest, and what it finds to be there then is one.
 */
const DELETES_TRULY = `
[[operations]]
include-method = "DELETE"
parameters = { "query.dry_run" = "false" }
`

/** What they ask is the alert router, which is not here: 503 is the right answer (alerting-alerts.test.ts). */
const OF_ANOTHER_SERVER = ['alerts', 'ackAlert', 'testAlert']

describeJudges(['schemathesis'], 'Schemathesis', () => {
  it('finds no server error, and no answer that is not described; what fits the description is taken', async () => {
    await using world = await peopleWorld()
    const keys = join(cwd, 'authorized_keys')
    // A key that the service cannot change: one of its own would be rotated, and the rest of the calls refused.
    const env = {
      ...world.env,
      PLUMBLINE_AUTHORIZED_KEYS: keys,
      API_KEY: 'given-from-outside-0123456789-0123456789',
    }
    await using at = await openTestHouse({ env })
    const { url, key } = served(at)
    writeFileSync(join(cwd, 'schemathesis.toml'), DELETES_TRULY)
    const { out } = await ask(
      'schemathesis',
      [
        'run',
        `${url}/openapi.json`,
        '-H',
        `X-API-Key: ${key}`,
        '--exclude-operation-id=events',
        ...OF_ANOTHER_SERVER.map((id) => `--exclude-operation-id=${id}`),
        '-n',
        '15',
        '-w',
        '2',
        '--continue-on-failure',
        '--max-time=200',
        '--seed=1',
        '--no-color',
        ...CHECKS,
      ],
      { cwd, timeout_ms: 800_000 },
    )
    const faults = faultsIn(out)
    expect(
      faults.filter(({ kind }) => !TAKEN.has(kind)),
      out.slice(-4000),
    ).toEqual([])
    const tested = Number(/Tested: (\d+)/.exec(out)?.[1])
    expect(tested).toBeGreaterThan(60)
    const refused = new Set(faults.map(({ operation }) => operation))
    expect(refused.size, [...refused].join('\n')).toBeLessThanOrEqual(REFUSED * tested)
    const answer = await at.call('GET', '/api/domains')
    expect(answer).toMatchObject({ status: 200 })
    const { body } = answer
    expect((body as unknown as readonly unknown[]).length).toBeGreaterThan(0)
  }, 900_000)
})

/** The part of the operations that may refuse something that fits: a change that does not fit its record. */
const REFUSED = 0.05

/**
 * Refusals that no description could foresee, or that are of the tool's own making: a revision that somebody made up, a key
 * that was used, a cursor that nobody was given, a time that has passed, a certificate that is none, and a link whose field
 * was null, which it writes as `None`. An address that is not public has to be said, and a rehearsal fetches no certificate.
 */
const NOT_COUNTED = new RegExp(
  [
    String.raw`\[412\]`,
    'idempotency_key_reused',
    '"type":"cursor"',
    'must be in the future',
    'must be within 90 days',
    'a certificate that cannot be read',
    String.raw`\/None(?=[/'?\s])`,
    'the address of the connection is not a public one',
    'a dry run asks nobody',
  ].join('|'),
)

/** A body that is too large is refused before it is read; the tool does not know 413 for a refusal. */
const TOO_LARGE = /^\[413\]/m

/** What fits the description and is refused: counted. Everything else is a fault. */
const TAKEN = new Set(['ST202'])

interface Fault {
  readonly operation: string
  readonly kind: string
}

/**
 * As its text tells them: a heading for each operation, a block for each fault. Those of whole scenarios have one heading
 * together, and each is of the operation that its last call was of.
 */
function faultsIn(out: string): readonly Fault[] {
  return out.split(/\n(?=_{3,} )/).flatMap((part) => {
    const heading = /^_{3,} (.+) _{3,}/.exec(part)?.[1]
    if (heading === undefined) return []
    return part.split(/\n(?=- ST)/).flatMap((block): Fault[] => {
      const kind = /^- (ST\d+) /.exec(block)?.[1]
      if (kind === undefined || (TAKEN.has(kind) && NOT_COUNTED.test(block))) return []
      if (kind === 'ST201' && TOO_LARGE.test(block)) return []
      return [{ operation: /^[A-Z]+ \//.test(heading) ? heading : calledLast(block), kind }]
    })
  })
}

const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { readonly paths: object }
/** Words before names: `/api/domains/stats` is no id. */
const PATHS = Object.keys(document.paths).toSorted((a, b) => a.split('{').length - b.split('{').length)

function calledLast(block: string): string {
  const [, method, url] =
    [...block.matchAll(/curl -X ([A-Z]+) .*?'?(http:\/\/127\.0\.0\.1:\d+[^\s']*)/g)].at(-1) ?? []
  const called = new URL(url ?? 'http://nothing.invalid').pathname
  const path = PATHS.find((one) => new RegExp(`^${one.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(called))
  return `${method} ${path ?? called}`
}
