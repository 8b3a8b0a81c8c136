/** A proxy that loads what it is given and does not serve one router of it. */
import { edited } from '../fakes/dns/faults.ts'
import type { FakeTraefik } from '../fakes/traefik/traefik.ts'

/** Every router whose name has this in it is loaded, and disabled. */
export function disablesRouter(traefik: FakeTraefik, name: string): void {
  traefik.misbehave(
    edited((json) => {
      const counts = json as { http: { routers: object } }
      return { ...counts, http: { ...counts.http, routers: { ...counts.http.routers, errors: 1 } } }
    }),
    { times: Infinity, when: ({ path }) => path === '/api/overview' },
  )
  traefik.misbehave(
    edited((_, { asked, answer }) => {
      const query = new URLSearchParams(asked.query)
      query.delete('status')
      const all = answer({ ...asked, query }).json as { name: string; status: string }[]
      const shown = all.map((one) =>
        one.name.includes(name) ? { ...one, status: 'disabled', error: ['no such thing'] } : one,
      )
      const status = asked.query.get('status')
      return status === null ? shown : shown.filter((one) => one.status === status)
    }),
    { times: Infinity, when: ({ path }) => path === '/api/http/routers' },
  )
}
