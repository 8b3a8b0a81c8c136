/** Where the routers of a record stand, held against what is rendered for the same record. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generatedEntry } from '../../../../src/features/routes/proxy/generated.ts'
import { doorsOf } from '../../../../src/features/routes/render/doors.ts'
import type { OwnMiddleware } from '../../../../src/features/routes/render/settings.ts'
import { aRow } from '../../../fixtures.ts'
import { runs } from '../../../kit/tier.ts'
import { someSettings } from './settings.ts'

const drawn = fc.record({
  domain: fc.constantFrom('app.example.com', '*.example.com'),
  service_type: fc.constantFrom('http', 'spa', 'internal', 'api'),
  ssl_enabled: fc.boolean(),
  auth_required: fc.boolean(),
  protocol: fc.constantFrom('http', 'tcp'),
  middleware_config: fc.constantFrom({ extra_middlewares: [] }, { extra_middlewares: ['shorten'] }),
})

/** It changes the path, so nothing is opened beside it. */
const SHORTEN: OwnMiddleware = {
  description: '',
  position: 'after_sso',
  unfit_for: {},
  type: 'stripPrefix',
  since: [3, 0, 0],
  changes_path: true,
  config: { prefixes: ['/a'] },
}

test('doors are those of the rendered routers, with the highest priority at each', () => {
  fc.assert(
    fc.property(drawn, fc.boolean(), (fields, has_open) => {
      const open_paths = new Map(has_open ? [[fields.domain, ['/open']]] : [])
      const settings = someSettings({ open_paths, own_middlewares: new Map([['shorten', SHORTEN]]) })
      const row = aRow({ ...fields, tcp_entrypoint: fields.protocol === 'tcp' ? 'ssh' : null })
      const { routes } = generatedEntry(row, settings)
      const highest = new Map<string, number>()
      for (const { kind, entrypoints, tls, priority } of routes) {
        const place = placeOf({ kind, entrypoint: entrypoints[0]!, tls })
        highest.set(place, Math.max(highest.get(place) ?? 0, priority ?? 0))
      }
      const doors = doorsOf(row, settings)
      expect(doors.map(placeOf).toSorted()).toEqual([...highest.keys()].toSorted())
      for (const door of doors) expect(door.priority).toBe(highest.get(placeOf(door)))
    }),
    { numRuns: runs(200) },
  )
})

test('what is not rendered has none', () => {
  expect(doorsOf(aRow({ live: false }), someSettings())).toEqual([])
  expect(doorsOf(aRow({ service_type: 'manual' }), someSettings())).toEqual([])
})

const placeOf = ({ kind, entrypoint, tls }: { kind: string; entrypoint: string; tls: boolean }): string =>
  `${kind} ${entrypoint} ${tls}`
