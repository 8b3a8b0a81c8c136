/** Faults of files: edited, lost, unreadable, replaced, or not what others know of them. */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { acmeJson, certificateAuthority } from '../fakes/certificate-authority.ts'
import { drifts, type Fault, impaired, unknown } from './health-faults.ts'
import { LAN_IP, type Paths } from './health-peers.ts'

type Broken = Pick<Required<Fault>, 'break' | 'mend'>
type FileName = Exclude<keyof Paths, 'folder' | 'data'>

/** Changes it in place, and puts it back where nobody else does. */
function tampered(file: FileName, change: (text: string) => string | null): Broken {
  let before = ''
  return {
    break({ paths }) {
      const path = paths[file]
      before = readFileSync(path, 'utf8')
      const after = change(before)
      if (after === before) throw new Error(`${path} has nothing to change`)
      if (after === null) rmSync(path)
      else writeFileSync(path, after)
    },
    mend: ({ paths }) => writeFileSync(paths[file], before, { mode: 0o600 }),
  }
}

/** As `tampered`, where the reconciler mends it. */
const undone = (file: FileName, change: (text: string) => string | null): Pick<Fault, 'break'> => ({
  break: tampered(file, change).break,
})

/** Something that is no file stands there. */
function displaced(file: FileName, put: (path: string) => void, take: (path: string) => void): Broken {
  let before = ''
  return {
    break({ paths }) {
      before = readFileSync(paths[file], 'utf8')
      rmSync(paths[file])
      put(paths[file])
    },
    mend({ paths }) {
      take(paths[file])
      writeFileSync(paths[file], before, { mode: 0o600 })
    },
  }
}

const asFolder = (file: FileName) => displaced(file, (path) => mkdirSync(path), rmdirSync)
const asDanglingLink = (file: FileName) =>
  displaced(file, (path) => symlinkSync(`${path}.gone`, path), rmSync)

/** A probe asks every protected route, and one that does not send to sign in, or is not served, is not proven closed. */
const UNPROVEN = { 'sso-proof': unknown('unreadable'), sso_routes: unknown('unreadable') }
const NOT_SERVED = { proxy: drifts('not_loaded'), sso_attachments: unknown('unreadable') }

export const FILE_FAULTS: readonly Fault[] = [
  {
    title: 'a comment was added to the routes file by hand',
    blames: { routes: drifts('edited') },
    break: ({ paths }) => appendFileSync(paths.routes, '# by hand\n'),
  },
  {
    title: 'the sign-in was taken off a route in the routes file',
    blames: { routes: drifts('edited'), sso_attachments: drifts('proxy_differs') },
    // The proxy has loaded it, with another content than that of the release.
    later: { proxy: drifts('shadowed'), ...UNPROVEN },
    ...undone('routes', (text) => text.replaceAll(/^ *- "plumbline-sso[^"]*"\n/gm, '')),
  },
  {
    title: 'the routes file is gone',
    blames: { routes: drifts('lost') },
    later: { ...NOT_SERVED, ...UNPROVEN },
    ...undone('routes', () => null),
  },
  {
    title: 'a folder stands where the routes file was',
    blames: { routes: drifts('edited'), ...NOT_SERVED, resolvers: unknown('unreadable') },
    later: UNPROVEN,
    break: asFolder('routes').break,
  },
  {
    title: 'the routes file is a link to nowhere',
    blames: { routes: drifts('edited'), resolvers: unknown('unreadable') },
    later: { ...NOT_SERVED, ...UNPROVEN, sso_attachments: unknown('unreadable') },
    break: asDanglingLink('routes').break,
  },
  {
    title: 'the certificates file was edited by hand',
    blames: { 'certificates-file': drifts('edited'), certificates: drifts('edited') },
    break: ({ paths }) => appendFileSync(paths.certificates, '# by hand\n'),
  },
  {
    title: 'the certificates file is gone',
    blames: { 'certificates-file': drifts('lost'), certificates: drifts('lost') },
    ...undone('certificates', () => null),
  },
  {
    title: 'the access rules were edited by hand',
    blames: { sso: drifts('edited'), sso_attachments: drifts('edited') },
    ...undone('rules', (text) => text.replace('one_factor', 'bypass')),
  },
  {
    title: 'the access rules were written again, and the provider was not restarted',
    blames: { sso: drifts('not_loaded'), sso_attachments: drifts('not_loaded') },
    break: ({ paths }) => writeFileSync(paths.rules, readFileSync(paths.rules)),
  },
  {
    title: 'the access rules are no YAML any more',
    blames: { sso: drifts('edited'), sso_attachments: drifts('edited') },
    ...undone('rules', () => 'access_control: [{\n'),
  },
  {
    title: 'a folder stands where the access rules were',
    blames: { sso: drifts('edited'), sso_attachments: drifts('edited') },
    break: asFolder('rules').break,
  },
  {
    title: 'the users file is no YAML any more',
    blames: { people: unknown('unreadable') },
    ...tampered('users', () => 'users: [{\n'),
  },
  {
    title: 'somebody who was revoked was let in again by hand',
    blames: { people: drifts('edited') },
    ...undone('users', (text) => text.replace('disabled: true', 'disabled: false')),
  },
  {
    title: 'a line of ours was changed in authorized_keys',
    blames: { 'ssh-gateway': drifts('edited') },
    ...undone('authorized_keys', (text) => text.replace(/^restrict,?/m, '')),
  },
  {
    title: 'authorized_keys is gone',
    blames: { 'ssh-gateway': drifts('lost') },
    ...undone('authorized_keys', () => null),
  },
  {
    title: 'the resolver answers another address',
    blames: { resolvers: drifts('wrong') },
    ...tampered('resolver', (text) => text.replace(LAN_IP, '192.168.1.77')),
  },
  {
    title: 'the resolver does not know the hosts',
    blames: { resolvers: drifts('missing') },
    ...tampered('resolver', () => '# nothing\n'),
  },
  {
    title: 'the configuration of the resolver is gone',
    blames: { resolvers: unknown('unreadable') },
    ...tampered('resolver', () => null),
  },
  {
    title: 'the certificate store of the proxy is gone',
    blames: { acme: impaired('absent') },
    ...tampered('acme', () => null),
  },
  {
    title: 'a folder stands where the certificate store of the proxy was',
    blames: { acme: unknown('unreadable') },
    ...asFolder('acme'),
  },
  {
    title: 'the certificate store of the proxy is cut in the middle for more than ten minutes',
    blames: { acme: unknown('unreadable') },
    ...thenLater(
      11 * 60_000,
      tampered('acme', (text) => text.slice(0, 200)),
    ),
  },
  {
    title: 'a certificate that is in use has ended',
    blames: { certificates: impaired('expired') },
    ...thenLater(25 * 3_600_000, tampered('acme', storeOfADay)),
  },
]

function storeOfADay(): string {
  const authority = certificateAuthority()
  const text = acmeJson([authority.issue({ names: ['app.example.com'], days: 1 })])
  authority.close()
  return text
}

/** As that, and time passes. */
function thenLater(ms: number, fault: Broken): Broken {
  return {
    async break(world) {
      await fault.break(world)
      await world.pass(ms)
    },
    mend: fault.mend,
  }
}
