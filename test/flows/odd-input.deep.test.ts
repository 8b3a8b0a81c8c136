/** Odd calls of every endpoint: each answer is documented, fits its schema and is no 5xx. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Answered } from './client.ts'
import { type Description, oddCalls, type Place } from './odd-calls.ts'
import { peopleWorld } from './people-world.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { TIER } from '../kit/tier.ts'
import { newFolder } from '../kit/new-folder.ts'

/** Of each endpoint; more of them for a longer look. */
const CALLS = TIER === 'nightly' ? 1000 : 40

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl jo@laptop'

/** Bodies that are taken, by the name of the call. */
const RIGHT: Readonly<Record<string, object>> = {
  inviteUser: { display_name: 'Jo Doe', email: 'jo@example.net', groups: ['family'] },
  setUserGroups: { groups: ['family'] },
  sendEmail: { from_address: 'plumbline@example.com', to: ['jo@example.net'], subject: 'Hi', text: 'there' },
  addSshClient: { public_key: KEY, options: { pty: true } },
  removeSshClient: { key: 'jo@laptop' },
  createEdge: { name: 'ams1' },
  updateEdge: {},
  addHeartbeat: { name: 'watchdog' },
  edgeHeartbeat: { config_version: 'abc' },
  setMode: { mode: 'repair' },
}

const PLACES = [
  '1',
  '2',
  '0',
  '-1',
  '9007199254740991',
  'owner',
  'Owner',
  'jo.doe',
  'app.example.com',
  'routes',
  '*',
]

it('whatever is asked, the answer is documented and fits its schema', async () => {
  await using world = await peopleWorld()
  const folder = newFolder('odd')
  const env = {
    ...world.env,
    PLUMBLINE_AUTHORIZED_KEYS: join(folder, 'authorized_keys'),
    PLUMBLINE_SSO_RULES_FILE: join(folder, 'rules.yml'),
    PLUMBLINE_MAIL_PER_MINUTE: '10000',
  }
  await using at = await openTestHouse({ env })
  await createActive(at.call)
  for (const name of ['fra1', 'fra2']) await at.call('POST', '/api/ccm/edge/edges', { body: { name } })
  const description = (await at.call('GET', '/openapi.json')).body as unknown as Description
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema(description, 'openapi')
  const faults: string[] = []
  const answered = new Set<number>()
  for (const place of placesIn(description)) {
    const { method, operation } = place
    const right = RIGHT[operation.operationId]
    for (const { path, body } of fc.sample(oddCalls(place, description, { right, places: PLACES }), CALLS)) {
      const headers = {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const answer = await at.call(method.toUpperCase(), path, { body, headers })
      answered.add(answer.status)
      const fault = faultOf(answer, place, ajv)
      if (fault !== null) faults.push(`${method} ${path} ${JSON.stringify(body)} ${fault}`)
    }
  }
  rmSync(folder, { recursive: true })
  expect(faults).toEqual([])
  expect([...answered]).toEqual(expect.arrayContaining([200, 201, 404, 409, 422]))
})

const placesIn = ({ paths }: Description): readonly Place[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))

function faultOf(
  { status, body, headers }: Answered,
  { path, method, operation }: Place,
  ajv: Ajv2020,
): string | null {
  // What they ask is another server, which is not here (alerting-alerts.test.ts).
  const is_away = status === 503 && /^(?:alerts|ackAlert|testAlert)$/.test(operation.operationId)
  if (status >= 500 && !is_away) return `answered ${status} ${JSON.stringify(body)}`
  const described = operation.responses[String(status)]
  // A value that is no segment leads to another path.
  if (described === undefined)
    return [404, 405].includes(status) ? null : `answered ${status}, which is not documented`
  const type = headers.get('content-type') ?? ''
  if (described.$ref !== undefined)
    return type === 'application/problem+json'
      ? validated(body, `${described.$ref}/content/${slashed(type)}`, ajv)
      : type
  const media = Object.keys(described.content ?? {}).find((name) => type.startsWith(name))
  if (media === undefined) return `answered ${status} as ${type}`
  const steps = ['#', 'paths', path, method, 'responses', String(status), 'content', media]
  return media.endsWith('json') ? validated(body, steps.map(slashed).join('/'), ajv) : null
}

const slashed = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))

function validated(body: unknown, pointer: string, ajv: Ajv2020): string | null {
  const validate = ajv.getSchema(`openapi${pointer.replace(/^%23/, '#')}/schema`)!
  return validate(body) === true ? null : `answered what does not fit: ${ajv.errorsText(validate.errors)}`
}
