/** From Traefik's words to the port's: nothing secret, nothing endless, nothing that drives a terminal. */
import { expect, it } from 'vitest'
import {
  entrypointOf,
  middlewareOf,
  routerOf,
  serviceOf,
  withoutSecrets,
} from '../../../../src/features/routes/traefik/shown.ts'
import { Entrypoint, Middleware, Router, Service } from '../../../../src/features/routes/traefik/wire.ts'

it.each([
  ['http://10.0.0.5:80', 'http://10.0.0.5:80'],
  ['https://user:pass@auth.example/x', 'https://auth.example/x'],
  ['http://auth.example/verify?token=abc', 'http://auth.example/verify'],
  ['http://auth.example/#abc', 'http://auth.example/'],
  ['user:pass@10.0.0.1:22', '10.0.0.1:22'],
  ['http://user:p ss@[bad/x?y', 'http://[bad/x'],
  ['10.0.0.1:22', '10.0.0.1:22'],
])('%s is shown as %s', (address, shown) => {
  expect(withoutSecrets(address)).toBe(shown)
})

it.each<[object, readonly string[]]>([
  [{}, []],
  [{ forwardedHeaders: null }, []],
  [{ forwardedHeaders: { trustedIPs: ['192.168.1.3'] } }, ['192.168.1.3']],
  [{ forwardedHeaders: { insecure: true, trustedIPs: ['192.168.1.3'] } }, ['0.0.0.0/0', '::/0']],
])('an entrypoint with %j believes %j', (over, believes) => {
  expect(entrypointOf(Entrypoint.parse({ name: 'web', ...over })).believes).toEqual(believes)
})

it.each<[object | null, boolean]>([
  [null, false],
  [{ address: 'http://x/', trustForwardHeader: true }, true],
  [{ address: 'http://x/', trustForwardHeader: false }, false],
  // It depends on the version then.
  [{ address: 'http://x/' }, true],
])('a middleware with forwardAuth %j believes the headers it gets: %j', (forwardAuth, believes) => {
  const shown = middlewareOf(Middleware.parse({ name: 'a@file', provider: 'file', forwardAuth }))
  expect(shown.forward_auth_believes).toBe(believes)
})

it('the address of a forwardAuth loses its password, and a chain names its members in full', () => {
  expect(
    middlewareOf(
      Middleware.parse({
        name: 'sso@file',
        provider: 'file',
        type: 'forwardauth',
        forwardAuth: { address: 'http://a:b@x/' },
      }),
    ),
  ).toMatchObject({ type: 'forwardAuth', forward_auth_address: 'http://x/', members: [] })
  expect(
    middlewareOf(
      Middleware.parse({
        name: 'all@file',
        provider: 'file',
        type: 'chain',
        chain: { middlewares: ['a', 'b@docker'] },
      }),
    ),
  ).toMatchObject({ type: 'chain', members: ['a@file', 'b@docker'], forward_auth_address: null })
})

it.each([
  [{ priorityStr: '1000' }, 1000],
  [{ priorityStr: '0' }, null],
  [{ priorityStr: '9223372036854775807' }, 2 ** 63],
  [{ priorityStr: '-1' }, -1],
  [{ priorityStr: 'soon' }, null],
  [{ priority: 5 }, 5],
  [{}, null],
])('a priority of %j is %s', (wire, priority) => {
  expect(routerOf('http', Router.parse({ name: 'a@file', ...wire })).priority).toBe(priority)
})

it('a status that nobody knows is not taken for good', () => {
  expect(routerOf('http', Router.parse({ name: 'a@file', status: 'draining' })).status).toBe('warning')
})

it('errors are few and short, and drive no terminal', () => {
  const error = ['\u001b[2J' + 'x'.repeat(9000), ...Array.from({ length: 50 }, () => 'e')]
  const { errors } = serviceOf('http', Service.parse({ name: 'a@file', error }))
  expect(errors).toHaveLength(5)
  expect(errors[0]).toHaveLength(500)
  expect(errors[0]).not.toContain('\u001b')
})

it('one text for an error is one error', () => {
  expect(routerOf('http', Router.parse({ name: 'a@file', error: 'broken' })).errors).toEqual(['broken'])
})

it('health is told where the proxy checks', () => {
  const wire = {
    name: 's@file',
    loadBalancer: { servers: [{ url: 'http://10.0.0.1' }], healthCheck: { path: '/' } },
    serverStatus: { 'http://10.0.0.1': 'DOWN' },
  }
  expect(serviceOf('http', Service.parse(wire)).health).toEqual({ 'http://10.0.0.1': 'DOWN' })
})
