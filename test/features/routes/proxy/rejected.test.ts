/** Which domains an object in error hits: its own, and those whose routers name it. */
import { describe, expect, it } from 'vitest'
import { attributed, faultsIn } from '../../../../src/features/routes/loaded/rejected.ts'
import type { ProxyFault, ProxyRouter, ProxySnapshot } from '../../../../src/features/routes/traefik/port.ts'
import { domainOfShown } from '../../../../src/features/routes/render/entry.ts'

const APP = 'plumbline-site_app.example.com@file'
const fault = (more: Partial<ProxyFault>): ProxyFault => ({
  part: 'router',
  name: APP,
  status: 'disabled',
  errors: ['bad'],
  used_by: [],
  ...more,
})
const hit = (...faults: readonly ProxyFault[]) =>
  attributed(faults, domainOfShown).map(({ domain, detail }) => `${domain}: ${detail}`)

describe('an object in error', () => {
  it.each<[string, ProxyFault, readonly string[]]>([
    ['a router', fault({}), [`app.example.com: ${APP} is disabled: bad`]],
    [
      'a router that does not say why',
      fault({ errors: [] }),
      [`app.example.com: ${APP} is disabled: the proxy does not say why`],
    ],
    [
      'a part of a router, made by an entry point',
      fault({ name: `websecure-${APP}` }),
      [`app.example.com: websecure-${APP} is disabled: bad`],
    ],
    [
      'a router of a wildcard, over HTTP',
      fault({ name: 'plumbline-site_*.example.com@http', status: 'warning' }),
      ['*.example.com: plumbline-site_*.example.com@http is warning: bad'],
    ],
    [
      'a shared middleware',
      fault({
        part: 'middleware',
        name: 'plumbline-sso@file',
        used_by: [APP, 'plumbline-redirect_app.example.com@file', 'theirs@docker'],
      }),
      ['app.example.com: plumbline-sso@file is disabled: bad'],
    ],
    ['a shared middleware that nobody uses', fault({ part: 'middleware', name: 'plumbline-sso@file' }), []],
    [
      'a router of a container that is called like ours',
      fault({ name: 'plumbline-site_app.example.com@docker' }),
      [],
    ],
    ['a router of somebody else', fault({ name: 'theirs@file' }), []],
  ])('%s', (_what, one, told) => expect(hit(one)).toEqual(told))

  it('is named once: where the router says it, its middleware and service need not', () => {
    const middleware = fault({ part: 'middleware', name: 'plumbline-sso@file', used_by: [APP] })
    const service = fault({ part: 'service', name: APP, used_by: [APP] })
    expect(hit(middleware, fault({}), service)).toEqual([`app.example.com: ${APP} is disabled: bad`])
    expect(hit(service)).toEqual([`app.example.com: ${APP} is disabled: bad`])
  })
})

it('is found in a whole look with the routers that name it', () => {
  const state = { status: 'enabled', errors: [] } as const
  const object = { provider: 'file', ...state }
  const router: ProxyRouter = {
    kind: 'http',
    name: APP,
    ...object,
    rule: '',
    entrypoints: [],
    middlewares: ['plumbline-sso@file'],
    service: APP,
    tls: true,
    cert_resolver: null,
    priority: null,
  }
  const snapshot: ProxySnapshot = {
    at: 0,
    version: '3.7.9',
    started_at: null,
    entrypoints: [],
    routers: [router, { ...router, name: 'x@file', middlewares: [], service: 'x@file', errors: ['no'] }],
    middlewares: [
      {
        name: 'plumbline-sso@file',
        ...object,
        errors: ['bad'],
        type: 'forwardAuth',
        members: [],
        forward_auth_address: null,
        forward_auth_believes: false,
      },
    ],
    services: [{ kind: 'http', name: APP, ...object, status: 'warning', addresses: [], health: null }],
  }
  expect(faultsIn(snapshot).map(({ part, name, used_by }) => [part, name, used_by])).toEqual([
    ['router', 'x@file', ['x@file']],
    ['service', APP, [APP]],
    ['middleware', 'plumbline-sso@file', [APP]],
  ])
})
