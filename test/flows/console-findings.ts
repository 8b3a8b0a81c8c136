/** What axe finds wrong with a page, and what of it is wider than its window. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Asked again while there is something: what comes late is not at rest at once, and what is broken stays so. */
const AT_REST = { timeout: 60_000, interval: 500 }

/** Fails with the names of the rules that are broken. */
export async function expectNoFindings(page: Page, message = page.url()): Promise<void> {
  await isLoaded(page)
  await page.evaluate(AXE)
  await expect.poll(() => findingsOf(page), { ...AT_REST, message }).toEqual([])
}

/** Nothing of it is awaited any more. */
const isLoaded = (page: Page) =>
  expect.poll(() => page.locator('[aria-busy="true"]').count(), { message: page.url() }).toBe(0)

async function findingsOf(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()')
  const beyond = await beyondOf(page)
  return [...violations.map(({ id }) => id), ...(beyond === 0 ? [] : [`${beyond} px sideways`])]
}

const beyondOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
