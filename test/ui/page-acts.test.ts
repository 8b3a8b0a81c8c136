/** What the palette offers of a page: the page is there, and begins it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PAGE_ACTS } from '../../src/ui/frame/page-acts.ts'

const UI = join(import.meta.dirname, '../../src/ui')
const PAGES = join(UI, 'pages')

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
  const rail = readFileSync(join(UI, 'frame/places.ts'), 'utf8')
  const places = [...rail.matchAll(/\{ to: '([^']+)'/g)].map(([, to]) => to)
  expect(offered.filter((to) => !places.includes(to.replace(/\?.*/, '')))).toEqual([])
})
