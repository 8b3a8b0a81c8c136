/** The table of what the console reaches is compared with the documents and the sources: what each kind of fault looks like. */
import { expect, it } from 'vitest'
import { addressesIn, faultsOfReach, readReach, shapeOf } from './console-calls.ts'

it('an address is the same in a document and in a source, whatever its parts are called', () => {
  expect(shapeOf('/api/domains/{domain_id}/lamps')).toBe('/api/domains/{}/lamps')
  expect(shapeOf('/api/users/${encodeURIComponent(`${a}`)}/groups?all=${b}')).toBe('/api/users/{}/groups')
  const source = 'const BASE = \'/api/edges\'\nask(`${BASE}/${id}?x=1`)\nlink("/network")'
  expect(addressesIn(source)).toEqual(['/api/edges', '/api/edges/{}', '/network'])
})

it('a GET without a row, a row without a GET, a page that never asks, too many presses and no reason are faults', () => {
  const rows = readReach(
    [
      '| `/api/a` | Page, 1 | The rows |',
      '| `/api/b` | Page, 2 | The rows |',
      '| `/api/c` | Page, 4 | The rows |',
      '| `/api/d` | – | Because. |',
      '| `/api/e` | – | For Prometheus, which asks for it. |',
      '| `/api/gone` | – | For a gateway, which reports here. |',
    ].join('\n'),
  )
  const gets = ['/api/a', '/api/b', '/api/c', '/api/d', '/api/e', '/api/new']
  expect(faultsOfReach(rows, gets, new Set(['/api/a', '/api/c']))).toEqual({
    missing: ['/api/new'],
    unknown: ['/api/gone'],
    never_called: ['/api/b'],
    too_far: ['/api/c'],
    without_reason: ['/api/d'],
  })
})
