/** The catalogue: what records may name, and what each of our own entries is. */
import { describe, expect, it } from 'vitest'
import { catalogue, middlewareOffer } from '../../../../src/features/routes/middlewares/catalogue.ts'
import { checkConfig } from '../../../../src/features/routes/opens/config-check.ts'
import { parseOwnMiddlewares } from '../../../../src/features/routes/middlewares/own-middlewares.ts'
import { someSettings } from './settings.ts'

const newest = someSettings({ traefik_version: [3, 7, 9] })

describe('the catalogue', () => {
  it.each(catalogue(newest).map((entry) => [entry.name, entry] as const))('documents %s', (_name, entry) => {
    expect(entry.description).toMatch(/^[A-Z].*\.$/)
    expect(checkConfig(entry.type, entry.config)).toEqual([])
    expect(entry.name).toMatch(/^[a-z0-9][a-z0-9-]{0,62}$/)
  })

  it('is ordered by name and offers only what the configured Traefik understands', () => {
    const names = catalogue(newest).map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(names).toContain('strict-paths')
    expect(middlewareOffer(someSettings({ traefik_version: [3, 6, 99] })).has('strict-paths')).toBe(false)
  })

  it('keeps what holds messages back away from websockets, and compression away from api', () => {
    const offer = middlewareOffer(newest)
    for (const name of ['compress', 'request-limit', 'retry']) {
      expect(offer.get(name)!.unfit_for.websocket).toMatch(/^(?:holds|repeats) /)
    }
    expect(offer.get('compress')!.unfit_for.api).toBeDefined()
    expect(offer.get('rate-limit')!.unfit_for).toEqual({})
  })

  it('says what is a check: whom it turns away for who they are or where they come from', () => {
    const { entries } = parseOwnMiddlewares({ staff: { config: { basicAuth: { usersFile: '/etc/users' } } } })
    const offer = middlewareOffer({ ...newest, own_middlewares: entries })
    const checks = [...offer].flatMap(([name, { check }]) => (check === undefined ? [] : [[name, check]]))
    expect(checks).toEqual([
      ['ip-allow-list-private', 'IP allow list'],
      ['staff', 'password'],
    ])
  })

  it('takes the operator’s entry where both have one of the same name', () => {
    const own = parseOwnMiddlewares({ 'rate-limit': { config: { rateLimit: { average: 7 } } } })
    const found = catalogue({ ...newest, own_middlewares: own.entries }).filter(
      ({ name }) => name === 'rate-limit',
    )
    expect(found).toMatchObject([{ own: true, config: { average: 7 }, position: 'before_sso' }])
  })

  it('leaves out an own entry that the configured Traefik is too old for', () => {
    const own = parseOwnMiddlewares({ again: { config: { retry: { attempts: 2, status: ['500-599'] } } } })
    expect(own.entries.get('again')!.since).toEqual([3, 7, 0])
    expect(middlewareOffer({ ...newest, own_middlewares: own.entries }).has('again')).toBe(true)
    expect(middlewareOffer(someSettings({ own_middlewares: own.entries })).has('again')).toBe(false)
  })
})
