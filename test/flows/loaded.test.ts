/** Written is not loaded: what the house says and does when the proxy takes a routes file, or does not. */
import { fetch } from 'undici'
import { describe, expect, it } from 'vitest'
import { TIER, sample } from '../kit/tier.ts'
import { breakBefore, edited, halfOpen, html, silent, status } from '../fakes/dns/faults.ts'
import { clientOf } from './client.ts'
import { hurriedClock, openProxyHouse, type ProxyHouse } from './proxy-house.ts'
import { create, createActive } from './test-house.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'

const effective = async (at: ProxyHouse, id: number) =>
  (await at.call('GET', `/api/domains/${id}/effective-config`)).body

describe('a proxy that takes what it is given', () => {
  it('a deploy says that it was loaded, and so does its status', async () => {
    await using at = await openProxyHouse()
    const id = await create(at.call)
    const answer = await at.call('POST', `/api/domains/${id}/activate`)
    expect(answer.body).toMatchObject({ loaded: true, warnings: [] })
    expect((await at.call('POST', '/api/deploy-all')).body).toMatchObject({ loaded: true })
    expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
      loaded: true,
      loaded_then: true,
      source: 'memory',
      proxy: { configured: true, reachable: true, version: '3.7.9', version_fits: true, detail: null },
    })
  })

  itInDepth('an edit that is saved and not deployed is pending, and nothing differs', async () => {
    await using at = await openProxyHouse()
    const id = await createActive(at.call)
    expect(await effective(at, id)).toMatchObject({
      sync_status: 'in_sync',
      sync_reason: null,
      differences: [],
    })
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9999 } })
    const seen = await effective(at, id)
    expect(seen).toMatchObject({
      sync_status: 'pending_deploy',
      differences: [],
      intent: { backend_port: 9999 },
      runtime: { file_loaded: true },
    })
    expect(JSON.stringify(seen['generated'])).toContain('http://10.0.0.5:9999')
    expect(JSON.stringify(seen['runtime'])).toContain('http://10.0.0.5:8080')
    expect(seen).not.toHaveProperty('backend_tcp_reachable')
  })
})

describe('a proxy that refuses the file', () => {
  const refusing = async (env: Record<string, string> = {}) => {
    const clock = hurriedClock()
    const at = await openProxyHouse({ clock, env })
    await createActive(at.call, { domain: 'good.example.com' })
    at.traefik.refuse((text) => text.includes('bad.example.com'))
    return at
  }

  it('the file goes back to what the proxy runs, and the record says why', async () => {
    await using at = await refusing()
    const before = at.routes()
    const id = await create(at.call, { domain: 'bad.example.com' })
    const answer = await at.call('POST', `/api/domains/${id}/activate`)
    expect(answer).toMatchObject({
      status: 502,
      body: { code: 'provider_refused', loaded: false, went_back_to: 2 },
    })
    expect(at.routes()).toBe(before)
    const record = (await at.call('GET', `/api/domains/${id}`)).body
    expect(record['status']).toBe('error')
    expect(record['status_reason']).toContain('did not load release 3')
    expect(await effective(at, id)).toMatchObject({ sync_status: 'pending_deploy' })
    expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({ loaded: true })
    const { body } = await at.call('GET', '/api/audit?limit=2')
    // How it ended for the caller, and what was done about it.
    expect(body).toMatchObject([{ action: 'activate_failed', domain_id: id }, { action: 'go_back' }])
  })

  itInDepth('what was mended is deployed and the record recovers', async () => {
    await using at = await refusing()
    const id = await create(at.call, { domain: 'bad.example.com' })
    await at.call('POST', `/api/domains/${id}/activate`)
    at.traefik.refuse(() => false)
    expect((await at.call('POST', `/api/domains/${id}/activate`)).body).toMatchObject({ loaded: true })
    expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({
      status: 'active',
      status_reason: null,
    })
    expect(at.routes()).toContain('bad.example.com')
  })

  itInDepth('nothing goes to and fro: after going back no pass writes again', async () => {
    await using at = await refusing()
    const id = await create(at.call, { domain: 'bad.example.com' })
    await at.call('POST', `/api/domains/${id}/activate`)
    const before = (await at.call('GET', '/api/releases')).body as unknown as unknown[]
    await at.call('POST', '/api/reconcile')
    const after = (await at.call('GET', '/api/releases')).body as unknown as unknown[]
    expect(after.length).toBe(before.length)
    expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({ status: 'error' })
  })

  itInDepth('in observe mode the file stays, and the answer says written, not loaded', async () => {
    await using at = await refusing({ PLUMBLINE_MODE: 'observe' })
    const id = await create(at.call, { domain: 'bad.example.com' })
    const answer = await at.call('POST', `/api/domains/${id}/activate`)
    expect(answer).toMatchObject({ status: 200, body: { loaded: false } })
    expect(String(answer.body['warnings'])).toContain('Written, not loaded')
    expect(at.routes()).toContain('bad.example.com')
    expect(await effective(at, id)).toMatchObject({
      sync_status: 'not_loaded',
      runtime: { file_loaded: false },
    })
  })

  itInDepth('an exposure that it did not load is not called exposed', async () => {
    await using at = await refusing({ PLUMBLINE_MODE: 'observe' })
    const body = { domain: 'bad.example.com', backend_host: '10.0.0.5', backend_port: 8080 }
    const answer = await at.call('POST', '/api/domains/expose', { body })
    expect(answer).toMatchObject({ status: 200, body: { loaded: false } })
    expect(answer.body['message']).toContain('the proxy has not loaded it')
    expect(answer.body['message']).not.toContain('is exposed')
  })

  itInDepth(
    'where another installation writes into the same proxy, nobody guesses whose file was refused',
    async () => {
      await using at = await refusing()
      const { middlewares } = at.traefik.running.http
      middlewares.push({ ...middlewares[0]!, name: 'plumbline-generation-ffffffffffffffff@file' })
      const id = await create(at.call, { domain: 'bad.example.com' })
      const answer = await at.call('POST', `/api/domains/${id}/activate`)
      expect(answer).toMatchObject({ status: 200, body: { loaded: false } })
      expect(String(answer.body['warnings'])).toContain('no single older release of ours')
      expect(at.routes()).toContain('bad.example.com')
    },
  )

  itInDepth('what became of the newest release follows the cure', async () => {
    await using at = await refusing()
    const { middlewares } = at.traefik.running.http
    const foreign = { ...middlewares[0]!, name: 'plumbline-generation-ffffffffffffffff@file' }
    middlewares.push(foreign)
    const id = await create(at.call, { domain: 'bad.example.com' })
    await at.call('POST', `/api/domains/${id}/activate`)
    const status = async () => (await at.call('GET', '/api/deploy/status')).body
    expect(await status()).toMatchObject({ loaded: false, newest: { release: 3, proxy: 'not_loaded' } })
    at.traefik.refuse(() => false)
    at.traefik.restart(new Date())
    await at.lookAnew()
    expect(await status()).toMatchObject({ loaded: true, newest: { release: 3, proxy: 'loaded' } })
    const word = async () => {
      const { body } = await at.call('GET', '/api/releases')
      return (body as unknown as readonly { results: Record<string, string> }[])[0]!.results['proxy']
    }
    // The watch gives a deploy the first word about its release, which takes as long as it may wait.
    if (TIER === 'gate') await at.call('POST', `/api/domains/${id}/deploy`)
    await expect.poll(word).toBe('loaded')
  })

  itInDepth('a marker on somebody’s container proves nothing', async () => {
    await using at = await refusing()
    const id = await create(at.call, { domain: 'bad.example.com' })
    // Whatever the file says now is claimed by a label.
    at.traefik.misbehave(
      edited((json) => {
        const marker = /plumbline-generation-[0-9a-f]{16}/.exec(at.routes())![0]
        return [...(json as object[]), { name: `${marker}@docker`, provider: 'docker', type: 'headers' }]
      }),
      { times: Infinity, when: ({ path }) => path === '/api/http/middlewares' },
    )
    expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(502)
  })

  itInDepth('a door that was closed is not opened again by going back', async () => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    const id = await createActive(at.call, { domain: 'door.example.com', auth_required: false })
    at.traefik.refuse((text) => text.includes('plumbline-sso'))
    await at.call('PUT', `/api/domains/${id}`, { body: { auth_required: true } })
    const answer = await at.call('POST', `/api/domains/${id}/deploy`)
    expect(answer).toMatchObject({ status: 200, body: { loaded: false } })
    expect(String(answer.body['warnings'])).toContain('opens again what door.example.com closes')
    expect(at.routes()).toContain('plumbline-sso')
  })

  itInDepth('a route that is taken away and still served is told, and never brought back', async () => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    const id = await createActive(at.call)
    at.traefik.refuse(() => true)
    const answer = await at.call('POST', `/api/domains/${id}/deactivate`)
    expect(answer.status).toBe(200)
    expect(String(answer.body['warnings'])).toContain('Written, not loaded')
    expect(at.routes()).not.toContain('app.example.com')
    expect(await effective(at, id)).toMatchObject({ sync_status: 'not_loaded' })
  })

  itInDepth('a proxy that was never seen to take a change may not watch: its file is left', async () => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    await createActive(at.call, { domain: 'good.example.com' })
    at.traefik.restart(new Date(Date.now() + 60_000))
    at.traefik.stopWatching()
    const id = await create(at.call, { domain: 'bad.example.com' })
    const answer = await at.call('POST', `/api/domains/${id}/activate`)
    expect(answer).toMatchObject({ status: 200, body: { loaded: false } })
    expect(String(answer.body['warnings'])).toContain('not seen to take a change')
    expect(at.routes()).toContain('bad.example.com')
  })
})

describe('a proxy that cannot be seen', () => {
  const FAULTS = {
    'breaks off': breakBefore,
    'answers HTML': html(),
    'is silent': silent,
    'gives half of an answer': halfOpen,
    'is another program': status(404),
  } as const

  for (const [what, fault] of sample(Object.entries(FAULTS), 5))
    it(`that ${what} is unknown, and nothing is written`, async () => {
      await using at = await openProxyHouse()
      const id = await createActive(at.call)
      const before = at.routes()
      at.traefik.misbehave(fault, { times: Infinity })
      await at.lookAnew()
      // A probe on a busy machine may be over before the look that it began.
      await expect.poll(async () => (await effective(at, id))['sync_status']).toBe('unknown')
      const answers = await Promise.all([
        effective(at, id),
        at.call('GET', '/api/deploy/status').then(({ body }) => body),
        at.call('GET', '/api/middlewares').then(({ body }) => body),
        at.call('GET', '/api/metrics/summary').then(({ body }) => body),
      ])
      expect(answers[0]).toMatchObject({ sync_status: 'unknown', runtime: null })
      expect(answers[1]).toMatchObject({ loaded: null, proxy: { reachable: false } })
      expect((answers[2] as unknown as { status: string }[]).every((one) => one.status === 'unknown')).toBe(
        true,
      )
      expect(answers[3]).toContain('Proxy      unknown')
      expect(at.routes()).toBe(before)
    })

  itInDepth('nobody waits longer than a second and a half for a proxy that hangs', async () => {
    await using at = await openProxyHouse()
    const id = await createActive(at.call)
    at.traefik.misbehave(silent, { times: Infinity })
    await at.lookAnew()
    expect((await effective(at, id))['sync_reason']).toContain('did not answer within 1500 ms')
  })

  it('without an API nothing is known, and deploys do not wait', async () => {
    await using at = await openProxyHouse({ env: { PLUMBLINE_TRAEFIK_API: '' } })
    const id = await create(at.call)
    expect((await at.call('POST', `/api/domains/${id}/activate`)).body).toMatchObject({
      loaded: null,
      warnings: [],
    })
    expect(await effective(at, id)).toMatchObject({ sync_status: 'unknown' })
    expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
      loaded: null,
      proxy: { configured: false, reachable: null },
    })
    expect(at.traefik.asked).toEqual([])
  })

  itInDepth('a proxy that goes silent during a deploy costs two seconds, not ten', async () => {
    await using at = await openProxyHouse()
    at.traefik.misbehave(silent, { times: Infinity })
    const id = await create(at.call)
    const answer = await at.call('POST', `/api/domains/${id}/activate`)
    expect(answer).toMatchObject({ status: 200, body: { loaded: null } })
    expect(String(answer.body['warnings'])).toContain('not known')
  })

  itInDepth('the end of the house is the end of waiting for the proxy', async () => {
    const at = await openProxyHouse({ opened: false })
    try {
      const address = await at.house.open()
      at.traefik.refuse(() => true)
      const id = await create(at.call)
      // Over a socket: the end of the house waits until this answer is out.
      const headers = { 'x-api-key': at.house.key.reveal() }
      const waiting = fetch(new URL(`/api/domains/${id}/activate`, address), { method: 'POST', headers })
      // What is released is written first; only then is the proxy asked whether it took it.
      await expect.poll(() => at.routes()).toContain('app.example.com')
      const written = at.traefik.asked.length
      const waits = () => at.traefik.asked.slice(written).filter(({ query }) => query.has('search')).length
      await expect.poll(waits).toBeGreaterThan(1)
      await at.house.close()
      const answer = await waiting
      expect([answer.status, await answer.json()]).toMatchObject([200, { loaded: null }])
    } finally {
      await at[Symbol.asyncDispose]()
    }
  })
})

describeInDepth('two deploys at once', () => {
  it('the one that was refused takes nobody else with it but what came with it', async () => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    await createActive(at.call, { domain: 'good.example.com' })
    at.traefik.refuse((text) => text.includes('bad.example.com'))
    const ids = [
      await create(at.call, { domain: 'bad.example.com' }),
      await create(at.call, { domain: 'other.example.com' }),
    ]
    // The house's own client looks after each call whether all is quiet; between the two it need not be.
    const call = clientOf(at.house)
    await Promise.all(ids.map((id) => call('POST', `/api/domains/${id}/activate`)))
    const seen = await Promise.all(ids.map((id) => effective(at, id)))
    expect(at.routes()).not.toContain('bad.example.com')
    expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({ loaded: true })
    // Whatever the order was, each record says what is true of it.
    for (const { intent, sync_status } of seen as unknown as {
      intent: { status: string }
      sync_status: string
    }[])
      expect([intent.status, sync_status]).toEqual(
        intent.status === 'active' ? ['active', 'in_sync'] : ['error', 'pending_deploy'],
      )
  })
})
