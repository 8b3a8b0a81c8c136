/** Dynamic DNS over a whole house: tokens from issue to end, what each kind of update is answered, and what is kept. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MovedClock, movedClock } from '../kit/moved-clock.ts'
import type { Answered, CallOptions } from './client.ts'
import { create, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const HOME = 'home.example.com'
const HUB = 'hub.example.net'
const GATEWAY = '84.1.2.3'
const MINUTE = 60_000

let at: TestHouse
/** Both of its sides move: wall-clock waits and monotonic limits. */
let clock: MovedClock

beforeEach(async () => {
  clock = movedClock()
  at = await openTestHouse({
    clock,
    env: { PLUMBLINE_HUB_HOST: HUB, PLUMBLINE_TRUSTED_NETWORKS: '10.0.0.0/8' },
  })
  await create(at.call, { domain: HOME, ddns_enabled: true })
  await create(at.call, { domain: 'other.example.com', ddns_enabled: true })
})
afterEach(() => at[Symbol.asyncDispose]())

interface Issued {
  readonly key: string
  readonly id: string
  readonly answer: Answered
}

async function issue(host = HOME, options: CallOptions = {}): Promise<Issued> {
  const answer = await at.call('POST', '/api/ddns/tokens', { body: { host, label: 'attic' }, ...options })
  const { key, token } = answer.body as unknown as { key: string; token: { id: string } }
  return { key, id: token?.id, answer }
}

/** As a gateway somewhere on the internet, which has no header to add. */
const gateway = (path: string, options: CallOptions = {}): Promise<Answered> =>
  at.call('GET', path, { key: null, peer: GATEWAY, ...options })

const update = (key: string, query = '', host = HOME, options: CallOptions = {}): Promise<Answered> =>
  gateway(`/api/ddns/update/${host}?key=${key}${query}`, options)

const basic = (password: string) => ({ headers: { authorization: `Basic ${btoa(`ddns:${password}`)}` } })

const nic = (password: string, query: string): Promise<Answered> =>
  gateway(`/nic/update?${query}`, basic(password))

async function hosts() {
  const { body } = await at.call('GET', '/api/ddns/hosts')
  return body as unknown as {
    rotation: { next_at: string; last_at: string | null; rotation_due: string[] }
    hosts: { host: string; ipv4: string | null; ipv6: string | null; [more: string]: unknown }[]
  }
}

const addressesOf = async (host = HOME) => {
  const found = (await hosts()).hosts.find((one) => one.host === host)
  return [found?.ipv4 ?? null, found?.ipv6 ?? null]
}

const events = async (kind: string) => {
  const { body } = await at.call('GET', '/api/events', { headers: { accept: 'application/json' } })
  return (body as unknown as { kind: string; message: string; facts: Record<string, unknown> }[]).filter(
    (event) => event.kind === kind,
  )
}

describe('a site token', () => {
  it('is shown once with its lines, is listed without its secret, and reports for its host', async () => {
    const { key, id, answer } = await issue()
    expect(answer.status).toBe(201)
    expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const lines = answer.body['lines'] as unknown as Record<string, string>
    expect(lines['url']).toContain(`/api/ddns/update/${HOME}?key=${key}`)
    const list = await at.call('GET', '/api/ddns/tokens')
    expect(list.body).toMatchObject([{ id, host: HOME, label: 'attic', state: 'valid', last_used_at: null }])
    expect(JSON.stringify(list.body)).not.toContain(key)
    expect((await update(key, '&ip=84.1.1.1')).status).toBe(200)
    expect(await addressesOf()).toEqual(['84.1.1.1', null])
    const [used] = (await at.call('GET', '/api/ddns/tokens')).body as unknown as { last_used_at: string }[]
    expect(used!.last_used_at).not.toBeNull()
  })

  itInDepth(
    'can be issued for the hub, for a name in any spelling, and for nothing that is not there',
    async () => {
      expect((await issue(HUB)).answer.status).toBe(201)
      expect((await issue('HOME.Example.com.')).answer.body).toMatchObject({ token: { host: HOME } })
      expect((await issue('nobody.example.com')).answer).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
      expect((await issue('home')).answer.body).toMatchObject({ errors: [{ loc: ['body', 'host'] }] })
      const disabled = await create(at.call, { domain: 'gone.example.com' })
      await at.call('POST', `/api/domains/${disabled}/disable`)
      expect((await issue('gone.example.com')).answer.body).toMatchObject({ code: 'record_disabled' })
    },
  )

  itInDepth('is only planned by a dry run, which shows no key', async () => {
    const dry = await at.call('POST', '/api/ddns/tokens?dry_run=true', { body: { host: HOME } })
    expect(dry).toMatchObject({ status: 200, body: { dry_run: true } })
    expect(JSON.stringify(dry.body)).not.toMatch(/key=/)
    expect((await at.call('GET', '/api/ddns/tokens')).body).toEqual([])
  })

  itInDepth(
    'is planned by what each call does, so that no plan of one key is that of another or of another act',
    async () => {
      const planned = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
        const answer = await at.call(method, `/api/ddns/tokens${path}?dry_run=true`, body && { body })
        return answer.body['plan'] as unknown as {
          readonly hash: string
          readonly actions: readonly { readonly item: string }[]
        }
      }
      const [first, second] = [await issue(), await issue()]
      const plans = [
        await planned('POST', '', { host: HOME }),
        await planned('POST', '', { host: HOME, label: 'attic' }),
        await planned('POST', `/${first.id}/rotate`),
        await planned('POST', `/${second.id}/rotate`),
        await planned('DELETE', `/${first.id}`),
        await planned('DELETE', `/${second.id}`),
      ]
      expect(
        plans.filter(({ actions }) => actions.some(({ item }) => item.endsWith(`for ${HOME}`))),
      ).toHaveLength(6)
      expect(new Set(plans.map(({ hash }) => hash)).size).toBe(6)
      const { hash } = await planned('POST', `/${first.id}/rotate`)
      expect(hash).toBe(plans[2]!.hash)
      expect((await at.call('DELETE', `/api/ddns/tokens/${second.id}?confirm=${hash}`)).status).toBe(409)
      expect((await at.call('POST', `/api/ddns/tokens/${first.id}/rotate?confirm=${hash}`)).status).toBe(200)
    },
  )

  itInDepth('ends with its domain, and reports nothing for whoever gets the name next', async () => {
    const { key, id } = await issue()
    const hub = await issue(HUB)
    const { body } = await at.call('GET', `/api/domains/by-name/${HOME}`)
    const path = `/api/domains/${String(body['id'])}`
    expect((await at.call('DELETE', `${path}?dry_run=true`)).status).toBe(200)
    expect((await update(key, '&ip=84.1.1.1')).status).toBe(200)
    const deleted = await at.call('DELETE', path)
    expect(deleted.body['message']).toContain('1 key of its gateway has ended')
    await create(at.call, { domain: HOME, ddns_enabled: true })
    expect((await update(key, '&ip=84.2.2.2')).status).toBe(401)
    expect((await at.call('GET', '/api/ddns/tokens')).body).toMatchObject([
      { id, state: 'ended' },
      { id: hub.id, state: 'valid' },
    ])
    const audit = await at.call('GET', `/api/audit?domain=${HOME}`)
    expect(JSON.stringify(audit.body)).toContain('revoke_token')
    at = await at.reopen()
    expect((await update(key, '&ip=84.2.2.2')).status).toBe(401)
  })

  it('ends at once when it is revoked, also when that is asked twice', async () => {
    const { key, id } = await issue()
    const { key: stays } = await issue()
    for (let time = 0; time < 2; time++)
      expect((await at.call('DELETE', `/api/ddns/tokens/${id}`)).body).toMatchObject({
        success: true,
        token: { state: 'ended' },
      })
    expect((await update(key, '&ip=84.1.1.1')).status).toBe(401)
    expect((await update(stays, '&ip=84.1.1.1')).status).toBe(200)
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect((await at.call('DELETE', `/api/ddns/tokens/${unknown}`)).status).toBe(404)
    expect((await at.call('DELETE', '/api/ddns/tokens/nonsense')).status).toBe(422)
  })

  it('goes on for 24 hours after it was rotated, beside its successor', async () => {
    const old = await issue()
    const answer = await at.call('POST', `/api/ddns/tokens/${old.id}/rotate`)
    const { key } = answer.body as unknown as { key: string }
    expect(answer.body).toMatchObject({ token: { host: HOME, label: 'attic', state: 'valid' } })
    // Nobody is told to rotate once more what has a successor.
    expect((await at.call('GET', '/api/credentials')).body['credentials']).toContainEqual(
      expect.objectContaining({
        id: old.id,
        state: 'ending',
        remedy: expect.stringContaining('Its successor is issued') as string,
      }),
    )
    expect((await update(old.key, '&ip=84.1.1.1')).status).toBe(200)
    clock.pass(24 * 60 * MINUTE - MINUTE)
    expect((await update(old.key, '&ip=84.1.1.1')).status).toBe(200)
    clock.pass(MINUTE + 1000)
    expect((await update(old.key, '&ip=84.1.1.1')).status).toBe(401)
    expect((await update(key, '&ip=84.1.1.1')).status).toBe(200)
  })

  itInDepth('is rotated once, however many ask at the same time', async () => {
    const { id } = await issue()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => at.call('POST', `/api/ddns/tokens/${id}/rotate`)),
    )
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect([count(200), count(409)]).toEqual([1, 9])
    expect((await at.call('GET', '/api/ddns/tokens')).body).toHaveLength(2)
  })

  itInDepth(
    'is known after a restart, and what it did stands in the audit trail and in the events',
    async () => {
      const { key, id } = await issue()
      await at.call('POST', `/api/ddns/tokens/${id}/rotate`)
      await update(key, '&ip=84.1.1.1')
      at = await at.reopen()
      expect((await update(key, '&ip=84.1.1.1')).body).toBe('nochg 84.1.1.1\n')
      const { body } = await at.call('GET', `/api/audit?domain=${HOME}`)
      const actions = (body as unknown as { action: string }[]).map(({ action }) => action)
      expect(actions).toEqual(['report_address', 'rotate_token', 'issue_token', 'create'])
      expect((body as unknown as readonly object[])[0]).toMatchObject({
        actor: 'attic',
        detail: { key: `token:${id}`, addresses: [{ type: 'A', before: null, after: '84.1.1.1' }] },
      })
      expect(await events('token')).toHaveLength(2)
      expect(await events('address')).toMatchObject([
        { facts: { host: HOME, address: '84.1.1.1', before: null, actor: `token:${id}` } },
      ])
    },
  )

  itInDepth(
    'stands in the audit trail also where the API key changed it in the other form, and not where nothing changed',
    async () => {
      for (const ip of ['84.1.1.1', '84.1.1.1'])
        expect(
          (
            await at.call('GET', `/nic/update?hostname=${HOME}&myip=${ip}`, {
              headers: { 'x-request-id': 'by-the-proxy' },
            })
          ).status,
        ).toBe(200)
      const { body } = await at.call('GET', `/api/audit?action=report_address`)
      const caller_request_id = 'by-the-proxy'
      expect(body).toMatchObject([
        { actor: 'key', domain: HOME, detail: { key: 'api-key' }, caller_request_id },
      ])
      expect(body).toHaveLength(1)
    },
  )

  itInDepth('that is older than the quarter is told as due, and stays valid', async () => {
    const { key } = await issue()
    clock.pass(200 * 24 * 60 * MINUTE)
    at = await at.reopen()
    await expect.poll(async () => (await events('rotation_due')).length).toBe(1)
    expect((await hosts()).rotation).toMatchObject({ rotation_due: [HOME] })
    expect((await at.call('GET', '/api/ddns/tokens')).body).toMatchObject([{ state: 'rotation_due' }])
    expect((await update(key, '&ip=84.1.1.1')).status).toBe(200)
  })
})

describe('an update', () => {
  let key: string
  beforeEach(async () => {
    key = (await issue()).key
  })

  itInDepth('says good when the address changed and nochg when it did not', async () => {
    const first = await update(key, '&ip=84.1.1.1')
    expect([first.status, first.body, first.headers.get('content-type')]).toEqual([
      200,
      'good 84.1.1.1\n',
      'text/plain; charset=utf-8',
    ])
    expect((await update(key, '&ip=84.1.1.1')).body).toBe('nochg 84.1.1.1\n')
    expect(first.headers.get('cache-control')).toBe('no-store')
  })

  itInDepth('is answered in JSON where that is asked for', async () => {
    const json = { headers: { accept: 'application/json' } }
    expect((await update(key, '&ip=84.1.1.1', HOME, json)).body).toEqual({
      success: true,
      domain: HOME,
      ip: '84.1.1.1',
      addresses: ['84.1.1.1'],
      changed: true,
      due_at: null,
      in_force: false,
      because: 'inactive',
    })
  })

  itInDepth('takes IPv6 to AAAA, alone or beside IPv4, under each of the names', async () => {
    expect((await update(key, '&ip=2a02::1')).body).toBe('good 2a02::1\n')
    expect((await update(key, '&myip=84.1.1.1&myipv6=2a02::1')).body).toBe('good 84.1.1.1,2a02::1\n')
    expect((await update(key, '&ipv6=2A02:0::1')).body).toBe('nochg 2a02::1\n')
    expect(await addressesOf()).toEqual(['84.1.1.1', '2a02::1'])
  })

  itInDepth('takes the address of the connection where none is given', async () => {
    expect((await update(key)).body).toBe(`good ${GATEWAY}\n`)
    expect((await update(key, '', HOME, { peer: '::ffff:84.1.2.3' })).body).toBe(`nochg ${GATEWAY}\n`)
    expect((await update(key, '', HOME, { peer: '2a02::7' })).body).toBe('good 2a02::7\n')
  })

  it('says that ip is required where the connection’s address is not public or not known to be the caller’s', async () => {
    const forwarded = { headers: { 'x-forwarded-for': '84.1.2.3' } }
    for (const options of [
      { peer: '127.0.0.1' },
      { peer: '10.1.1.1' },
      { peer: '100.64.0.9' },
      { peer: null },
      forwarded,
    ])
      expect(await update(key, '', HOME, options)).toMatchObject({
        status: 422,
        body: {
          errors: [{ loc: ['query', 'ip'], type: 'missing', msg: expect.stringContaining('is required') }],
        },
      })
  })

  itOneIn(11).each([
    '',
    '10.0.0.1',
    '127.0.0.1',
    '100.64.0.1',
    '192.0.2.1',
    '::ffff:84.1.1.1',
    '084.1.1.1',
    '84.1.1.1,84.1.1.2',
    '84.1.1.1%20',
    'fe80::1%25eth0',
    '2001:db8::1',
  ])('refuses ip=%s and changes nothing', async (ip) => {
    expect(await update(key, `&ip=${ip}`)).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(await addressesOf()).toEqual([null, null])
  })

  itInDepth.each([
    ['&ip=', 'ip'],
    ['&myip=&myipv6=', 'myip'],
    ['&ipv6=&ip=', 'ip'],
  ])('says of nothing but empty ones what would do (%s)', async (query, name) => {
    expect((await update(key, query)).body['errors']).toMatchObject([
      { loc: ['query', name], msg: expect.stringContaining('leave it out') },
    ])
    expect(await addressesOf()).toEqual([null, null])
  })

  itInDepth('leaves out an empty part beside a good one, as routers without IPv6 send it', async () => {
    const nic = async (query: string) =>
      (await at.call('GET', `/nic/update?hostname=${HOME}&key=${key}${query}`, { key: null })).body
    expect((await update(key, '&ip=84.1.1.1&ipv6=')).body).toBe('good 84.1.1.1\n')
    for (const query of [
      '&myip=84.1.1.1,',
      '&myip=,84.1.1.1',
      '&myip=84.1.1.1&myipv6=',
      '&ip=&myip=84.1.1.1',
    ])
      expect([query, await nic(query)]).toEqual([query, 'nochg 84.1.1.1\n'])
    expect(await nic('&myip=&myipv6=2a02::1')).toBe('good 2a02::1\n')
    expect(await nic('&myip=,')).toBe('dnserr\n')
    expect(await addressesOf()).toEqual(['84.1.1.1', '2a02::1'])
  })

  itInDepth(
    'refuses two addresses of a kind, an IPv4 address as IPv6, and parameters that it does not know',
    async () => {
      for (const query of [
        '&ip=84.1.1.1&myip=84.1.1.2',
        '&ipv6=84.1.1.1',
        '&ip=84.1.1.1&ip=84.1.1.1',
        '&addr=84.1.1.1',
      ])
        expect((await update(key, query)).status).toBe(422)
      expect((await update(key, '&ip=84.1.1.1&myip=84.1.1.1')).status).toBe(200)
    },
  )

  itInDepth('with the API key is for any name that there is', async () => {
    const api = at.house.key.reveal()
    expect((await update(api, '&ip=84.1.1.1', 'other.example.com')).status).toBe(200)
    expect((await update(api, '&ip=84.1.1.1', HUB)).status).toBe(200)
    expect(await at.call('GET', `/api/ddns/update/${HOME}?ip=84.1.1.1`, { peer: GATEWAY })).toMatchObject({
      status: 200,
    })
    expect((await update(api, '&ip=84.1.1.1', 'nobody.example.com')).status).toBe(404)
    expect((await update(api, '&ip=84.1.1.1', 'no_name')).status).toBe(422)
    const changes = await events('address')
    expect(changes.map(({ facts }) => facts['actor'])).toEqual(['api-key', 'api-key', 'api-key'])
  })

  itInDepth('with an API key that has a name is told by it', async () => {
    const { body } = await at.call('POST', '/api/keys', { body: { name: 'gateway' } })
    expect((await update(String(body['key']), '&ip=84.1.1.1')).status).toBe(200)
    expect(await events('address')).toMatchObject([{ facts: { actor: 'key:gateway' } }])
    expect((await at.call('GET', `/api/audit?action=report_address`)).body).toMatchObject([
      { actor: 'key:gateway', detail: { key: 'key:gateway' } },
    ])
  })

  itInDepth(
    'tells nobody without the key of a host whether it is there, and nobody with another host’s',
    async () => {
      const body = async (answer: Promise<Answered>) => {
        const { status, body: seen } = await answer
        const { instance: _, request_id: _id, ...rest } = seen as Record<string, unknown>
        return { status, ...rest }
      }
      for (const query of ['&ip=84.1.1.1', '&ip=nonsense', '']) {
        expect(await body(update('wrong', query, HOME))).toEqual(
          await body(update('wrong', query, 'nobody.example.com')),
        )
        expect(await body(update(key, query, 'other.example.com'))).toEqual(
          await body(update(key, query, 'nobody.example.com')),
        )
      }
      expect(await update(key, '', 'other.example.com')).toMatchObject({
        status: 403,
        body: { code: 'token_not_for_name' },
      })
      expect(await update('wrong')).toMatchObject({ status: 401, body: { code: 'wrong_key' } })
      expect((await gateway(`/api/ddns/update/${HOME}?ip=84.1.1.1`)).status).toBe(401)
    },
  )

  itInDepth('for a host that was disabled or deleted since is 404', async () => {
    const [{ id }] = (await at.call('GET', '/api/domains?q=home')).body as unknown as [{ id: number }]
    await at.call('POST', `/api/domains/${id}/disable`)
    expect((await update(key, '&ip=84.1.1.1')).status).toBe(404)
  })

  itInDepth('by HEAD is refused and writes nothing; so are two keys, and a second slash', async () => {
    const head = await at.call('HEAD', `/api/ddns/update/${HOME}?key=${key}&ip=84.1.1.1`, {
      key: null,
      peer: GATEWAY,
    })
    expect(head.status).toBe(405)
    expect(await update(key, `&key=${key}&ip=84.1.1.1`)).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['query', 'key'], type: 'duplicate' }] },
    })
    expect(await addressesOf()).toEqual([null, null])
  })

  itInDepth('that comes too soon is good, says when it is due, and is taken then', async () => {
    await update(key, '&ip=84.1.1.1')
    clock.pass(15_000)
    const json = { headers: { accept: 'application/json' } }
    const soon = await update(key, '&ip=84.1.1.2', HOME, json)
    expect(soon).toMatchObject({ status: 200, body: { success: true, changed: true, ip: '84.1.1.2' } })
    const due_at = String(soon.body['due_at'])
    const wait_ms = Date.parse(due_at) - clock.now()
    expect(wait_ms).toBeGreaterThan(20_000)
    expect(wait_ms).toBeLessThanOrEqual(45_000)
    expect(await update(key, '&ip=84.1.1.2')).toMatchObject({ status: 200, body: 'good 84.1.1.2\n' })
    expect(await nic(key, `hostname=${HOME}&myip=84.1.1.3`)).toMatchObject({
      status: 200,
      body: 'good 84.1.1.3\n',
    })
    expect(await addressesOf()).toEqual(['84.1.1.1', null])
    expect((await hosts()).hosts.find(({ host }) => host === HOME)).toMatchObject({
      waiting: [{ type: 'A', address: '84.1.1.3', due_at }],
    })
    clock.pass(MINUTE)
    await expect.poll(() => addressesOf(), { timeout: 30_000 }).toEqual(['84.1.1.3', null])
    expect((await update(key, '&ip=84.1.1.3', HOME, json)).body).toMatchObject({
      changed: false,
      due_at: null,
    })
    const { body } = await at.call('GET', '/api/audit?action=report_address')
    expect((body as unknown as { actor: string }[]).map(({ actor }) => actor)).toEqual(['attic', 'attic'])
  })

  itInDepth(
    'that comes too soon is taken after a restart, also when it was due while nothing ran',
    async () => {
      await update(key, '&ip=84.1.1.1')
      await update(key, '&ip=84.1.1.2')
      await at.house.close()
      clock.pass(60 * MINUTE)
      at = await at.reopen()
      await expect.poll(() => addressesOf(), { timeout: 30_000 }).toEqual(['84.1.1.2', null])
    },
  )

  itInDepth(
    'that goes back and forth is held, shown and told, and the newest is taken when its ten minutes are over',
    async () => {
      const turns = ['84.1.1.1', '84.9.9.9', '84.1.1.1', '84.9.9.9', '84.1.1.1']
      for (const ip of turns) {
        expect((await update(key, `&ip=${ip}`)).status).toBe(200)
        clock.pass(MINUTE)
      }
      expect(await update(key, '&ip=84.9.9.9')).toMatchObject({ status: 200, body: 'good 84.9.9.9\n' })
      expect((await hosts()).hosts.find(({ host }) => host === HOME)).toMatchObject({
        ipv4: '84.1.1.1',
        flapping: [{ type: 'A', held: '84.1.1.1', asked: '84.9.9.9' }],
      })
      expect(await events('flapping')).toMatchObject([
        { facts: { host: HOME, type: 'A', address: '84.1.1.1' } },
      ])
      clock.pass(10 * MINUTE)
      await expect.poll(() => addressesOf(), { timeout: 30_000 }).toEqual(['84.9.9.9', null])
      expect((await hosts()).hosts.find(({ host }) => host === HOME)).toMatchObject({ flapping: [] })
    },
  )

  itInDepth('leaves the record’s revision alone, and can be looked up with its history', async () => {
    await update(key, '&ip=84.1.1.1')
    clock.pass(MINUTE)
    await update(key, '&ip=84.1.1.2')
    const [record] = (await at.call('GET', '/api/domains?q=home')).body as unknown as [{ revision: number }]
    expect(record.revision).toBe(1)
    const { body } = await at.call('GET', '/api/ddns/hosts?history=1')
    expect((body as unknown as { hosts: unknown[] }).hosts).toMatchObject([
      { host: HOME, history: [{ address: '84.1.1.2' }] },
      { host: HUB, is_hub: true, domain_id: null, ipv4: null, history: [] },
      { host: 'other.example.com', ddns_enabled: true, reported_at: null },
    ])
  })

  itInDepth('from a page of another site is refused', async () => {
    const page = { headers: { 'sec-fetch-site': 'cross-site' } }
    expect((await update(key, '&ip=84.1.1.1', HOME, page)).status).toBe(403)
  })
})

describe('/nic/update', () => {
  let key: string
  beforeEach(async () => {
    key = (await issue()).key
  })

  it('takes the password for the key, and says good and nochg', async () => {
    const query = `system=dyndns&hostname=${HOME}&myip=84.1.1.1&wildcard=NOCHG&mx=&backmx=NO`
    expect(await nic(key, query)).toMatchObject({ status: 200, body: 'good 84.1.1.1\n' })
    expect((await nic(key, query)).body).toBe('nochg 84.1.1.1\n')
    expect((await nic(key, `hostname=${HOME}&myip=84.1.1.1,2a02::1`)).body).toBe('good 84.1.1.1,2a02::1\n')
    // The address of the connection is another one, and soon after the last.
    expect(await nic(key, `hostname=${HOME}`)).toMatchObject({ status: 200, body: `good ${GATEWAY}\n` })
  })

  itInDepth('takes the API key too, with one line for each host in their order', async () => {
    const api = at.house.key.reveal()
    await nic(key, `hostname=${HOME}&myip=84.1.1.1`)
    const names = [HOME, 'nobody.example.com', 'other.example.com', 'nonsense'].join(',')
    expect(await nic(api, `hostname=${names}&myip=84.1.1.1`)).toMatchObject({
      status: 200,
      body: 'nochg 84.1.1.1\nnohost\ngood 84.1.1.1\nnohost\n',
    })
  })

  itOneIn(10).each<[string, () => Promise<Answered>, number, string]>([
    ['no credentials', () => gateway(`/nic/update?hostname=${HOME}&myip=84.1.1.1`), 401, 'badauth\n'],
    ['a wrong password', () => nic('wrong', `hostname=${HOME}&myip=84.1.1.1`), 401, 'badauth\n'],
    [
      'the token of another host',
      () => nic(key, 'hostname=other.example.com&myip=84.1.1.1'),
      200,
      'nohost\n',
    ],
    [
      'a host that is not there',
      () => nic(at.house.key.reveal(), 'hostname=nobody.example.com&myip=84.1.1.1'),
      200,
      'nohost\n',
    ],
    [
      'none of two hosts',
      () => nic(key, 'hostname=a.example.com,b.example.com&myip=84.1.1.1'),
      200,
      'nohost\nnohost\n',
    ],
    ['no host', () => nic(key, 'myip=84.1.1.1'), 200, 'nohost\n'],
    ['a private address', () => nic(key, `hostname=${HOME}&myip=10.0.0.1`), 200, 'dnserr\n'],
    ['an empty address', () => nic(key, `hostname=${HOME}&myip=`), 200, 'dnserr\n'],
    ['two addresses of a kind', () => nic(key, `hostname=${HOME}&myip=84.1.1.1,84.1.1.2`), 200, 'dnserr\n'],
    ['an unknown parameter', () => nic(key, `hostname=${HOME}&ipp=84.1.1.1`), 200, 'dnserr\n'],
  ])('answers %s with a word and a status', async (_what, call, status, body) => {
    expect(await call()).toMatchObject({ status, body })
    expect(await addressesOf()).toEqual([null, null])
  })

  itInDepth('asks routers that wait for it for Basic credentials', async () => {
    const { headers } = await gateway(`/nic/update?hostname=${HOME}`)
    expect(headers.get('www-authenticate')).toMatch(/^Basic realm="plumbline"/)
  })

  it('says 911 when the store cannot take it', async () => {
    await at.house.close()
    expect(await nic(key, `hostname=${HOME}&myip=84.1.1.1`)).toMatchObject({
      status: 503,
      body: expect.stringMatching(/^911 /),
    })
  })
})

describe('limits', () => {
  it('ten wrong keys a minute from one client, then nothing but a site token is looked at', async () => {
    const { key } = await issue()
    clock.limitsStandStill()
    for (let i = 0; i < 10; i++) expect((await update(`wrong-${i}`, '&ip=84.1.1.1')).status).toBe(401)
    const eleventh = await update('wrong', '&ip=84.1.1.1')
    expect(eleventh).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(0)
    // The API key must not be told from a wrong one by trying; a token of 256 bits cannot be tried on.
    expect((await update(at.house.key.reveal(), '&ip=84.1.1.1')).status).toBe(429)
    expect(await nic('wrong', `hostname=${HOME}`)).toMatchObject({ status: 200, body: 'abuse\n' })
    expect((await update(key, '&ip=84.1.1.1')).status).toBe(200)
    expect((await update('wrong', '', HOME, { peer: '84.1.2.4' })).status).toBe(401)
    clock.pass(MINUTE)
    expect((await update(at.house.key.reveal(), '&ip=84.1.1.1')).status).toBe(200)
  })

  itInDepth('an IPv6 client is its /64', async () => {
    clock.limitsStandStill()
    for (let i = 0; i < 10; i++) await update('wrong', '', HOME, { peer: `2a02:1:2:3::${i + 1}` })
    expect((await update('wrong', '', HOME, { peer: '2a02:1:2:3:ffff::1' })).status).toBe(429)
    expect((await update('wrong', '', HOME, { peer: '2a02:1:2:4::1' })).status).toBe(401)
  })

  itInDepth('none for reports with a right key, of whatever address', async () => {
    const { key } = await issue()
    for (let i = 0; i < 200; i++) expect((await update(key, `&ip=84.1.1.${i % 7}`)).status).toBe(200)
  })
})

itInDepth('of 1,000 wrong keys none is taken', async () => {
  const { key } = await issue()
  const near = [
    key.slice(0, -1),
    `${key}x`,
    key.toLowerCase(),
    key.toUpperCase(),
    ` ${key}`,
    `${key}%20`,
    key.split('').toReversed().join(''),
  ]
  for (let i = 0; i < 1000; i++) {
    const wrong = near[i] ?? `${i}${key.slice(0, i % 42)}`
    const peer = `84.${(i >> 8) & 255}.${i & 255}.1`
    expect((await update(encodeURI(wrong), '&ip=84.1.1.1', HOME, { peer })).status).toBe(401)
  }
  expect(await addressesOf()).toEqual([null, null])
})

describe('no failure can be taken for success by a router that looks for a word in the body', () => {
  it('in whatever way it fails', async () => {
    const { key } = await issue('home.example.com')
    const api = at.house.key.reveal()
    const failing = [
      gateway(`/api/ddns/update/${HOME}`),
      update('wrong'),
      update(key, '&ip=10.0.0.1'),
      update(key, '&ip='),
      update(key, '&wrong=1'),
      update(key, '', HOME, { peer: '10.0.0.1' }),
      update(api, '&ip=84.1.1.1', 'nobody.example.com'),
      update(api, '&ip=84.1.1.1', 'x'),
      update(key, '&ipv6=84.1.1.1'),
      update(key, '&key=x'),
      gateway(`/api/ddns/update/${HOME}?key=${key}`, { headers: { host: 'evil.example' } }),
      gateway(`//api/ddns/update/${HOME}?key=${key}`),
    ]
    const SUCCESS = /ok|good|true|updated|success|nochg/i
    for (const answer of await Promise.all(failing)) {
      expect(answer.status).not.toBe(200)
      const body = answer.body as Record<string, unknown>
      // Ids of the request are random or the caller's own.
      const { request_id: _, instance: _i, ...rest } = body
      expect(JSON.stringify(rest)).not.toMatch(SUCCESS)
    }
    // The one exception is a word in the code itself; its status is what such routers go by.
    expect((await update(key, '', 'other.example.com')).status).toBe(403)
  })
})
