/** Every endpoint that the daemon serves has the access level of the specification, and strangers get nowhere. */
import { expect, it } from 'vitest'
import { openTestHouse } from './test-house.ts'

/** The specification's Auth column; what it does not name is ours. `open`: no key is declared. */
const LEVELS: Readonly<Record<string, 'public' | 'open' | 'keyed' | 'sign_in' | 'ddns' | 'token'>> = {
  'GET /health': 'public',
  'GET /ready': 'public',
  'GET /api/session': 'public',
  'POST /api/session': 'sign_in',
  'DELETE /api/session': 'public',
  'POST /api/session/code': 'keyed',
  'GET /api/sessions': 'keyed',
  'DELETE /api/sessions/{session_id}': 'keyed',
  'GET /api/control-plane/health': 'keyed',
  'GET /metrics': 'open',
  'GET /openapi.json': 'open',
  'GET /api/domains': 'keyed',
  'POST /api/domains': 'keyed',
  'GET /api/overview': 'keyed',
  'GET /api/map': 'keyed',
  'GET /api/search': 'keyed',
  'GET /api/domains/lamps': 'keyed',
  'GET /api/domains/{domain_id}/lamps': 'keyed',
  'GET /api/domains/{domain_id}/history': 'keyed',
  'GET /api/domains/{domain_id}/traffic': 'keyed',
  'GET /api/domains/stats': 'keyed',
  'GET /api/domains/by-name/{domain_name}': 'keyed',
  'POST /api/domains/render': 'keyed',
  'GET /api/domains/drift': 'keyed',
  'GET /api/domains/{domain_id}': 'keyed',
  'GET /api/domains/{domain_id}/explain': 'keyed',
  'GET /api/conditions': 'keyed',
  'PUT /api/domains/{domain_id}': 'keyed',
  'DELETE /api/domains/{domain_id}': 'keyed',
  'POST /api/domains/{domain_id}/activate': 'keyed',
  'POST /api/domains/{domain_id}/deactivate': 'keyed',
  'POST /api/domains/{domain_id}/disable': 'keyed',
  'POST /api/domains/{domain_id}/deploy': 'keyed',
  'POST /api/domains/changes': 'keyed',
  'POST /api/domains/check': 'keyed',
  'POST /api/domains/{domain_id}/discard': 'keyed',
  'GET /api/domains/{domain_id}/editions': 'keyed',
  'POST /api/domains/expose': 'keyed',
  'POST /api/deploy-all': 'keyed',
  'POST /api/deploy-proxy': 'open',
  'GET /api/deploy/status': 'keyed',
  'POST /api/estate': 'keyed',
  'GET /api/events': 'keyed',
  'GET /api/operations': 'keyed',
  'GET /api/operations/{operation_id}': 'keyed',
  'POST /api/reconcile': 'keyed',
  'GET /api/modes': 'keyed',
  'GET /api/settings': 'keyed',
  'GET /api/system': 'keyed',
  'GET /api/system/doctor': 'keyed',
  'PUT /api/modes/{scope}': 'keyed',
  'DELETE /api/modes/{scope}': 'keyed',
  'GET /api/releases': 'keyed',
  'GET /api/releases/{number}': 'keyed',
  'GET /api/releases/{number}/routes': 'keyed',
  'GET /api/releases/{number}/diff': 'keyed',
  'POST /api/releases/resume': 'keyed',
  'POST /api/releases/{number}/restore': 'keyed',
  'GET /api/alerts': 'keyed',
  'POST /api/alerts/ack': 'keyed',
  'POST /api/alerts/test': 'keyed',
  'GET /api/audit': 'keyed',
  'POST /api/plans': 'keyed',
  'GET /api/plans/{plan_id}': 'keyed',
  'POST /api/plans/{plan_id}/apply': 'keyed',
  'GET /api/credentials': 'keyed',
  'GET /api/keys': 'keyed',
  'POST /api/keys': 'keyed',
  'POST /api/keys/{key_id}/rotate': 'keyed',
  'DELETE /api/keys/{key_id}': 'keyed',
  'GET /api/ddns/tokens': 'keyed',
  'POST /api/ddns/tokens': 'keyed',
  'DELETE /api/ddns/tokens/{token_id}': 'keyed',
  'POST /api/ddns/tokens/{token_id}/rotate': 'keyed',
  'GET /api/ddns/hosts': 'keyed',
  'GET /api/acme/status': 'keyed',
  'GET /api/certificates': 'keyed',
  'POST /api/tls/reconcile': 'keyed',
  'GET /api/dns/integrity': 'keyed',
  'GET /api/domains/{domain_id}/cert': 'keyed',
  'GET /api/dns/records': 'keyed',
  'GET /api/dns/status': 'keyed',
  'GET /api/drift': 'keyed',
  'GET /api/drift/ignored': 'keyed',
  'PUT /api/drift/ignored/{item}': 'keyed',
  'DELETE /api/drift/ignored/{item}': 'keyed',
  'POST /api/drift/save-theirs': 'keyed',
  'GET /api/sso/drift': 'keyed',
  'GET /api/access': 'keyed',
  'POST /api/sso/quarantine/{domain}/lift': 'keyed',
  'GET /api/domains/{domain_id}/effective-config': 'keyed',
  'POST /api/domains/{domain_id}/autodetect': 'keyed',
  'GET /api/middlewares': 'keyed',
  'GET /api/services': 'open',
  'GET /api/metrics-targets': 'open',
  'GET /api/metrics/summary': 'keyed',
  'GET /api/dns/zones': 'keyed',
  'POST /api/dns/records/adopt': 'keyed',
  'POST /api/dns/records/release': 'keyed',
  'POST /api/dns/records/remove': 'keyed',
  'GET /api/users': 'keyed',
  'POST /api/users/invite': 'keyed',
  'GET /api/users/{username}': 'keyed',
  'POST /api/users/{username}/revoke': 'keyed',
  'POST /api/users/{username}/resend': 'keyed',
  'PUT /api/users/{username}/groups': 'keyed',
  'GET /api/email/aliases': 'open',
  'POST /api/email/send': 'open',
  'POST /api/email/refresh-token': 'open',
  'GET /api/email/health': 'open',
  'GET /api/ddns/update/{domain}': 'ddns',
  'GET /nic/update': 'ddns',
  'GET /api/ssh-clients': 'open',
  'POST /api/ssh-clients': 'open',
  'DELETE /api/ssh-clients': 'open',
  'GET /api/discover': 'keyed',
  'GET /api/discover/hubA': 'keyed',
  'GET /api/discover/homelab': 'keyed',
  'GET /network': 'open',
  'GET /api/network/summary': 'open',
  'GET /api/network/lan-hosts': 'open',
  'GET /api/notifications': 'keyed',
  'POST /api/notifications/test': 'keyed',
  'GET /api/ccm/edge/edges': 'keyed',
  'POST /api/ccm/edge/edges': 'keyed',
  'GET /api/ccm/edge/edges/{edge_id}': 'keyed',
  'PUT /api/ccm/edge/edges/{edge_id}': 'keyed',
  'DELETE /api/ccm/edge/edges/{edge_id}': 'keyed',
  'POST /api/ccm/edge/edges/{edge_id}/token': 'keyed',
  'DELETE /api/ccm/edge/edges/{edge_id}/token': 'keyed',
  'POST /api/ccm/edge/edges/{edge_id}/heartbeat': 'token',
  'GET /api/ccm/edge/edges/{edge_id}/routes': 'token',
  'GET /api/heartbeats': 'keyed',
  'POST /api/heartbeats': 'keyed',
  'POST /api/heartbeats/{name}': 'token',
  'DELETE /api/heartbeats/{name}': 'keyed',
  'POST /api/heartbeats/{name}/token': 'keyed',
  'DELETE /api/heartbeats/{name}/token': 'keyed',
}

/** Open calls that are let in and then want more than a bare call gives. */
const LET_IN: Readonly<Record<string, number>> = {
  'POST /api/session': 422,
  'POST /api/ssh-clients': 422,
  'DELETE /api/ssh-clients': 422,
  'POST /api/email/send': 422,
  'POST /api/email/refresh-token': 503,
}

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>

it('no endpoint is more open than the specification says', async () => {
  await using at = await openTestHouse()
  await expect.poll(async () => (await at.call('GET', '/ready')).status).toBe(200)
  const { body } = await at.call('GET', '/openapi.json')
  const served = Object.entries(body['paths'] as unknown as Paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(served.toSorted()).toEqual(Object.keys(LEVELS).toSorted())
  for (const [index, name] of served.entries()) {
    const [method, pattern] = name.split(' ') as [string, string]
    const path = pattern.replace('{domain_id}', '1').replace('{domain_name}', 'app.example.com')
    const level = LEVELS[name]!
    // One network may not ask so often without a key.
    const peer = `203.0.${113 + (index % 100)}.9`
    const stranger = await at.call(method, path, { key: null, peer })
    expect(stranger.status, `${name} for a stranger`).toBe(
      name === 'GET /api/session'
        ? 401
        : { public: 200, open: 403, keyed: 401, sign_in: 403, ddns: 401, token: 401 }[level],
    )
    const local = await at.call(method, path, { key: null })
    if (!['public', 'open', 'sign_in'].includes(level))
      expect(local.status, `${name} without a key`).toBe(401)
    else
      expect(local.status, `${name} on this host`).toBe(
        name === 'GET /api/session' ? 401 : (LET_IN[name] ?? 200),
      )
    const page = await at.call(method, path, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(page.status, `${name} from a foreign page`).toBe(PUBLIC.test(name) ? 200 : 403)
  }
})

/** What reads although its method is not GET. */
const LOOKS =
  /^POST \/api\/(plans|session\/code|domains\/(?:render|check)|domains\/\{domain_id\}\/autodetect)$/
/** Answered to everybody alike. */
const PUBLIC = /^GET \/(health|ready)$/
/** What everybody may ask. */
const SIGNING = /^(?:GET|POST|DELETE) \/api\/session$/

it('a key that only looks is let in to what reads, and to nothing else', async () => {
  await using at = await openTestHouse()
  const { body } = await at.call('POST', '/api/keys', { body: { name: 'dashboard', access: 'read' } })
  const key = body['key'] as unknown as string
  const records = (await at.call('GET', '/api/domains')).body
  for (const name of Object.keys(LEVELS)) {
    const [method, pattern] = name.split(' ') as [string, string]
    const path = pattern.replace('{domain_id}', '1').replace('{domain_name}', 'app.example.com')
    const { status, body: said } = await at.call(method, path, {
      key,
      // Not the stream of events.
      headers: { accept: 'application/json' },
      ...(method === 'GET' ? {} : { body: {} }),
    })
    const reads = (method === 'GET' && ['keyed', 'open'].includes(LEVELS[name]!)) || LOOKS.test(name)
    const text: unknown = said
    const is_line = typeof text === 'string' && text.startsWith('nohost')
    const refused = said['code'] === 'read_only_key' || is_line
    expect(refused, `${name}: ${status}`).toBe(!reads && !PUBLIC.test(name) && !SIGNING.test(name))
    if (refused && !is_line) expect(status, name).toBe(403)
  }
  expect((await at.call('GET', '/api/domains')).body).toEqual(records)
  const dry = await at.call('POST', '/api/deploy-all?dry_run=true', { key })
  expect(dry.status).toBe(200)
  const basic = { authorization: `Basic ${btoa(`ddns:${key}`)}` }
  const report = await at.call('GET', '/nic/update?hostname=app.example.com&myip=84.1.1.1', {
    key: null,
    headers: basic,
  })
  expect(JSON.stringify(report.body)).toContain('nohost')
})
