/** A route that is taken away while the proxy does not load the file is still served, and every answer says so first. */
import { describe, expect, it } from 'vitest'
import { silent } from '../fakes/dns/faults.ts'
import { hurriedClock, openProxyHouse } from './proxy-house.ts'
import { APP, create, createActive } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { byTier } from '../kit/tier.ts'

const STILL_SERVED = /the proxy has not loaded that and goes on serving it/
const MAY_SERVE = /the proxy has not loaded that file and may still serve one/
const OPEN_PART = { component: 'routes', key: 'routes', code: 'component_unavailable' }

describe('while the proxy refuses the routes file', () => {
  itOneIn(3).each([
    ['POST', '/deactivate'],
    ['POST', '/disable'],
    ['DELETE', ''],
  ] as const)(
    '%s %s does not call the route removed, and neither does who asks again',
    async (method, verb) => {
      await using at = await openProxyHouse({ clock: hurriedClock() })
      const id = await createActive(at.call)
      at.traefik.refuse(() => true)
      await at.lookAnew()
      const closed = await at.call(method, `/api/domains/${id}${verb}`)
      expect(closed.status).toBe(200)
      expect(closed.body['message']).toMatch(STILL_SERVED)
      expect(closed.body['message']).toMatch(/not done yet: routes\.$/)
      expect(closed.body['message']).not.toContain('route is removed')
      expect(closed.body['unfinished']).toEqual([expect.objectContaining(OPEN_PART)])
      if (method === 'DELETE') return
      const again = await at.call('DELETE', `/api/domains/${id}`)
      expect(again.status).toBe(200)
      expect(again.body['message']).toMatch(MAY_SERVE)
    },
  )

  itInDepth('a draft that was never deployed has nothing there that could be open', async () => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    const other = await createActive(at.call)
    const draft = await create(at.call, { domain: 'draft.example.com' })
    at.traefik.refuse(() => true)
    await at.lookAnew()
    await at.call('POST', `/api/domains/${other}/deactivate`)
    expect((await at.call('POST', `/api/domains/${draft}/deactivate`)).body).toMatchObject({
      message: 'draft.example.com is inactive; nothing of it was deployed.',
      unfinished: [],
    })
  })

  itInDepth('and once it loads the file, the route is removed', async () => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    const id = await createActive(at.call)
    const closed = await at.call('POST', `/api/domains/${id}/deactivate`)
    expect(closed.body).toMatchObject({
      message: 'app.example.com is inactive; its route is removed.',
      unfinished: [],
    })
  })
})

describe('while the proxy does not answer', () => {
  const UNKNOWN = /it is not known whether the proxy has loaded that/

  const WAYS: readonly (readonly [method: string, verb: string, words: RegExp])[] = [
    ['POST', '/deactivate', UNKNOWN],
    ['POST', '/disable', UNKNOWN],
    ['DELETE', '', UNKNOWN],
  ]
  // In the gate the one that waits for the proxy only once.
  it.each(byTier(WAYS.slice(2), WAYS))(
    '%s %s says what is written and what is not known',
    async (method, verb, words) => {
      await using at = await openProxyHouse({ clock: hurriedClock() })
      const id = await createActive(at.call)
      at.traefik.misbehave(silent, { times: Infinity })
      const closed = await at.call(method, `/api/domains/${id}${verb}`)
      expect(closed.status).toBe(200)
      expect(closed.body['message']).toMatch(words)
      expect(closed.body['message']).toContain('its route is out of the routes file')
      expect(closed.body['message']).not.toContain('route is removed')
      expect(at.routes()).not.toContain('app.example.com')
      if (method === 'DELETE') return
      const again = await at.call('DELETE', `/api/domains/${id}`)
      expect(again.body['message']).toMatch(/the routes file has no route of it, and it is not known/)
    },
  )

  itInDepth('nor is what opens a route called deployed without that', async () => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    const id = await create(at.call)
    at.traefik.misbehave(silent, { times: Infinity })
    const opened = await at.call('POST', `/api/domains/${id}/activate`)
    expect(opened.body).toMatchObject({
      loaded: null,
      proxy_asked: true,
      message:
        'app.example.com is active and deployed; whether the proxy has loaded it is not known: see the warnings.',
    })
  })

  itInDepth('nor called exposed, also where its backend does not answer either', async () => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    at.traefik.misbehave(silent, { times: Infinity })
    const body = { ...APP, backend_host: '127.0.0.1', backend_port: 1 }
    const { body: exposed } = await at.call('POST', '/api/domains/expose', { body })
    expect(exposed['message']).toMatch(
      /is saved and deployed, but .*; whether the proxy has loaded it is not known/,
    )
  })

  itInDepth('a draft that was never deployed needs no proxy', async () => {
    await using at = await openProxyHouse({ clock: hurriedClock() })
    const draft = await create(at.call, { domain: 'draft.example.com' })
    at.traefik.misbehave(silent, { times: Infinity })
    expect((await at.call('POST', `/api/domains/${draft}/deactivate`)).body['message']).toBe(
      'draft.example.com is inactive; nothing of it was deployed.',
    )
  })
})
