/** Ways to change who gets in: the access rules, the users file, and the keys of the SSH gateway. */
import { appendFileSync, chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { P256 } from '../model/ssh/keys.ts'
import { ASKED_MS, type Way } from './false-greens.ts'
import { fileWay, renameOver, rewrite, withOldTime } from './false-greens-hands.ts'
import { CLIENTS, SSO, USERS } from './false-greens-own.ts'
import type { HealthWorld } from './health-world.ts'
import { A_HASH } from './people-world.ts'

type FileWay = Parameters<typeof fileWay<HealthWorld>>[0]
type Making = (title: string, spoil: FileWay['spoil'], more?: Partial<FileWay>) => Way<HealthWorld>

const inRules: Making = (title, spoil, more) =>
  fileWay({
    title: `access rules: ${title}`,
    path: ({ paths }) => paths.rules,
    part: 'sso',
    own: SSO,
    spoil,
    // Bytes that are put back are newer than the provider's start.
    also: ({ authelia }) => authelia.restart(),
    ...more,
  })

const APP_RULE = / {4}- domain: "app\.example\.com"\n {6}policy: "one_factor"\n/

const OF_RULES: readonly Way<HealthWorld>[] = [
  inRules('a rule taken out', (path) => rewrite(path, (text) => text.replace(APP_RULE, ''))),
  inRules('a laxer policy', (path) => rewrite(path, (text) => text.replace('one_factor', 'bypass'))),
  inRules('a laxer policy, and the provider restarted', (path, { authelia }) => {
    rewrite(path, (text) => text.replace('one_factor', 'bypass'))
    authelia.restart()
  }),
  inRules('everybody let in by default', (path) =>
    rewrite(path, (text) => text.replace(/default_policy: "?deny"?/, 'default_policy: "bypass"')),
  ),
  inRules('a comment alone', (path) => appendFileSync(path, '# by hand\n')),
  inRules('line ends of Windows', (path) => rewrite(path, (text) => text.replaceAll('\n', '\r\n'))),
  inRules('a rule of its own in front', (path) =>
    rewrite(path, (text) =>
      text.replace(APP_RULE, '    - domain: "*.example.com"\n      policy: "bypass"\n$&'),
    ),
  ),
  inRules('the same bytes written again', (path) => renameOver(path, (text) => text)),
  inRules('mode 000', (path) => chmodSync(path, 0o000)),
  inRules('removed', (path) => rmSync(path)),
  inRules('emptied, with its time put back', (path) => withOldTime(path, () => truncateSync(path))),
]

const inUsers: Making = (title, spoil, more) =>
  fileWay({
    title: `users file: ${title}`,
    path: ({ paths }) => paths.users,
    part: 'people',
    own: USERS,
    spoil,
    ...more,
  })

const OF_USERS: readonly Way<HealthWorld>[] = [
  inUsers('another group', (path) => rewrite(path, (text) => text.replace('family', 'admins'))),
  inUsers('one group more', (path) => rewrite(path, (text) => text.replace(/"?family"?/, '$&, "admins"'))),
  inUsers('a person taken out', (path) =>
    rewrite(path, (text) => text.replace(/^ {2}"?jo\.doe"?:\n(?: {4}.*\n)*/m, '')),
  ),
  inUsers('a revoked person let in', (path) =>
    rewrite(path, (text) => text.replace('disabled: true', 'disabled: false')),
  ),
  inUsers('a revoked person without the word', (path) =>
    rewrite(path, (text) => text.replace(/^ *disabled: true\n/m, '')),
  ),
  inUsers('a revoked person let in, with another password and its time put back', (path) =>
    withOldTime(path, () =>
      rewrite(path, (text) =>
        text.replace('disabled: true', 'disabled: false').replaceAll(/\$argon2id[^'"\n]*/g, A_HASH),
      ),
    ),
  ),
  inUsers('emptied', (path) => truncateSync(path)),
  inUsers('removed', (path) => rmSync(path)),
  inUsers('no YAML', (path) => writeFileSync(path, 'users: [{\n')),
  inUsers('a folder in its place', (path) => {
    rmSync(path)
    mkdirSync(path)
  }),
  inUsers('mode 666', (path) => chmodSync(path, 0o666)),
  inUsers('mode 000', (path) => chmodSync(path, 0o000)),
  inUsers('its folder closed', (path) => chmodSync(dirname(path), 0o000)),
]

const inKeys: Making = (title, spoil, more) =>
  fileWay({
    title: `authorized_keys over SFTP: ${title}`,
    path: ({ paths }) => paths.authorized_keys,
    part: 'ssh-gateway',
    own: CLIENTS,
    within_ms: ASKED_MS,
    spoil,
    ...more,
  })

const OF_KEYS: readonly Way<HealthWorld>[] = [
  inKeys("a stranger's key inside our block", (path) =>
    rewrite(path, (text) => text.replace('# plumbline:end', `${P256} mallory\n$&`)),
  ),
  inKeys("a stranger's key inside, with the time put back", (path) =>
    withOldTime(path, () => rewrite(path, (text) => text.replace('# plumbline:end', `${P256} mallory\n$&`))),
  ),
  inKeys('the options taken away', (path) => rewrite(path, (text) => text.replace(/^restrict\S* /m, ''))),
  inKeys('one option more', (path) => rewrite(path, (text) => text.replace(/^restrict/m, 'restrict,pty'))),
  inKeys('our key taken out', (path) => rewrite(path, (text) => text.replace(/^restrict.*\n/m, ''))),
  inKeys('the end of our block gone', (path) =>
    rewrite(path, (text) => text.replace(/^# plumbline:end.*\n/m, '')),
  ),
  inKeys('the whole block gone', (path) =>
    rewrite(path, (text) => text.replace(/^# plumbline:begin[^]*# plumbline:end.*\n/m, '')),
  ),
  inKeys('emptied', (path) => truncateSync(path)),
  inKeys('removed', (path) => rmSync(path)),
  inKeys('a folder in its place', (path) => {
    rmSync(path)
    mkdirSync(path)
  }),
  inKeys('mode 666', (path) => chmodSync(path, 0o666)),
  inKeys('its folder open to everybody', (path) => chmodSync(dirname(path), 0o777)),
  inKeys(
    'our key on a foreign line, too',
    (path) => rewrite(path, (text) => `${/^restrict\S* (.*)$/m.exec(text)![1]}\n${text}`),
    { aside: 'a foreign line is the business of whoever wrote it; the answer shows it' },
  ),
]

export const LOCK_WAYS: readonly Way<HealthWorld>[] = [...OF_RULES, ...OF_USERS, ...OF_KEYS]
