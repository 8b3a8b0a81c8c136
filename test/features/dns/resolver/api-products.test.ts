/** What each resolver's API says in its own way: older versions, switches, entries that hold no address. */
import { describe, expect, it } from 'vitest'
import { adguardConfig } from '../../../../src/features/dns/resolver/adguard/config.ts'
import { piholeConfig } from '../../../../src/features/dns/resolver/pihole/config.ts'
import { technitiumConfig } from '../../../../src/features/dns/resolver/technitium/config.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { type Answer, type Handler, NOT_FOUND } from '../../../fakes/resolver/resolver-api.ts'
import { answers, http, read, SECRET, started } from './api-support.ts'

const answering =
  (answers: Readonly<Record<string, Answer>>): Handler =>
  ({ line }) =>
    answers[line] ?? NOT_FOUND

describe('AdGuard Home', () => {
  const open = (base: string) => adguardConfig(base, { http, user: null, password: null })
  const LIST = 'GET /control/rewrite/list'
  const SETTINGS = 'GET /control/rewrite/settings'
  const rewrites = (...pairs: readonly (readonly [string, string])[]): Answer => ({
    body: pairs.map(([domain, answer]) => ({ domain, answer })),
  })

  it('of an older version has neither switches nor settings: every rewrite counts', async () => {
    const api = await started(answering({ [LIST]: rewrites(['App.Example.com', '192.168.1.2']) }))
    expect(answers(await read(open(api.base)))('app.example.com', 'A')).toMatchObject({
      values: ['192.168.1.2'],
    })
  })

  it('with rewrites switched off answers nothing of them, and that is told', async () => {
    const api = await started(
      answering({ [LIST]: rewrites(['a.org', '192.168.1.2']), [SETTINGS]: { body: { enabled: false } } }),
    )
    const found = await read(open(api.base))
    expect(found).toMatchObject({ ok: true, notes: ['Rewrites are switched off.'] })
    expect(answers(found)('a.org', 'A').kind).toBe('forwarded')
  })

  it('takes every form of an answer', async () => {
    const api = await started(
      answering({
        [SETTINGS]: { body: { enabled: true } },
        [LIST]: rewrites(
          ['*.a.org', '192.168.1.2'],
          ['x.a.org', 'x.a.org'],
          ['y.a.org', 'A'],
          ['z.a.org', '2001:DB8::1'],
          ['*.b.org', '*.b.org'],
          ['bücher.org', '192.168.1.3'],
        ),
      }),
    )
    const answerOf = answers(await read(open(api.base)))
    expect(answerOf('w.a.org', 'A')).toMatchObject({ values: ['192.168.1.2'] })
    expect(answerOf('z.a.org', 'AAAA')).toMatchObject({ values: ['2001:db8::1'] })
    expect(answerOf('xn--bcher-kva.org', 'A')).toMatchObject({ values: ['192.168.1.3'] })
    for (const name of ['x.a.org', 'y.a.org', 'x.b.org']) expect(answerOf(name, 'A').kind).toBe('forwarded')
  })
})

describe('Pi-hole', () => {
  const config = (answers: { hosts?: string[]; cnames?: string[]; raw?: string[] }) =>
    answering({
      'GET /api/config/dns/hosts': { body: { config: { dns: { hosts: answers.hosts ?? [] } } } },
      'GET /api/config/dns/cnameRecords': {
        body: { config: { dns: { cnameRecords: answers.cnames ?? [] } } },
      },
      'GET /api/config/misc/dnsmasq_lines': {
        body: { config: { misc: { dnsmasq_lines: answers.raw ?? [] } } },
      },
      // What it answers where no password is set.
      'POST /api/auth': { body: { session: { valid: true, sid: null, totp: false } } },
    })

  it.each([
    ['no password is set here', null],
    ['none is set there', new Secret(SECRET)],
  ])('is read without a session where %s', async (_where, password) => {
    const api = await started(config({ hosts: ['192.168.1.2 a.lan b.lan # the proxy'] }))
    const answerOf = answers(await read(piholeConfig(api.base, { http, password })))
    expect(answerOf('b.lan', 'A')).toMatchObject({ values: ['192.168.1.2'] })
    expect(api.asked).not.toContain('DELETE /api/auth')
  })

  it('of whose own lines some include files has gaps', async () => {
    const api = await started(config({ raw: ['conf-dir=/etc/dnsmasq.d', 'address=/a.lan/192.168.1.2'] }))
    const found = await read(piholeConfig(api.base, { http, password: null }))
    expect(found).toMatchObject({ ok: true, gaps: [expect.stringContaining('/etc/dnsmasq.d') as unknown] })
    expect(answers(found)('x.a.lan', 'A')).toMatchObject({ values: ['192.168.1.2'] })
  })

  it('an entry with a line end in it is one entry', async () => {
    const api = await started(config({ hosts: ['192.168.1.2 a.lan\n192.168.1.66 b.lan'] }))
    const answerOf = answers(await read(piholeConfig(api.base, { http, password: null })))
    expect(answerOf('b.lan', 'A')).not.toMatchObject({ values: ['192.168.1.66'] })
  })
})

describe('Technitium', () => {
  const zone = (name: string, type = 'Primary') => ({ name, type, disabled: false, internal: false })
  const record = (name: string, type: string, rData: object = {}, disabled = false) => ({
    name,
    type,
    disabled,
    rData,
  })
  const ok = (response: object): Answer => ({ body: { status: 'ok', response } })
  const serving = (zones: readonly object[], records: readonly object[]): Handler =>
    answering({
      'GET /api/zones/list': ok({ zones }),
      'GET /api/zones/records/get?domain=a.lan&zone=a.lan&listZone=true': ok({ records }),
    })
  const open = (base: string) => technitiumConfig(base, { http, token: null })

  it('answers from zones that are served, without what is switched off', async () => {
    const zones = [
      zone('a.lan'),
      { ...zone('b.lan'), disabled: true },
      { ...zone('127.in-addr.arpa'), internal: true },
      zone('c.lan', 'Catalog'),
    ]
    const records = [
      record('a.lan', 'NS', { nameServer: 'ns.a.lan' }),
      record('x.a.lan', 'A', { ipAddress: '192.168.1.2' }),
      record('y.a.lan', 'A', { ipAddress: '192.168.1.2' }, true),
    ]
    const api = await started(serving(zones, records))
    const found = await read(open(api.base))
    expect(found).toMatchObject({ ok: true, gaps: [] })
    expect(answers(found)('x.a.lan', 'A')).toMatchObject({ values: ['192.168.1.2'] })
    expect(answers(found)('y.a.lan', 'A')).toEqual({ kind: 'nxdomain' })
    expect(answers(found)('b.lan', 'A')).toEqual({ kind: 'forwarded' })
    expect(api.asked).toHaveLength(2)
  })

  it.each([
    ['an app', record('x.a.lan', 'APP')],
    ['an alias that it resolves itself', record('a.lan', 'ANAME')],
    ['another server', record('sub.a.lan', 'NS', { nameServer: 'ns.elsewhere' })],
    ['an address that is none', record('x.a.lan', 'A', { ipAddress: 'nonsense' })],
  ])('whose answers come from %s has a gap', async (_what, entry) => {
    const api = await started(serving([zone('a.lan')], [entry]))
    expect(await read(open(api.base))).toMatchObject({ ok: true, gaps: [expect.any(String) as unknown] })
  })

  it('that answers with an error is unreadable, and its own words stay out', async () => {
    const api = await started(() => ({ body: { status: 'error', errorMessage: `no zone for ${SECRET}` } }))
    const found = await read(open(api.base))
    expect(found).toMatchObject({ ok: false, reason: 'unreadable' })
    expect(JSON.stringify(found)).not.toContain(SECRET)
  })
})
