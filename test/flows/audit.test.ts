/** The audit trail: each accepted change is in it once, with who, at whose request and which revisions. */
import { describe, expect, it } from 'vitest'
import type { Answered, Client } from './client.ts'
import { describedClient } from './described.ts'
import { APP, create, createActive, openTestHouse } from './test-house.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'

interface Entry {
  readonly id: number
  readonly at: string
  readonly request_id: string
  readonly caller_request_id: string | null
  readonly action: string
  readonly domain: string | null
}

const entries = async (call: Client, query = ''): Promise<readonly Entry[]> => {
  const { status, body } = await call('GET', `/api/audit${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as readonly Entry[]
}

describe('each accepted change', () => {
  itInDepth('has exactly one entry, with actor, request and revisions', async () => {
    await using at = await openTestHouse()
    const call = await describedClient(at.call)
    const id = await create(call)
    const release = (await call('POST', `/api/domains/${id}/activate`)).body['release']
    const steps: readonly (readonly [string, string, unknown, Readonly<Record<string, unknown>>])[] = [
      [
        'PUT',
        `/api/domains/${id}`,
        { backend_port: 9 },
        { action: 'update', revision_before: 2, revision_after: 3 },
      ],
      [
        'POST',
        `/api/domains/${id}/deploy`,
        undefined,
        { action: 'deploy', revision_before: 3, revision_after: 3 },
      ],
      [
        'POST',
        `/api/domains/${id}/deactivate`,
        undefined,
        { action: 'deactivate', revision_before: 3, revision_after: 4 },
      ],
      [
        'POST',
        `/api/domains/${id}/activate`,
        undefined,
        { action: 'activate', revision_before: 4, revision_after: 5 },
      ],
      [
        'POST',
        '/api/deploy-all',
        undefined,
        { action: 'deploy_all', domain_id: null, revision_before: null },
      ],
      [
        'POST',
        `/api/releases/${release}/restore`,
        undefined,
        {
          action: 'restore',
          revision_before: 5,
          revision_after: 6,
          detail: { release, backend_port: { before: 9, after: 8080 } },
        },
      ],
      [
        'POST',
        `/api/releases/${release}/restore`,
        undefined,
        { action: 'restore', domain_id: null, detail: { release } },
      ],
      [
        'POST',
        `/api/domains/${id}/disable`,
        undefined,
        { action: 'disable', revision_before: 6, revision_after: 7 },
      ],
      [
        'DELETE',
        `/api/domains/${id}`,
        undefined,
        { action: 'delete', revision_before: 7, revision_after: null },
      ],
      [
        'POST',
        '/api/domains',
        APP,
        { action: 'create', domain_id: id + 1, revision_before: null, revision_after: 1 },
      ],
      [
        'POST',
        '/api/domains/expose',
        { domain: 'x.example.com', backend_host: '10.0.0.5', backend_port: 80 },
        { action: 'expose', domain_id: id + 2, domain: 'x.example.com', revision_after: 2 },
      ],
    ]
    for (const [step, [method, path, body, expected]] of steps.entries()) {
      const caller_request_id = `step-${step}`
      const headers = { 'x-request-id': caller_request_id }
      const answer = await call(method, path, { headers, ...(body === undefined ? {} : { body }) })
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
      const found = (await entries(call)).filter((entry) => entry.caller_request_id === caller_request_id)
      const request_id = answer.headers.get('x-request-id')
      const one = { actor: 'key', request_id, domain_id: id, domain: APP.domain, plan_hash: null }
      expect(found, `${method} ${path}`).toMatchObject([{ ...one, ...nobody(expected), ...expected }])
    }
  })

  it('under one request id of the caller, each stands under one of ours', async () => {
    await using at = await openTestHouse()
    const headers = { 'x-request-id': 'somebody-elses' }
    const answers = [
      await at.call('POST', '/api/domains', { headers, body: { ...APP, domain: 'a.example.com' } }),
      await at.call('POST', '/api/domains', { headers, body: { ...APP, domain: 'b.example.com' } }),
      await at.call('POST', '/api/domains', { body: { ...APP, domain: 'c.example.com' } }),
    ]
    const ids = answers.map((answer) => answer.headers.get('x-request-id'))
    expect(new Set([...ids, 'somebody-elses']).size).toBe(4)
    const found = (await entries(at.call)).slice(0, 3).toReversed()
    expect(found.map(({ request_id, caller_request_id }) => [request_id, caller_request_id])).toEqual([
      [ids[0], 'somebody-elses'],
      [ids[1], 'somebody-elses'],
      [ids[2], null],
    ])
  })

  itInDepth('of many records has one entry for each', async () => {
    await using at = await openTestHouse()
    const { call } = at
    const [a, b] = [
      await createActive(call, { domain: 'a.example.com' }),
      await createActive(call, { domain: 'b.example.com' }),
    ]
    const release = (await call('POST', '/api/deploy-all')).body['release']
    await call('DELETE', `/api/domains/${a}`)
    await call('POST', `/api/domains/${b}/deactivate`)
    const c = await createActive(call, { domain: 'c.example.com' })
    const { body } = await call('POST', `/api/releases/${release}/restore`, {
      headers: { 'x-request-id': 'back' },
    })
    expect(body).toMatchObject({ success: true })
    const found = (await entries(call)).filter(({ caller_request_id }) => caller_request_id === 'back')
    expect(found).toMatchObject([
      {
        action: 'recreate',
        domain_id: c + 1,
        domain: 'a.example.com',
        revision_before: null,
        detail: { release, replaces: a },
      },
      {
        action: 'restore',
        domain_id: c,
        detail: { release, status: { before: 'active', after: 'inactive' } },
      },
      {
        action: 'restore',
        domain_id: b,
        detail: { release, status: { before: 'inactive', after: 'active' } },
      },
    ])
  })

  itInDepth('that renames a record is found under both names, by whatever spelling', async () => {
    await using at = await openTestHouse()
    const { call } = at
    const id = await createActive(call, { domain: 'a-b.example.com' })
    await createActive(call, { domain: 'axb.example.com' })
    const { status } = await call('PUT', `/api/domains/${id}`, { body: { domain: 'new.example.com' } })
    expect(status).toBe(200)
    await call('POST', `/api/domains/${id}/deploy`)
    const actions = async (name: string) =>
      (await entries(call, `?domain=${name}`)).map(({ action, domain }) => `${action} ${domain}`)
    const renamed = 'update new.example.com'
    expect(await actions('A-B.example.com.')).toEqual([
      renamed,
      'activate a-b.example.com',
      'create a-b.example.com',
    ])
    // The name of now finds the whole trail of the record, the name of then what happened until it was taken away.
    const whole = ['deploy new.example.com', renamed, 'activate a-b.example.com', 'create a-b.example.com']
    expect(await actions('new.example.com')).toEqual(whole)
    expect(await actions('axb.example.com')).not.toContain(renamed)
    expect(await actions('example.com')).toEqual([])
    await call('PUT', `/api/domains/${id}`, { body: { note: '"domain":{"before":"x"}' } })
    expect(await entries(call, '?action=rename')).toMatchObject([
      { action: 'update', domain: 'new.example.com' },
    ])
    await call('DELETE', `/api/domains/${id}`)
    expect((await actions('new.example.com')).slice(-whole.length)).toEqual(whole)
  })

  itInDepth('that was confirmed carries the hash of its plan', async () => {
    await using at = await openTestHouse()
    const { call } = at
    await createActive(call, { domain: 'a.example.com' })
    await createActive(call, { domain: 'b.example.com' })
    const refused = await call('POST', '/api/releases/1/restore')
    const hash = refused.body['plan_hash']
    expect(refused).toMatchObject({ status: 409, body: { guards: [{ rule: 'emptied_edition' }] } })
    expect((await call('POST', `/api/releases/1/restore?confirm=${hash}`)).status).toBe(200)
    expect(await entries(call, '?limit=3')).toMatchObject([
      { action: 'restore', domain: 'b.example.com', plan_hash: hash },
      { action: 'restore', domain: 'a.example.com', plan_hash: hash },
      { action: 'refused', domain: null, plan_hash: hash, detail: { rules: ['emptied_edition'] } },
    ])
  })
})

/** A call about the whole estate names no record. */
const nobody = ({ domain_id }: Readonly<Record<string, unknown>>) =>
  domain_id === null ? { domain: null } : {}

it('a change that a guard refused names the domain and the reason', async () => {
  const domain = 'plumbline.example.com'
  await using at = await openTestHouse({ env: { PLUMBLINE_ALLOWED_HOSTS: domain } })
  const id = await createActive(at.call, { domain })
  expect((await at.call('POST', `/api/domains/${id}/deactivate`)).status).toBe(409)
  const detail = { rules: ['protected_name'], because: `${domain} serves this control plane.` }
  expect(await entries(at.call, `?domain=${domain}&limit=1`)).toMatchObject([
    { action: 'refused', domain, domain_id: null, detail },
  ])
})

describeInDepth('a refused call', () => {
  it('changes nothing: no record, no release, no file, no entry', async () => {
    await using at = await openTestHouse()
    const { call } = at
    const id = await createActive(call)
    const taken = await create(call, { domain: 'taken.example.com' })
    await call('POST', `/api/domains/${taken}/disable`)
    const state = async () => ({
      records: (await call('GET', '/api/domains')).body,
      releases: (await call('GET', '/api/releases')).body,
      audit: await entries(call),
      routes: at.routes(),
    })
    const before = await state()
    const answers: readonly Answered[] = [
      await call('POST', '/api/domains', { body: APP }),
      await call('POST', '/api/domains', { body: { ...APP, domain: 'not a name' } }),
      await call('PUT', `/api/domains/${id}`, { body: { domain: 'taken.example.com' } }),
      await call('PUT', `/api/domains/${id}`, { body: { backend_port: 1 }, headers: { 'if-match': '"1"' } }),
      await call('PUT', `/api/domains/${id}`, { body: { backend_port: 1 }, key: 'wrong' }),
      await call('POST', `/api/domains/${taken}/activate`),
      await call('POST', `/api/domains/${taken}/deploy`),
      await call('POST', '/api/releases/99/restore'),
      await call('POST', '/api/releases/1/restore', { key: null }),
      await call('DELETE', '/api/domains/99'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([409, 422, 409, 412, 401, 409, 409, 404, 401, 404])
    expect(await state()).toEqual(before)
  })
})

describe('the trail', () => {
  it('of a deleted domain is found by id, by name and by any spelling of it', async () => {
    await using at = await openTestHouse()
    const { call } = at
    const id = await createActive(call, { domain: 'bücher.example.com' })
    await call('PUT', `/api/domains/${id}`, { body: { domain: 'books.example.com' } })
    await call('DELETE', `/api/domains/${id}`)
    const actions = async (query: string) => (await entries(call, query)).map(({ action }) => action)
    expect(await actions(`?domain_id=${id}`)).toEqual(['delete', 'update', 'activate', 'create'])
    // The name that it had in the end finds what happened under the one before.
    expect(await actions('?domain=books.example.com')).toEqual(['delete', 'update', 'activate', 'create'])
    for (const name of ['b%C3%BCcher.example.com', 'xn--bcher-kva.example.com', 'B%C3%9CCHER.example.com'])
      expect(await actions(`?domain=${name}`)).toEqual(['update', 'activate', 'create'])
  })

  itInDepth('is filtered and paged, each entry once, newest first', async () => {
    await using at = await openTestHouse()
    const call = await describedClient(at.call)
    for (const name of ['a', 'b', 'c', 'd']) await createActive(call, { domain: `${name}.example.com` })
    const all = await entries(call)
    expect(all.map(({ id }) => id)).toEqual(all.map((_, i) => all.length - i))
    expect((await entries(call, '?action=create')).map(({ domain }) => domain)).toEqual(
      ['d', 'c', 'b', 'a'].map((name) => `${name}.example.com`),
    )
    expect(await entries(call, '?actor=sso:nobody')).toEqual([])
    for (const main of ['key', 'main', 'key:main'])
      expect(await entries(call, `?actor=${main}&limit=500`)).toEqual(all)
    const since = all[2]!.at
    expect(await entries(call, `?since=${since}`)).toEqual(all.filter((entry) => entry.at >= since))
    expect(await entries(call, '?since=2100-01-01T00:00:00%2B02:00')).toEqual([])
    const paged: Entry[] = []
    let path: string | undefined = '?limit=3&action=activate'
    while (path !== undefined) {
      const page = await call('GET', `/api/audit${path}`)
      paged.push(...(page.body as unknown as readonly Entry[]))
      path = /^<\/api\/audit(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(paged).toEqual(all.filter(({ action }) => action === 'activate'))
  })

  it('is asked for by the name of a key, with or without what it is', async () => {
    await using at = await openTestHouse()
    const { body: made } = await at.call('POST', '/api/keys', { body: { name: 'ci' } })
    await at.call('POST', '/api/domains', { body: APP, key: String(made['key']) })
    for (const ci of ['ci', 'key:ci'])
      expect(await entries(at.call, `?actor=${ci}`)).toMatchObject([{ action: 'create', actor: 'key:ci' }])
  })

  it.each([
    ['since=yesterday', 'since'],
    ['since=2030-01-31', 'since'],
    ['since=2030-01-31T12:00:00', 'since'],
    ['domain=not%20a%20name', 'domain'],
    ['domain_id=x', 'domain_id'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['before=-1', 'before'],
    ['actors=key', 'actors'],
  ])('asked for %s answers 422 and names the parameter', async (query, name) => {
    await using at = await openTestHouse({ opened: false })
    expect(await at.call('GET', `/api/audit?${query}`)).toMatchObject({
      status: 422,
      body: { errors: [{ loc: ['query', name] }] },
    })
  })
})
