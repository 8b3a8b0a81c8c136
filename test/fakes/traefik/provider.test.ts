/** The folder that the file provider watches: what it takes, what it keeps, and when it shows it (§2, §13). */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { atTraefik, type AtTraefik, routed } from './at-traefik.ts'

const router = (name: string, service: string): string =>
  JSON.stringify({ http: { routers: { [name]: { rule: `Host(\`${name}.example\`)`, service } } } })
const service = (name: string, prefix: string): string =>
  JSON.stringify({
    http: {
      services: { [name]: { loadBalancer: { servers: [{ url: `http://${prefix}` }] } } },
      middlewares: { m: { addPrefix: { prefix: `/${prefix}` } } },
    },
  })
const names = ({ traefik }: AtTraefik): readonly string[] =>
  traefik.running.http.routers.map(({ name }) => name)

it('§2 a folder is all its files, those in folders below too, by extension', async () => {
  await using at = await atTraefik()
  at.write('a.yml', router('a', 's'))
  at.write('b.YAML', router('b', 's'))
  at.write('c.json', 'no configuration')
  at.write('routes.yml.tmp', '{{')
  mkdirSync(join(at.folder, 'below'))
  writeFileSync(join(at.folder, 'below', 'd.yml'), router('d', 's'))
  at.traefik.follow(at.folder)
  expect(names(at)).toEqual(['a@file', 'b@file', 'd@file'])
})

it('§2 a folder below is read with the rest, and not watched', async () => {
  await using at = await atTraefik()
  mkdirSync(join(at.folder, 'below'))
  at.traefik.follow(at.folder)
  writeFileSync(join(at.folder, 'below', 'd.yml'), router('d', 's'))
  expect(names(at)).toEqual([])
  at.write('anything.txt', 'an event')
  expect(names(at)).toEqual(['d@file'])
})

it('§13 the first file by name wins a name, silently to whoever asks the API', async () => {
  await using at = await atTraefik()
  at.write('b.yml', service('s', 'second'))
  at.write('a.yml', service('s', 'first'))
  at.traefik.follow(at.folder)
  expect(at.traefik.running.http.services.find(({ name }) => name === 's@file')).toMatchObject({
    status: 'enabled',
    loadBalancer: { servers: [{ url: 'http://first' }] },
  })
  expect(at.traefik.running.http.middlewares).toMatchObject([{ addPrefix: { prefix: '/first' } }])
  expect(at.traefik.log).toEqual([
    'HTTP services s already configured, skipping',
    'HTTP middlewares m already configured, skipping',
  ])
})

it('§13 one unreadable file keeps the old routes of the folder until the restart, after which all are gone', async () => {
  await using at = await atTraefik()
  at.write('a.yml', router('a', 's'))
  at.traefik.follow(at.folder)
  at.write('a.yml', router('b', 's'))
  at.write('z.yml', 'http: { routers: { c: { rules: x } } }')
  expect(names(at)).toEqual(['a@file'])
  expect(at.traefik.log.join()).toContain('field not found, node: rules')
  at.traefik.restart(new Date())
  expect(names(at)).toEqual([])
  rmSync(join(at.folder, 'z.yml'))
  expect(names(at)).toEqual(['b@file'])
})

it('§1.4 a file of 0 bytes is applied: all its routes go', async () => {
  await using at = await atTraefik()
  at.traefik.follow(at.write('routes.yml', router('a', 's')))
  expect(names(at)).toEqual(['a@file'])
  at.write('routes.yml', '')
  expect(names(at)).toEqual([])
})

it('§2 a file that is gone is an error, and what it said stays', async () => {
  await using at = await atTraefik()
  const path = at.write('routes.yml', router('a', 's'))
  at.traefik.follow(path)
  renameSync(path, `${path}.old`)
  expect(names(at)).toEqual(['a@file'])
  at.traefik.restart(new Date())
  expect(names(at)).toEqual([])
})

it('§13 a change is shown after the throttle; a file that was emptied and put back answers 404 for so long', async () => {
  let now = 0
  await using at = await atTraefik({ throttle_ms: 2000, now: () => now })
  const text = routed(at.backend)
  at.traefik.follow(at.write('routes.yml', text))
  now = 5000
  at.write('routes.yml', '')
  expect((await at.get()).status).toBe(404)
  at.write('routes.yml', text)
  now = 6999
  expect((await at.get()).status).toBe(404)
  now = 7000
  expect((await at.get()).status).toBe(200)
})

it('§2 of several changes within the throttle the newest is shown', async () => {
  let now = 0
  await using at = await atTraefik({ throttle_ms: 2000, now: () => now })
  at.traefik.follow(at.write('routes.yml', router('a', 's')))
  for (const name of ['b', 'c']) {
    now += 500
    at.write('routes.yml', router(name, 's'))
    expect(names(at)).toEqual(['a@file'])
  }
  now += 1000
  expect(names(at)).toEqual(['c@file'])
})

it('§2 what no watcher follows is seen after the restart alone', async () => {
  await using at = await atTraefik()
  at.traefik.follow(at.write('routes.yml', router('a', 's')))
  at.traefik.stopWatching()
  at.write('routes.yml', router('b', 's'))
  expect(names(at)).toEqual(['a@file'])
  at.traefik.restart(new Date())
  expect(names(at)).toEqual(['b@file'])
})

it('§2 another provider has names of its own, and goes on its own', async () => {
  await using at = await atTraefik()
  at.traefik.provide('docker', JSON.parse(router('theirs', 's')) as object)
  at.traefik.follow(at.write('routes.yml', router('a', 's')))
  expect(names(at)).toEqual(['a@file', 'theirs@docker'])
  at.traefik.provide('docker', null)
  expect(names(at)).toEqual(['a@file'])
})
