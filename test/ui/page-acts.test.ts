/** What the palette offers of a page: the page is there, and begins it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ALL_PLACES } from '../../src/ui/frame/places.ts'
import { PAGE_ACTS } from '../../src/ui/frame/page-acts.ts'

const PAGES = join(import.meta.dirname, '../../src/ui/pages')

it('each leads to a page of the rail that begins it, and each that a page begins is offered', () => {
  const begun = readdirSync(PAGES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(PAGES, name)).flatMap((file) =>
        [...readFileSync(join(PAGES, name, file), 'utf8').matchAll(/usePageAct\('([\w-]+)'/g)].map(
          ([, act]) => `/${name}?do=${act!}`,
        ),
      ),
    )
  const offered = PAGE_ACTS.map(({ to }) => to)
  expect(offered.filter((to) => to.includes('?')).toSorted()).toEqual([...new Set(begun)].toSorted())
  const places = ALL_PLACES.map(({ to }) => to)
  expect(offered.filter((to) => !places.includes(to.replace(/\?.*/, '')))).toEqual([])
})
