/** A body with several faults is answered with all of them at once, whoever finds them: its form, its grammar, its rules. */
import { expect, it } from 'vitest'
import type { FieldError } from '../../src/kernel/failure.ts'
import { APP, create, openTestHouse, type TestHouse } from './test-house.ts'

const faults = async ({ call }: TestHouse, method: 'POST' | 'PUT', path: string, body: unknown) => {
  const answer = await call(method, path, { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(422)
  const errors = answer.body['errors'] as unknown as readonly FieldError[]
  return errors.map(({ loc }) => loc.slice(1).join('.')).toSorted()
}

/** Wrong type, unknown name, no grammar, broken rules, another status. */
const WRONG = {
  domain: 'no name',
  service_type: 'http',
  environment: 'test',
  backend_host: null,
  backend_port: '8080',
  protocol: 'tcp',
  cors_enabled: true,
  default_path: 'app',
  middleware_config: { extra_middlewares: ['nothing-of-ours'] },
  colour: 'red',
  status: 'active',
}
const ALL = [
  'backend_host',
  'backend_port',
  'colour',
  'cors_enabled',
  'default_path',
  'domain',
  'environment',
  'middleware_config.extra_middlewares',
  'status',
  'tcp_entrypoint',
]

it('a new record, a change of one, and an exposure', async () => {
  await using at = await openTestHouse({ opened: false })
  const near = { ...APP, service_type: 'htp', enviroment: 'test', backend_port: 'x' }
  const { body } = await at.call('POST', '/api/domains', { body: near })
  const hints = (body['errors'] as unknown as readonly (FieldError & { readonly hint?: string })[]).map(
    ({ loc, hint }) => [loc.at(-1), hint],
  )
  expect(hints).toEqual(
    expect.arrayContaining([
      ['service_type', 'http'],
      ['enviroment', 'environment'],
      ['backend_port', undefined],
    ]),
  )
  const id = await create(at.call)
  expect(await faults(at, 'POST', '/api/domains', WRONG)).toEqual(ALL)
  expect(await faults(at, 'PUT', `/api/domains/${id}`, { ...WRONG, revision: 7 })).toEqual(
    [...ALL, 'revision'].toSorted(),
  )
  const { status: _, ...exposed } = WRONG
  expect(await faults(at, 'POST', '/api/domains/expose', exposed)).toEqual(
    ALL.filter((name) => name !== 'status'),
  )
})

it('what has its form is judged by the rules beside what has not', async () => {
  await using at = await openTestHouse({ opened: false })
  const body = { ...APP, backend_port: 70_000, protocol: 'tcp', domain: 'co.uk' }
  expect(await faults(at, 'POST', '/api/domains', body)).toEqual(['backend_port', 'domain', 'tcp_entrypoint'])
  expect(await faults(at, 'POST', '/api/domains', {})).toEqual([
    'backend_host',
    'backend_port',
    'domain',
    'environment',
    'service_type',
  ])
})

it.each(['[]', 'null', '7', '"text"'])('a body that is %s has one fault', async (body) => {
  await using at = await openTestHouse({ opened: false })
  expect(await faults(at, 'POST', '/api/domains', JSON.parse(body))).toEqual([''])
})

it('a change of a record that is not there is told by its body alone', async () => {
  await using at = await openTestHouse({ opened: false })
  expect(await faults(at, 'PUT', '/api/domains/77', { backend_port: 'x' })).toEqual(['backend_port'])
})

it.each([
  [
    '/api/users/invite',
    { email: 'nobody', display_name: 7, groups: ['a b'], username: 'x', colour: 'red' },
    ['colour', 'display_name', 'email', 'groups'],
  ],
  [
    '/api/ssh-clients',
    { public_key: 'ssh-ed25519 AAAA', name: 'no name', options: { pty: 'yes' }, colour: 'red' },
    ['colour', 'name', 'options.pty', 'public_key'],
  ],
  [
    '/api/ccm/edge/edges',
    { name: 'No Name', hostname: 'no name', address: '300.1.1.1', region: 7 },
    ['address', 'hostname', 'name', 'region'],
  ],
  [
    '/api/email/send',
    { from_address: 'nobody', to: ['nobody'], subject: 'a\nb', text: 7, colour: 'red' },
    ['colour', 'from_address', 'subject', 'text', 'to.0'],
  ],
])('%s', async (path, body, wanted) => {
  await using at = await openTestHouse({ opened: false })
  expect(await faults(at, 'POST', path, body)).toEqual(wanted)
})
