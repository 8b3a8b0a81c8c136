/** Settings of the SSH gateway: where the list of its keys is, and how to get there. */
import { Secret } from '../../kernel/secret.ts'
import { path } from '../../config/kinds/basic.ts'
import { listOf, textual, type Wrong, wrong } from '../../config/kinds/refine.ts'
import { filePlace, hostKeyPins, showPlace, showPins } from '../../config/kinds/sftp.ts'
import { optional, secret, setting } from '../../config/setting.ts'

const PERMISSIONS = {
  pty: 'pty',
  'port-forwarding': 'port_forwarding',
  'agent-forwarding': 'agent_forwarding',
  'x11-forwarding': 'x11_forwarding',
  'user-rc': 'user_rc',
} as const
type Word = keyof typeof PERMISSIONS

type Name = (typeof PERMISSIONS)[Word]

/** `none` is for whoever wants an empty list: an empty setting is an unset one. */
const parseWord = (text: string): Name | 'none' | Wrong => {
  if (text === 'none') return text
  return isWord(text)
    ? PERMISSIONS[text]
    : wrong(`is none of ${Object.keys(PERMISSIONS).join(', ')}; none stands for nothing`)
}

const isWord = (text: string): text is Word => Object.hasOwn(PERMISSIONS, text)

const passphrase = textual((text) =>
  // oxlint-disable-next-line no-control-regex
  /^[^\u0000-\u001f\u007f]{1,1024}$/.test(text)
    ? new Secret(text)
    : wrong('must be 1 to 1024 characters without control characters'),
)

export const ssh = {
  authorized_keys: optional({
    name: 'PLUMBLINE_AUTHORIZED_KEYS',
    example: 'sftp://jump@gateway.example.com:22/home/jump/.ssh/authorized_keys',
    schema: filePlace,
    show: (place) => (place === null ? '' : showPlace(place)),
    help: 'The authorized_keys file of the SSH gateway: a path, or sftp://user@host:port/path.',
  }),
  host_keys: setting({
    name: 'PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY',
    example: 'SHA256:UNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw',
    schema: hostKeyPins,
    default: '',
    show: showPins,
    help: 'Host keys of the gateway for SFTP, as "ssh-ed25519 AAAA…" or "SHA256:…", comma-separated. No other is taken.',
  }),
  identity_file: optional({
    name: 'PLUMBLINE_AUTHORIZED_KEYS_IDENTITY',
    example: '/etc/plumbline/gateway_ed25519',
    schema: path,
    help: 'The private key (a file) with which we log in there for SFTP.',
  }),
  identity_passphrase: secret({
    name: 'PLUMBLINE_AUTHORIZED_KEYS_PASSPHRASE',
    schema: passphrase,
    help: 'Its passphrase, where it has one.',
  }),
  client_options: setting({
    name: 'PLUMBLINE_SSH_CLIENT_OPTIONS',
    example: 'port-forwarding',
    schema: listOf(parseWord).transform((names) => names.filter((name) => name !== 'none')),
    default: 'pty,port-forwarding',
    show: (names) => names.map((name) => name.replaceAll('_', '-')).join(',') || 'none',
    help: 'What a new SSH client may do that says nothing of it: pty, port-forwarding, agent-forwarding, x11-forwarding, user-rc, or none.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly ssh: typeof ssh
  }
}
