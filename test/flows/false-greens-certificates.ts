/** Ways to change certificates of ours, and the file by which the proxy knows them. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { certificateAuthority } from '../fakes/certificate-authority.ts'
import { FILES_MS, type Way } from './false-greens.ts'
import { fileWay, flipIn, type PathIn, rewrite, withOldTime } from './false-greens-hands.ts'
import { CERTIFICATES } from './false-greens-own.ts'
import { ZONE } from './health-peers.ts'
import type { HealthWorld } from './health-world.ts'

type FileWay = Parameters<typeof fileWay<HealthWorld>>[0]
const INSIDE = `inside.${ZONE}`
const END = '-----END CERTIFICATE-----\n'

const folderOf = ({ paths }: HealthWorld): string => join(paths.data, 'certificates', INSIDE)
const fileOf =
  (ending: string): PathIn<HealthWorld> =>
  (world) =>
    join(
      folderOf(world),
      readdirSync(folderOf(world)).find((name) => name.endsWith(ending))!,
    )
const CHAIN = fileOf('chain.pem')
const KEY = fileOf('key.pem')

/** The path is taken once: what is done may remove the file. */
const inPair = (title: string, path: PathIn<HealthWorld>, spoil: FileWay['spoil']): Way<HealthWorld> => {
  let taken: string | null = null
  return fileWay({
    title: `certificate: ${title}`,
    path: (world) => (taken ??= path(world)),
    part: `cert:${INSIDE}`,
    own: CERTIFICATES,
    spoil,
  })
}

/** Of another authority, and for another time or name. */
function another(options: { readonly names: readonly string[]; readonly days?: number }) {
  const authority = certificateAuthority()
  const issued = authority.issue(options)
  authority.close()
  return issued
}

const OF_PAIR: readonly Way<HealthWorld>[] = [
  inPair('the chain without its intermediate', CHAIN, (path) =>
    rewrite(path, (text) => text.slice(0, text.indexOf(END) + END.length)),
  ),
  inPair('one character of the intermediate flipped', CHAIN, (path) =>
    rewrite(path, (text) =>
      text.replace(
        /([A-Za-z0-9+/])(\n-----END CERTIFICATE-----\n)$/,
        (_, one: string, rest: string) => (one === 'A' ? 'B' : 'A') + rest,
      ),
    ),
  ),
  inPair('one bit flipped in the chain, with its time put back', CHAIN, (path) =>
    withOldTime(path, () => flipIn(path, 'BEGIN CERTIFICATE')),
  ),
  inPair('a comment in the chain', CHAIN, (path) => appendFileSync(path, '# mine\n')),
  inPair('the chain emptied', CHAIN, (path) => truncateSync(path)),
  inPair('the chain removed', CHAIN, (path) => rmSync(path)),
  inPair('another one, of another authority', CHAIN, (path) =>
    writeFileSync(path, another({ names: [INSIDE] }).cert),
  ),
  inPair('another one, of another name', CHAIN, (path) =>
    writeFileSync(path, another({ names: ['other.example.com'] }).cert),
  ),
  inPair('the key emptied', KEY, (path) => truncateSync(path)),
  inPair('the key removed', KEY, (path) => rmSync(path)),
  inPair('the key of another pair', KEY, (path) => writeFileSync(path, another({ names: [INSIDE] }).key)),
  inPair('the key readable by everybody', KEY, (path) => chmodSync(path, 0o644)),
  inPair('the key closed', KEY, (path) => chmodSync(path, 0o000)),
  inPair('a folder in the place of the key', KEY, (path) => {
    rmSync(path)
    mkdirSync(path)
  }),
  {
    title: 'certificate: its folder moved away',
    part: `cert:${INSIDE}`,
    within_ms: FILES_MS,
    own: CERTIFICATES,
    do: (world) => renameSync(folderOf(world), join(world.paths.folder, 'away')),
    undo: (world) => renameSync(join(world.paths.folder, 'away'), folderOf(world)),
  },
]

const inFile = (title: string, spoil: FileWay['spoil']): Way<HealthWorld> =>
  fileWay({
    title: `certificates file: ${title}`,
    path: ({ paths }) => paths.certificates,
    part: 'certificates-file',
    own: CERTIFICATES,
    spoil,
  })

const OF_FILE: readonly Way<HealthWorld>[] = [
  inFile('a comment', (path) => appendFileSync(path, '# by hand\n')),
  inFile('emptied', (path) => truncateSync(path)),
  inFile('removed', (path) => rmSync(path)),
  inFile('another path of the key', (path) => rewrite(path, (text) => text.replace('key.pem', 'kex.pem'))),
  inFile('mode 000', (path) => chmodSync(path, 0o000)),
]

export const CERTIFICATE_WAYS: readonly Way<HealthWorld>[] = [...OF_PAIR, ...OF_FILE]
