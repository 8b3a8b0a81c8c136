/**
 * A page of somebody else whose name leads to this host by now: for the browser it and the daemon are one origin, so that neither
 * CORS nor SameSite keeps them apart. The daemon knows its own names, and answers no other one.
 */
import type { Response } from 'playwright-core'
import { expect, it } from 'vitest'
import { readHolder } from '../../src/store/files/lock.ts'
import { BROWSER_PROGRAMS, startBrowser } from '../peers/browser.ts'
import { describePeers } from '../peers/peers.ts'
import { deployNotes, NOTES } from './console-visits.ts'
import { openTestHouse } from './test-house.ts'

const EVIL = 'attacker.example'

/** What a page of theirs tries, and what each answer brought it. */
const TRIES = `(async () => {
  const json = { 'content-type': 'application/json' }
  const tries = [
    ['GET', '/api/domains'], ['GET', '/api/overview'], ['GET', '/api/session'], ['GET', '/api/audit'], ['GET', '/metrics'],
    ['GET', '/network'], ['GET', '/'], ['GET', '/docs'], ['GET', '/openapi.json'], ['GET', '/api/events'],
    ['POST', '/api/deploy-all', '{}', json], ['POST', '/api/session/code', '{}', json], ['POST', '/api/deploy-all', 'x'],
    ['POST', '/api/domains', JSON.stringify({ domain: 'evil.example.com', service_type: 'manual', environment: 'production' }), json],
    ['PUT', '/api/modes/*', JSON.stringify({ mode: 'observe', reason: 'ours now' }), json],
    ['DELETE', '/api/domains/1'], ['POST', '/api/reconcile', ''],
  ]
  const found = []
  for (const [method, path, body, headers] of tries) {
    const got = await fetch(path, { method, body, headers, credentials: 'include' })
    found.push([method + ' ' + path, got.status, await got.text()])
  }
  return found
})()`

const FORM = `(() => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/api/deploy-all'
  document.body.append(form)
  form.submit()
})()`

describePeers(BROWSER_PROGRAMS, 'rebinding', () => {
  it('a foreign name that leads here reads nothing and changes nothing, whoever is signed in', async () => {
    await using at = await openTestHouse()
    await deployNotes(at)
    const { port, origin } = new URL(readHolder(at.directory)!.listen!)
    const browser = await startBrowser({ hosts: { [EVIL]: '127.0.0.1' } })
    try {
      const context = await browser.newContext({ bypassCSP: true })
      const page = await context.newPage()
      const code = String((await at.call('POST', '/api/session/code')).body['code'])
      await page.goto(`${origin}/#k=${code}`)
      await page.getByRole('navigation', { name: 'Where you are' }).waitFor()
      const before = JSON.stringify((await at.call('GET', '/api/audit')).body)
      const routes = at.routes()
      const foreign = await context.newPage()
      const evil = `http://${EVIL}:${port}`
      // A page that was served from elsewhere Chromium itself keeps from this host; this one has nothing but its name, and no policy.
      await foreign.goto(`${evil}/page`)
      const found = await foreign.evaluate<readonly (readonly [string, number, string])[]>(TRIES)
      expect(found.length).toBeGreaterThan(15)
      for (const [what, status, text] of found) {
        expect(status, what).toBeGreaterThanOrEqual(400)
        expect(text, what).not.toMatch(new RegExp(`${NOTES.domain}|id="console"|PLUMBLINE_API_KEY=`))
      }
      const answers: Response[] = []
      foreign.on('response', (response) => answers.push(response))
      await foreign.evaluate(FORM)
      await foreign.waitForURL(`${evil}/api/deploy-all`)
      await foreign.goto(`${evil}/`).catch(() => null)
      expect(answers.map((one) => one.status()).filter((status) => status < 400)).toEqual([])
      expect(await foreign.locator('#console').count()).toBe(0)
      expect(await context.cookies(evil)).toEqual([])
      expect(JSON.stringify((await at.call('GET', '/api/audit')).body)).toBe(before)
      expect(at.routes()).toBe(routes)
    } finally {
      await browser.close()
    }
  })
})
