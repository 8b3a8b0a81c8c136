/** What axe finds wrong with a page as it stands. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Names of the rules that are broken. */
export async function findingsOf(page: Page): Promise<readonly string[]> {
  const devtools = await page.context().newCDPSession(page)
  // A script that the page asked for would be refused by its policy.
  await devtools.send('Runtime.evaluate', { expression: readFileSync(AXE, 'utf8') })
  const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()')
  return violations.map(({ id }) => id)
}
