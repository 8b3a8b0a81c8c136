/** AdGuard Home, Pi-hole 6 and Technitium: what is asked of their APIs, what comes of it, and what does when they fail. */
import { describe, expect, it } from 'vitest'
import { adguardConfig } from '../../../../src/features/dns/resolver/adguard/config.ts'
import { piholeConfig } from '../../../../src/features/dns/resolver/pihole/config.ts'
import { technitiumConfig } from '../../../../src/features/dns/resolver/technitium/config.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { type Answer, type Handler, NOT_FOUND } from '../../../fakes/resolver/resolver-api.ts'
import { answers, http, read, SECRET, started } from './api-support.ts'

const PRODUCTS = {
  adguard: {
    open: (base: string) => adguardConfig(base, { http, user: 'admin', password: new Secret(SECRET) }),
    handle: (({ line, headers }): Answer => {
      if (headers.authorization !== `Basic ${btoa(`admin:${SECRET}`)}`) return { status: 401, body: '' }
      if (line === 'GET /control/rewrite/settings') return { body: { enabled: true } }
      if (line !== 'GET /control/rewrite/list') return NOT_FOUND
      return {
        body: [
          { domain: 'app.example.com', answer: '192.168.1.2' },
          { domain: '*.wild.example.com', answer: '192.168.1.2' },
          { domain: 'alias.example.com', answer: 'app.example.com' },
          { domain: 'off.example.com', answer: '192.168.1.2', enabled: false },
        ],
      }
    }) satisfies Handler,
  },
  pihole: {
    open: (base: string) => piholeConfig(base, { http, password: new Secret(SECRET) }),
    handle: (({ line, headers, json, sessions }): Answer => {
      if (line === 'POST /api/auth') {
        if ((json as { password?: string }).password !== SECRET)
          return { status: 401, body: { session: { valid: false, sid: null } } }
        sessions.add('sid-1')
        return { body: { session: { valid: true, sid: 'sid-1', totp: false } } }
      }
      if (!sessions.has(String(headers['x-ftl-sid']))) return { status: 401, body: { error: {} } }
      if (line === 'DELETE /api/auth') {
        sessions.clear()
        return { status: 204, body: '' }
      }
      if (line === 'GET /api/config/dns/hosts')
        return { body: { config: { dns: { hosts: ['192.168.1.2 app.example.com'] } } } }
      if (line === 'GET /api/config/dns/cnameRecords')
        return { body: { config: { dns: { cnameRecords: ['alias.example.com,app.example.com'] } } } }
      if (line === 'GET /api/config/misc/dnsmasq_lines')
        return { body: { config: { misc: { dnsmasq_lines: ['address=/wild.example.com/192.168.1.2'] } } } }
      return NOT_FOUND
    }) satisfies Handler,
  },
  technitium: {
    open: (base: string) => technitiumConfig(base, { http, token: new Secret(SECRET) }),
    handle: (({ line, headers }): Answer => {
      if (headers.authorization !== `Bearer ${SECRET}`) return { body: { status: 'invalid-token' } }
      if (line === 'GET /api/zones/list')
        return {
          body: {
            status: 'ok',
            response: {
              zones: [
                { name: 'example.com', type: 'Forwarder', disabled: false, internal: false },
                { name: 'off.example.com', type: 'Primary', disabled: true },
              ],
            },
          },
        }
      if (line !== 'GET /api/zones/records/get?domain=example.com&zone=example.com&listZone=true')
        return NOT_FOUND
      const record = (name: string, type: string, rData: object) => ({ name, type, disabled: false, rData })
      return {
        body: {
          status: 'ok',
          response: {
            records: [
              record('app.example.com', 'A', { ipAddress: '192.168.1.2' }),
              record('*.wild.example.com', 'A', { ipAddress: '192.168.1.2' }),
              record('alias.example.com', 'CNAME', { cname: 'app.example.com' }),
            ],
          },
        },
      }
    }) satisfies Handler,
  },
} as const

describe.each(Object.entries(PRODUCTS))('%s', (_name, product) => {
  it('its overrides answer as it would', async () => {
    const api = await started(product.handle)
    const answerOf = answers(await read(product.open(api.base)))
    const found = { kind: 'addresses', values: ['192.168.1.2'] }
    for (const name of ['app.example.com', 'x.wild.example.com', 'alias.example.com'])
      expect(answerOf(name, 'A'), name).toMatchObject(found)
    for (const name of ['off.example.com', 'other.example.org'])
      expect(answerOf(name, 'A').kind).not.toBe('addresses')
  })

  it('leaves no session behind, neither after success nor after trouble', async () => {
    const api = await started(product.handle)
    await read(product.open(api.base))
    expect(api.sessions.size).toBe(0)
    let count = 0
    const failing = await started((request) =>
      request.line.startsWith('GET') && ++count > 1 ? { status: 500, body: '' } : product.handle(request),
    )
    expect(await read(product.open(failing.base))).toMatchObject({ ok: count <= 1 })
    expect(failing.sessions.size).toBe(0)
  })

  it.each<[string, Answer, string]>([
    ['no JSON', { body: '<html>welcome</html>' }, 'unreadable'],
    ['an empty body', { body: '' }, 'unreadable'],
    ['another shape', { body: { zones: 'none' } }, 'unreadable'],
    ['401', { status: 401, body: {} }, 'refused'],
    ['403', { status: 403, body: {} }, 'refused'],
    ['429', { status: 429, body: {} }, 'refused'],
    ['500', { status: 500, body: {} }, 'unreadable'],
  ])('%s is trouble, never an empty view, and shows no credential', async (_title, answer, reason) => {
    const api = await started(() => answer)
    const found = await read(product.open(api.base))
    expect(found).toMatchObject({ ok: false, reason })
    expect(JSON.stringify(found)).not.toContain(SECRET)
  })

  it('nobody there is trouble too', async () => {
    const api = await started(product.handle)
    await api.close()
    expect(await read(product.open(api.base))).toMatchObject({ ok: false, reason: 'unreachable' })
  })

  it('is given up when the caller gives up, and no session stays', async () => {
    const end = new AbortController()
    const api = await started((request) => {
      if (request.line.startsWith('GET')) end.abort(new Error('enough'))
      return product.handle(request)
    })
    await expect(product.open(api.base).read(end.signal)).rejects.toThrow('enough')
    expect(api.sessions.size).toBe(0)
  })

  it('a wrong credential is refused, and the setting to look at is named', async () => {
    const api = await started((request) => product.handle({ ...request, headers: {}, json: {} }))
    const found = await read(product.open(api.base))
    expect(found).toMatchObject({ ok: false, reason: 'refused' })
    expect(found.ok ? '' : found.detail).toMatch(/PLUMBLINE_[A-Z]+_(?:USER|PASSWORD|TOKEN)/)
  })
})
