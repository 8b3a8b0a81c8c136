/** Settings of the SSH targets: what is reached beside the guests, as whom, and where the gateway reads of it. */
import { path } from '../../config/kinds/basic.ts'
import { parseHost, showHostPort } from '../../config/kinds/network.ts'
import { listOf, textual, Wrong, wrong } from '../../config/kinds/refine.ts'
import { type FilePlace, filePlace, hostKeyPins, showPins, showPlace } from '../../config/kinds/sftp.ts'
import { optional, setting } from '../../config/setting.ts'
import { parseKey } from '../../model/ssh/public-key.ts'
import { SSH_PORT } from './records.ts'

export interface ListedTarget {
  readonly name: string
  readonly user: string
  readonly host: string
  readonly port: number
  /** `type base64`; null where none was given. */
  readonly host_key: string | null
}

const USER = '[A-Za-z_][A-Za-z0-9_.-]{0,31}'
const ENTRY = new RegExp(
  `^([a-z0-9][a-z0-9._-]{0,62})=(${USER})@(\\[[0-9a-fA-F:.]+\\]|[^\\s:@[\\]]+)(?::(\\d{1,5}))?(?: +(\\S+) +(\\S+))?$`,
)

function parseTarget(text: string): ListedTarget | Wrong {
  const [, name, user, host_text = '', digits, type, key] = ENTRY.exec(text) ?? []
  const host = parseHost(host_text)
  const port = digits === undefined ? SSH_PORT : Number(digits)
  if (name === undefined || user === undefined || host instanceof Wrong || port < 1 || port > 65_535)
    return wrong('must be name=user@host:port, optionally with a host key behind it (ssh-keyscan shows it)')
  if (type === undefined || key === undefined) return { name, user, host, port, host_key: null }
  const parsed = parseKey(type, key)
  if (!parsed.ok || type.startsWith('sk-'))
    return wrong('has a host key that is none: it must be like "ssh-ed25519 AAAA…"')
  return { name, user, host, port, host_key: `${type} ${key}` }
}

const showTarget = ({ name, user, host, port, host_key }: ListedTarget): string =>
  `${name}=${user}@${showHostPort({ host, port })}${host_key === null ? '' : ` ${host_key}`}`

/** ssh would read quotes, variables and tokens in it. */
const placeInConfig = filePlace.refine(
  // oxlint-disable-next-line no-control-regex
  ({ path }) => !/[\u0000-\u001f\u007f"'\\%$]/.test(path),
  'must not hold quotes, backslashes, % or $, which ssh would read otherwise',
)

const showOptional = (place: FilePlace | null): string => (place === null ? '' : showPlace(place))

/** Where the words of a failure send the operator. */
export const PROXY_NAMES = {
  host_key: 'PLUMBLINE_SSH_PROXY_HOST_KEY',
  identity: 'PLUMBLINE_SSH_PROXY_IDENTITY',
  passphrase: null,
} as const

export const ssh_targets = {
  targets: setting({
    name: 'PLUMBLINE_SSH_TARGETS',
    example: 'nas=admin@192.168.1.10:22',
    schema: listOf(parseTarget).refine(
      (all) => new Set(all.map(({ name }) => name)).size === all.length,
      'must not give a name twice',
    ),
    default: '',
    show: (all) => all.map(showTarget).join(','),
    help: 'What is reached through the SSH gateway beside the guests: name=user@host:port, each optionally followed by a blank and its host key, comma-separated.',
  }),
  user: setting({
    name: 'PLUMBLINE_SSH_TARGET_USER',
    example: 'admin',
    schema: textual((text) =>
      new RegExp(`^${USER}$`).test(text) ? text : wrong('must be the name of a user, such as root'),
    ),
    default: 'root',
    show: (user) => user,
    help: 'As whom one logs in to a guest.',
  }),
  config: optional({
    name: 'PLUMBLINE_SSH_PROXY_CONFIG',
    example: '/etc/ssh/ssh_config.d/plumbline.conf',
    schema: placeInConfig,
    show: showOptional,
    help: 'The file for ssh on the gateway that is written: a Host block for each target; a path, or sftp://user@host:port/path. The whole file is ours; include it in ssh_config.',
  }),
  known_hosts: optional({
    name: 'PLUMBLINE_SSH_PROXY_KNOWN_HOSTS',
    example: '/etc/ssh/plumbline_known_hosts',
    schema: placeInConfig,
    show: showOptional,
    help: 'The file with their host keys, which the other one names: on the same machine. Unset: ssh lets nobody through whose key it does not know from elsewhere.',
  }),
  host_keys: setting({
    name: PROXY_NAMES.host_key,
    example: 'SHA256:UNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw',
    schema: hostKeyPins,
    default: '',
    show: showPins,
    help: 'Host keys of the machine with both files for SFTP, as "ssh-ed25519 AAAA…" or "SHA256:…", comma-separated. No other is taken.',
  }),
  identity_file: optional({
    name: PROXY_NAMES.identity,
    example: '/etc/plumbline/gateway_ed25519',
    schema: path,
    help: 'The private key (a file, without a passphrase) with which we log in there for SFTP.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly ssh_targets: typeof ssh_targets
  }
}
