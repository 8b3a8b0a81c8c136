/** What the proxy says of a middleware: only what a router uses was ever built. */
import { expect, it } from 'vitest'
import { fits } from '../../../../src/features/routes/proxy/version-fits.ts'
import { loadsIn } from '../../../../src/features/routes/proxy/read-middlewares.ts'
import type { ProxyMiddleware, ProxyRouter } from '../../../../src/features/routes/traefik/port.ts'

const middleware = (name: string, more: Partial<ProxyMiddleware> = {}) =>
  ({
    name,
    provider: name.split('@')[1]!,
    type: 'compress',
    status: 'enabled',
    errors: [],
    ...more,
  }) as ProxyMiddleware
const router = (middlewares: readonly string[], errors: readonly string[] = []) =>
  ({ name: 'r@file', middlewares, errors }) as unknown as ProxyRouter

it.each([
  ['there and used', [middleware('x@file')], [router(['x@file'])], 'loaded'],
  ['there and unused', [middleware('x@file')], [], 'unused_not_verified'],
  ['absent', [], [], 'not_loaded'],
  ["somebody else's of the same name", [middleware('x@docker')], [router(['x@docker'])], 'not_loaded'],
  ['broken', [middleware('x@file', { status: 'disabled' })], [], 'error'],
  ['broken in its own words', [middleware('x@file', { errors: ['bad'] })], [router(['x@file'])], 'error'],
  [
    'named by a router, and absent',
    [],
    [router(['x@file'], ['middleware "x@file" does not exist'])],
    'error',
  ],
  [
    'beside a router with another fault',
    [middleware('x@file')],
    [router(['x@file'], ['no service'])],
    'loaded',
  ],
] as const)('%s', (_what, middlewares, routers, status) => {
  expect(loadsIn({ middlewares, routers })('x').status).toBe(status)
})

it.each([
  ['3.6.2', '3.0.0', true],
  ['3.6.2', '3.6.2', true],
  ['3.6.2', '3.6.9', false],
  ['3.5.9', '3.6.0', false],
  ['3.10.0', '3.9.0', true],
  ['dev', '3.0.0', null],
  ['3.6', '3.6.1', false],
])('a proxy %s runs a file written for %s: %s', (runs, written_for, answer) => {
  expect(fits(runs, written_for)).toBe(answer)
})
