/** Places in sets say of every pair what the pair says of itself. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Backend, isSamePlace, Places } from '../../../../src/features/routes/render/backends.ts'

const backend: fc.Arbitrary<Backend> = fc
  .record({
    host: fc.constantFrom('10.0.0.1', '10.0.0.2', 'a.lan', 'b.lan', 'localhost'),
    port: fc.constantFrom('80', '443', '8080'),
  })
  .map(({ host, port }) => ({ host, port, is_name: host.endsWith('.lan') }))

test('as each of them would be compared', () => {
  fc.assert(
    fc.property(fc.array(backend, { maxLength: 6 }), backend, (known, asked) => {
      const places = new Places()
      for (const one of known) places.add(one)
      expect(places.has(asked)).toBe(known.some((one) => isSamePlace(one, asked)))
      expect(places.mayHave(asked)).toBe(
        known.some(
          (one) => one.port === asked.port && (one.host === asked.host || one.is_name || asked.is_name),
        ),
      )
    }),
  )
})

test('none holds nothing', () => {
  const asked = { host: 'a.lan', port: '80', is_name: true }
  expect([new Places().has(asked), new Places().mayHave(asked)]).toEqual([false, false])
})
