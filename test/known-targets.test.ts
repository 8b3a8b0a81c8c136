/** What is refused of a list of features before the daemon starts. */
import { expect, it } from 'vitest'
import { assertKnown } from '../src/wiring.ts'
import type { Source } from '../src/engine/components.ts'

const named = (name: string) => ({ name }) as Source

it('a target that the engine was not built with, or whose component is not listed, is named', () => {
  const routes = named('routes')
  assertKnown([routes, named('dns')], [{ name: 'routes', targets: [routes] }, { name: 'system' }])
  expect(() => assertKnown([named('dns')], [{ name: 'routes', targets: [routes] }])).toThrow(
    'The target routes of routes came after the engine was built.',
  )
  expect(() => assertKnown([routes, named('hosts')], [])).toThrow(
    'The component hosts is not in the list of model/component.ts.',
  )
})
