/** A proxy that lies, or answers with something else: what is said of it, and that nothing is written because of it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Asked } from '../fakes/dns/fake-server.ts'
import { breakBefore, edited, type Fault, halfOpen, html, silent, status } from '../fakes/dns/faults.ts'
import { openProxyHouse, type ProxyHouse } from './proxy-house.ts'
import { createActive } from './test-house.ts'
import { sample } from '../kit/tier.ts'
import { itInDepth } from '../kit/in-depth.ts'

const MB = 1024 * 1024

/** One byte each while somebody listens: every byte is in time, and the answer never is. */
const dripping: Fault = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const drip = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(drip))
}

const large =
  (megabytes: number, told: boolean): Fault =>
  ({ response }) => {
    const length = megabytes * MB
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(told && { 'content-length': String(length) }),
    })
    const piece = Buffer.alloc(MB, '[')
    const more = (left: number): void => {
      if (left === 0 || response.destroyed) return void response.end()
      if (response.write(piece)) setImmediate(more, left - 1)
      else response.once('drain', () => more(left - 1))
    }
    more(megabytes)
  }

const bomb: Fault = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
  response.end(gzipSync(Buffer.alloc(50 * MB, ' ')))
}

const twice = edited((json) => (Array.isArray(json) ? [...(json as unknown[]), json[0]] : json))
const shorter = edited((json) => (Array.isArray(json) ? json.slice(0, -1) : json))
/** The first page again and again, each time under other names. */
const endless: Fault = ({ asked, answer, response, send }) => {
  const query = new URLSearchParams({ per_page: '1000', page: '1' })
  const page = Number(asked.query.get('page'))
  const list = answer({ ...asked, query }).json as { name: string }[]
  const json = list.map((one) => ({ ...one, name: `p${page}-${one.name}` }))
  send(response, { status: 200, headers: { 'x-next-page': String(page + 1) }, json })
}
let turn = 0
const moving = edited((json) => ({ ...(json as object), http: { routers: { total: turn++ } } }))

const routers = ({ path }: Asked): boolean => path === '/api/http/routers'
const lists = ({ path }: Asked): boolean => path === '/api/http/services'
const overview = ({ path }: Asked): boolean => path === '/api/overview'
const all = (): boolean => true

/** What it does, where, and what is to be said. */
const LIES: readonly [string, Fault, (asked: Asked) => boolean, string, RegExp][] = [
  ['shows a page for people with 200', html(), all, 'unreadable', /something that is no answer of Traefik/],
  [
    'shows one for the routers alone',
    html(),
    routers,
    'unreadable',
    /api\/http\/routers answered with something/,
  ],
  ['answers half and keeps the line', halfOpen, all, 'unreachable', /did not answer within \d+ ms/],
  ['drips', dripping, routers, 'unreachable', /did not answer within 1500 ms/],
  ['says nothing', silent, all, 'unreachable', /did not answer within 1500 ms/],
  ['breaks off', breakBefore, routers, 'unreachable', /broke the connection/],
  ['sends 50 MB and says so', large(50, true), routers, 'unreadable', /more than 16777216 bytes/],
  ['sends 50 MB without saying so', large(50, false), routers, 'unreadable', /more than 16777216 bytes/],
  [
    'sends brackets that nobody closes',
    large(10, true),
    routers,
    'unreadable',
    /nests deeper than 64 levels/,
  ],
  ['sends a bomb', bomb, routers, 'unreadable', /a compressed body/],
  ['shows a name twice', twice, routers, 'unreadable', /an object twice/],
  ['lists less than it counts', shorter, lists, 'unreadable', /counts \d+ http services and lists \d+/],
  ['moves while it is read', moving, overview, 'unreadable', /changed again and again/],
  // So many pages may take a busy machine longer than a proxy is given.
  [
    'has a list without an end',
    endless,
    routers,
    'unreadable|unreachable',
    /has more than 100 pages|did not answer within/,
  ],
  ['is in trouble itself', status(500), routers, 'unreadable', /answered with status 500/],
]

/** After a deploy nobody trusts an earlier look. */
const two = async (at: ProxyHouse): Promise<number> => {
  const id = await createActive(at.call, { domain: 'a.example.com' })
  await createActive(at.call, { domain: 'b.example.com' })
  return id
}

async function world(at: ProxyHouse) {
  const releases = (await at.call('GET', '/api/releases')).body as unknown as readonly object[]
  const { body } = await at.call('GET', '/api/audit?limit=500')
  const deeds = (body as unknown as { action: string }[]).map(({ action }) => action)
  return { routes: at.routes(), releases: releases.length, deeds: deeds.filter((one) => one !== 'reconcile') }
}

describe('a proxy that', () => {
  for (const [what, fault, when, reason, words] of sample(LIES, 12))
    it(`${what} is unknown, with the reason, and nothing is written`, async () => {
      await using at = await openProxyHouse()
      const id = await two(at)
      const before = await world(at)
      at.traefik.misbehave(fault, { times: Infinity, when })
      await at.lookAnew()
      const [deploy, effective, catalogue, summary] = await Promise.all([
        at.call('GET', '/api/deploy/status'),
        at.call('GET', `/api/domains/${id}/effective-config`),
        at.call('GET', '/api/middlewares'),
        at.call('GET', '/api/metrics/summary'),
      ])
      expect(deploy.body).toMatchObject({
        loaded: null,
        proxy: { reachable: false, reason: expect.stringMatching(`^(?:${reason})$`), loaded: null },
      })
      expect((deploy.body['proxy'] as unknown as { detail: string }).detail).toMatch(words)
      expect(effective.body).toMatchObject({ sync_status: 'unknown', runtime: null })
      expect(String(effective.body['sync_reason'])).toMatch(words)
      const entries = catalogue.body as unknown as { status: string; detail: string }[]
      expect(entries.every((one) => one.status === 'unknown' && words.test(one.detail))).toBe(true)
      expect(JSON.stringify(summary.body)).toMatch(words)
      expect(await world(at)).toEqual(before)
      at.traefik.behave()
    })

  itInDepth(
    'shows last week’s routes runs something else: that is known, named, and nothing is written',
    async () => {
      await using at = await openProxyHouse()
      const id = await createActive(at.call, { domain: 'a.example.com' })
      const last_week = join(at.directory, 'last-week.yml')
      writeFileSync(last_week, at.routes())
      await createActive(at.call, { domain: 'b.example.com' })
      await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9999 } })
      await at.call('POST', `/api/domains/${id}/deploy`)
      const before = await world(at)
      at.traefik.follow(last_week)
      await at.lookAnew()
      expect((await at.call('GET', '/api/deploy/status')).body).toMatchObject({
        loaded: false,
        proxy: {
          reachable: true,
          loaded: false,
          detail: expect.stringContaining(
            'still runs the routes file of release 2 (activate a.example.com)',
          ) as string,
        },
      })
      expect((await at.call('GET', `/api/domains/${id}/effective-config`)).body).toMatchObject({
        sync_status: 'not_loaded',
        runtime: { file_loaded: false },
      })
      await at.call('POST', '/api/reconcile')
      expect(await world(at)).toEqual(before)
    },
  )
})
