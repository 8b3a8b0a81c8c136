/** A console over 10,000 domains of which every one is in trouble, with the answers of the daemon put in its way. */
import type { Page } from 'playwright-core'

export const MANY = 10_000

interface LampTable {
  readonly rows: readonly (readonly unknown[])[]
}

/** To be called before the page is opened; the daemon has at least one domain, of which the others are copies. */
export async function showMany(page: Page): Promise<void> {
  await page.route(
    (url) => url.pathname === '/api/domains',
    async (route) => {
      const response = await route.fetch()
      const [first] = (await response.json()) as readonly object[]
      const json = Array.from({ length: MANY }, (_, index) => ({
        ...first,
        id: index + 1,
        domain: nameOf(index),
        backend_host: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
        tags: index % 3 === 0 ? ['media'] : [],
      }))
      await route.fulfill({ response, json })
    },
  )
  await page.route(
    (url) => url.pathname === '/api/domains/lamps',
    async (route) => {
      const response = await route.fetch()
      const table = (await response.json()) as LampTable
      const rows = Array.from({ length: MANY }, (_, index) => [
        index + 1,
        1,
        'xdxdu',
        index % 2 === 0,
        { route: 'edited', dns: 'foreign_owner' },
        null,
      ])
      await route.fulfill({ response, json: { ...table, rows } })
    },
  )
}

export const nameOf = (index: number): string => `app-${String(index).padStart(5, '0')}.home.example`
