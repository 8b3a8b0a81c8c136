/** What keeps each world from being read, whoever reads: it is put there, and taken away again. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { html } from '../fakes/dns/faults.ts'
import type { Worlds } from './five-worlds-house.ts'
import type { WORLDS } from './five-worlds-ways.ts'

export interface Blindness {
  readonly title: string
  readonly world: keyof typeof WORLDS
  readonly blind: (worlds: Worlds) => void | Promise<void>
  readonly restore: (worlds: Worlds) => void | Promise<void>
  /** A file in which nobody may have written meanwhile. */
  readonly untouched: (worlds: Worlds) => string | null
}

export const IN_THE_WAY = 'somebody has put this here'

/** A file stands where the folder was: nothing below it can be read, whoever reads. */
const folderless = (
  title: string,
  world: keyof typeof WORLDS,
  folderOf: (paths: Worlds['paths']) => string,
): Blindness => ({
  title,
  world,
  blind({ paths }) {
    renameSync(folderOf(paths), `${folderOf(paths)}.away`)
    writeFileSync(folderOf(paths), IN_THE_WAY)
  },
  restore({ paths }) {
    rmSync(folderOf(paths))
    renameSync(`${folderOf(paths)}.away`, folderOf(paths))
  },
  untouched: ({ paths }) => folderOf(paths),
})

const NO_ROUTES = folderless('the folder of the routes file is a file', 'routes', ({ routes }) =>
  dirname(routes),
)

let users_before = ''

export const BLIND: readonly Blindness[] = [
  {
    ...NO_ROUTES,
    // A proxy whose folder has gone keeps what it runs.
    blind(worlds) {
      worlds.traefik.stopWatching()
      return NO_ROUTES.blind(worlds)
    },
    async restore(worlds) {
      await NO_ROUTES.restore(worlds)
      worlds.traefik.restart(new Date())
    },
  },
  {
    title: 'the proxy answers nobody',
    world: 'proxy',
    blind: ({ traefik }) => traefik.misbehave(html(502), { times: Infinity }),
    restore: ({ traefik }) => traefik.behave(),
    untouched: () => null,
  },
  {
    title: 'the DNS provider answers nobody',
    world: 'dns',
    blind: (worlds) => worlds.cutDns(),
    restore: (worlds) => worlds.mendDns(),
    untouched: () => null,
  },
  folderless('the folder of certificates is a file', 'certificate', ({ certificates }) => certificates),
  folderless('the folder of the rules file is a file', 'rules', ({ rules }) => dirname(rules)),
  {
    title: 'the users file is garbage',
    world: 'people',
    blind({ people }) {
      users_before = people.text()
      people.write(IN_THE_WAY)
    },
    restore: ({ people }) => people.write(users_before),
    untouched: ({ paths }) => paths.users,
  },
  folderless('the folder of the users file is a file', 'people', ({ users }) => dirname(users)),
  folderless('the folder of the gateway’s keys is a file', 'ssh', ({ keys }) => dirname(keys)),
]
