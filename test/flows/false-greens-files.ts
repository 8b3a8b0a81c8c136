/** Ways to change the routes file and its folder, the holder files, the resolver's configuration and the proxy's store. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { FILES_MS, type Way } from './false-greens.ts'
import { fileWay, flipIn, type PathIn, renameOver, rewrite, withOldTime } from './false-greens-hands.ts'
import { probed, RESOLVERS, ROUTES, STORE } from './false-greens-own.ts'
import { LAN_IP } from './health-peers.ts'
import type { HealthWorld } from './health-world.ts'

type FileWay = Parameters<typeof fileWay<HealthWorld>>[0]
const routes: PathIn<HealthWorld> = ({ paths }) => paths.routes
const inRoutes = (title: string, spoil: FileWay['spoil'], more: Partial<FileWay> = {}): Way<HealthWorld> =>
  fileWay({ title: `routes file: ${title}`, path: routes, part: 'routes', own: ROUTES, spoil, ...more })

const OF_ROUTES: readonly Way<HealthWorld>[] = [
  inRoutes('a comment at its end', (path) => appendFileSync(path, '# by hand\n')),
  inRoutes('a space at its end', (path) => appendFileSync(path, ' ')),
  inRoutes('the lock taken off a route', (path) =>
    rewrite(path, (text) => text.replace(/^ *- "plumbline-sso[^"]*"\n/m, '')),
  ),
  inRoutes('cut in the middle', (path) => truncateSync(path, lstatSync(path).size >> 1)),
  inRoutes('emptied', (path) => truncateSync(path)),
  inRoutes('removed', (path) => rmSync(path)),
  inRoutes('a link to an edited copy', (path) => {
    const copy = join(dirname(path), '..', 'copy.yml')
    writeFileSync(copy, `${readFileSync(path, 'latin1')}# copy\n`, 'latin1')
    rmSync(path)
    symlinkSync(copy, path)
  }),
  inRoutes('a link to a copy of the same bytes', (path) => {
    const copy = join(dirname(path), '..', 'copy.yml')
    copyFileSync(path, copy)
    rmSync(path)
    symlinkSync(copy, path)
  }),
  inRoutes('a folder in its place', (path) => {
    rmSync(path)
    mkdirSync(path)
  }),
  // The stand-in of the proxy would wait for a writer for ever.
  inRoutes(
    'a pipe in its place',
    (path, { traefik }) => {
      traefik.stopWatching()
      rmSync(path)
      execFileSync('mkfifo', [path])
    },
    {
      also: ({ paths, traefik }) => {
        rmSync(paths.routes, { force: true })
        traefik.follow(paths.routes)
      },
    },
  ),
  inRoutes('mode 000', (path) => chmodSync(path, 0o000)),
  inRoutes('mode 666', (path) => chmodSync(path, 0o666)),
  inRoutes("somebody else's", (path) => chownSync(path, 65534, 65534), {
    also: ({ paths }) => rmSync(paths.routes, { force: true }),
    aside: 'whose file it is, is the choice of whoever runs the host; its bytes are watched',
  }),
  inRoutes('edited, with its time put back', (path) =>
    withOldTime(path, () => rewrite(path, (text) => text.replace('10.0.0.5', '10.0.0.6'))),
  ),
  inRoutes('one bit flipped', (path) => flipIn(path, '10.0.0.5')),
  inRoutes('one bit flipped, with its time put back', (path) =>
    withOldTime(path, () => flipIn(path, '10.0.0.5')),
  ),
  inRoutes('another one renamed over it', (path) =>
    renameOver(path, (text) => text.replace('10.0.0.5', '10.0.0.7')),
  ),
  inRoutes('set back to the first release', (path, { older_routes }) => copyFileSync(older_routes, path)),
  inRoutes('its folder moved away', (path) => renameSync(dirname(path), `${dirname(path)}.away`), {
    also: ({ paths }) => bringBack(dirname(paths.routes)),
  }),
  inRoutes(
    'its folder another one, with an edited copy',
    (path) => {
      renameSync(dirname(path), `${dirname(path)}.away`)
      mkdirSync(dirname(path))
      copyFileSync(join(`${dirname(path)}.away`, 'routes.yml'), path)
      appendFileSync(path, '# by hand\n')
    },
    { also: ({ paths }) => bringBack(dirname(paths.routes)) },
  ),
]

function bringBack(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  renameSync(`${folder}.away`, folder)
}

/** Something that stands beside the routes file, and goes again. */
const beside = (
  title: string,
  name: string,
  put: (path: string, world: HealthWorld) => void,
): Way<HealthWorld> => ({
  title: `routes folder: ${title}`,
  part: 'routes_folder',
  within_ms: FILES_MS,
  own: probed('routes_folder'),
  do: (world) => put(join(dirname(world.paths.routes), name), world),
  undo: ({ paths }) => rmSync(join(dirname(paths.routes), name), { recursive: true, force: true }),
})

const OF_FOLDER: readonly Way<HealthWorld>[] = [
  beside('a second file with our names', 'aaa.yml', (path, { paths }) => copyFileSync(paths.routes, path)),
  beside('a broken neighbour', 'broken.yml', (path) => writeFileSync(path, 'http: [\n')),
  beside('a neighbour that nobody can read', 'shut.yml', (path) => {
    writeFileSync(path, 'http: {}\n')
    chmodSync(path, 0o000)
  }),
  beside('a copy in a folder below', 'below', (path, { paths }) => {
    mkdirSync(path)
    copyFileSync(paths.routes, join(path, 'copy.yaml'))
  }),
  beside('a link to a second file with our names', 'link.yml', (path, { paths }) =>
    symlinkSync(paths.routes, path),
  ),
  beside('a neighbour with a key that the proxy does not know', 'key.yml', (path) =>
    writeFileSync(path, 'http:\n  routers:\n    a: { rules: x }\n'),
  ),
  beside('a neighbour with an empty section', 'empty.yaml', (path) => writeFileSync(path, 'http: {}\n')),
  beside('a neighbour in TOML with a table twice', 'twice.toml', (path) =>
    writeFileSync(path, '[http.routers.a]\nrule = "x"\n[http.routers.a]\n'),
  ),
  {
    title: 'routes folder: closed',
    part: 'routes_folder',
    within_ms: FILES_MS,
    own: probed('routes_folder'),
    do: ({ paths }) => chmodSync(dirname(paths.routes), 0o000),
    undo: ({ paths }) => chmodSync(dirname(paths.routes), 0o755),
  },
]

/** The file that says how far the world is. */
function holderOf({ paths }: HealthWorld): string {
  const folder = join(paths.data, '.traefik.plumbline')
  const name = readdirSync(folder).find((file) => /^\.routes\.yml\.[0-9a-f]{12}\.plumbline$/.test(file))
  if (name === undefined) throw new Error(`${folder} has no holder file`)
  return join(folder, name)
}

const inHolder = (title: string, spoil: FileWay['spoil']): Way<HealthWorld> =>
  fileWay({ title: `holder file: ${title}`, path: holderOf, part: 'world', own: probed('world'), spoil })

const OF_HOLDERS: readonly Way<HealthWorld>[] = [
  inHolder('garbage', (path) => writeFileSync(path, 'nothing of ours\n')),
  inHolder('emptied', (path) => truncateSync(path)),
]

const inResolver = (title: string, spoil: FileWay['spoil']): Way<HealthWorld> =>
  fileWay({
    title: `resolver configuration: ${title}`,
    path: ({ paths }) => paths.resolver,
    part: 'resolvers',
    own: RESOLVERS,
    spoil,
  })
const inStore = (title: string, spoil: FileWay['spoil'], more: Partial<FileWay> = {}): Way<HealthWorld> => {
  const path: PathIn<HealthWorld> = ({ paths }) => paths.acme
  return fileWay({ title: `acme.json: ${title}`, path, part: 'acme', own: STORE, spoil, ...more })
}

const OF_OTHERS: readonly Way<HealthWorld>[] = [
  inResolver('another address', (path) => rewrite(path, (text) => text.replace(LAN_IP, '192.168.1.77'))),
  inResolver('emptied', (path) => truncateSync(path)),
  inResolver('removed', (path) => rmSync(path)),
  inStore('removed', (path) => rmSync(path)),
  inStore('readable by others', (path) => chmodSync(path, 0o644)),
  inStore('a folder in its place', (path) => {
    rmSync(path)
    mkdirSync(path)
  }),
  inStore('without its certificates', (path) => rewrite(path, () => '{}'), {
    aside: 'a domain whose certificate the proxy has lost',
  }),
]

export const FILE_WAYS: readonly Way<HealthWorld>[] = [
  ...OF_ROUTES,
  ...OF_FOLDER,
  ...OF_HOLDERS,
  ...OF_OTHERS,
]
