/** The settings of all owners: what the features of the list bring is typed as they declare it. */
import { expect, expectTypeOf, it } from 'vitest'
import type { Sections } from '../src/config/sections.ts'
import type { FEATURES } from '../src/features.ts'
import { BROUGHT, SECTIONS } from '../src/settings-wiring.ts'

type OfOne<Feature> = Feature extends { readonly settings: () => Promise<infer Brought> } ? Brought : never

type AllOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** What the list brings, as its doors say. */
type Listed = AllOf<OfOne<(typeof FEATURES)[number]>>

type OfDaemon = 'http' | 'store' | 'engine' | 'log'

it('the sections that features bring are those that they declare, by owner and type', () => {
  // A section that is brought and not declared, or declared and not brought, does not compile here.
  expectTypeOf<{ readonly [Owner in keyof Listed]: Listed[Owner] }>().toEqualTypeOf<
    Omit<Sections, OfDaemon>
  >()
  const owners = BROUGHT.flatMap(({ settings = {} }) => Object.keys(settings))
  expect(Object.keys(SECTIONS).sort()).toEqual([...owners, 'http', 'store', 'engine', 'log'].sort())
})
