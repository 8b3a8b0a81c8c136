/** Groups in the description of the API: their order is that of the endpoints, their text comes from one of these. */
import { expect, it } from 'vitest'
import type { Endpoint, Tag } from '../../src/http/contract.ts'
import { tagsOf } from '../../src/http/openapi/tags.ts'

const tagged = (...tags: readonly (string | Tag)[]) => ({ tags }) as unknown as Endpoint
const parts = { name: 'Parts', description: 'What a thing is made of' }

it('come once each, in the order of the endpoints, with the text wherever it stands', () => {
  expect(tagsOf([tagged('Parts'), tagged('Others'), tagged(parts), tagged('Parts', 'More')])).toEqual([
    parts,
    { name: 'Others' },
    { name: 'More' },
  ])
})

it('are described in one way', () => {
  expect(tagsOf([tagged(parts), tagged({ ...parts })])).toEqual([parts])
  expect(() => tagsOf([tagged(parts), tagged({ ...parts, description: 'Something else' })])).toThrow(
    /Parts is described twice/,
  )
})
