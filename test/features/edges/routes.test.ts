/** What an edge is served where a release is made amid its call: what is kept out is found out for the newest release. */
import { beforeEach, expect, it } from 'vitest'
import { EdgeRoutes } from '../../../src/features/edges/routes.ts'
import { ROUTES_KEY } from '../../../src/features/routes/target/diff.ts'
import { type RoutesDesired, renderRoutes } from '../../../src/features/routes/target/desire.ts'
import type { StoreReader } from '../../../src/ports/store.ts'
import type { ReleasedRoutes } from '../../../src/features/routes/target/released.ts'
import { anIntent } from '../../fixtures.ts'
import { movedClock } from '../../kit/moved-clock.ts'
import { someSettings } from '../routes/target/settings.ts'

const rendered = (...domains: readonly string[]) =>
  renderRoutes(anIntent(...domains.map((domain, i) => ({ domain_id: i + 1, domain }))), someSettings())

let released: RoutesDesired[]
beforeEach(() => (released = [rendered('kept-out.example.com', 'app.example.com')]))

/** @param look what is to be served of a release: the proxy here may keep some of it out */
function edgeRoutes(look: (of: RoutesDesired) => Promise<RoutesDesired>): EdgeRoutes {
  const newest = async () => released.at(-1)!
  const latestRelease = async () => ({
    number: released.length,
    digests: { [ROUTES_KEY]: (await newest()).checksum },
  })
  return new EdgeRoutes({
    store: { latestRelease } as unknown as StoreReader,
    clock: movedClock(),
    released: { newest } as Partial<ReleasedRoutes> as ReleasedRoutes,
    servable: look,
    assertNewest: async () => undefined,
  })
}

it('is that of the newest release, also where it was made while somebody asked', async () => {
  const newer = rendered('app.example.com')
  const routes = edgeRoutes(async (of) => {
    if (released.length === 1) released.push(newer)
    return of
  })
  const { json, release } = await routes.current()
  expect(release).toBe(2)
  expect(json).toContain('app.example.com')
  expect(json).not.toContain('kept-out.example.com')
})

it('is nothing where releases follow one another for as long as it asks, so that the edge keeps what it has', async () => {
  let looks = 0
  const routes = edgeRoutes(async (of) => {
    looks++
    released.push(rendered(`n${looks}.example.com`))
    return of
  })
  await expect(routes.current()).rejects.toMatchObject({ code: 'component_unavailable' })
  expect(looks).toBe(3)
})
