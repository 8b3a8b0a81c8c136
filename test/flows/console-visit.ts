/** One browser for the journeys of a file; each visit is a context of its own, signed in by the link that `plumbline console` prints. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { readHolder } from '../../src/store/files/lock.ts'
import { complaintsOf, startBrowser } from '../peers/browser.ts'
import type { TestHouse } from './test-house.ts'

export interface Visit {
  readonly page: Page
  readonly base: string
  /** What the policy of the page refused, and what a script threw. */
  readonly complaints: readonly string[]
  [Symbol.asyncDispose](): Promise<void>
}

export type VisitAt = (at: TestHouse, path: string, width: number) => Promise<Visit>

/** Called once at the head of a file. */
export function useVisits(): VisitAt {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())
  return async (at, path, width) => {
    const base = readHolder(at.directory)!.listen!
    const context = await browser!.newContext({ viewport: { width, height: 900 } })
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    const code = String((await at.call('POST', '/api/session/code')).body['code'])
    await page.goto(`${base}/#k=${code}`)
    await page.getByRole('navigation', { name: 'Where you are' }).waitFor()
    await page.goto(base + path)
    return { page, base, complaints, [Symbol.asyncDispose]: () => context.close() }
  }
}
